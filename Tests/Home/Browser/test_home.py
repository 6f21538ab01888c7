"""The home screen in a browser."""

import pytest
from conftest import brightness, button, screenshot
from playwright.sync_api import expect


def test_an_icon_opens_its_app_and_the_home_indicator_leads_back(phones, box):
    page = phones(box.address)
    screenshot(page, "home")
    page.get_by_role("link", name="Pager2077", exact=True).tap()
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    page.get_by_role("link", name="Home").tap()
    expect(button(page, "Settings")).to_be_visible()


def test_the_icons_are_those_of_the_installed_apps(phones, box):
    page = phones(box.address)
    pictures = page.locator("a .picture")
    expect(pictures).to_have_count(5)
    for picture in pictures.all():
        address = picture.evaluate("el => el.src")
        app = picture.evaluate("el => el.closest('a').href")
        assert address == app + "icon.svg"
        # Browsers install the app with the same drawing.
        manifest = page.evaluate("async app => (await fetch(app + 'manifest.webmanifest')).json()", app)
        assert "icon.svg" in " ".join(icon["src"] for icon in manifest["icons"])
        expect(picture).not_to_have_js_property("naturalWidth", 0)


# Of an icon: the share that is drawn within the circle that Android always shows, and the pixels drawn outside of it.
DRAWN = """async address => {
    const picture = await createImageBitmap(await (await fetch(address)).blob())
    const side = picture.width
    const canvas = new OffscreenCanvas(side, side).getContext("2d")
    canvas.drawImage(picture, 0, 0)
    const { data } = canvas.getImageData(0, 0, side, side)
    let [inside, outside] = [0, 0]
    for (let place = 0; place < side * side; place++) {
        if ([0, 1, 2].every(channel => data[4 * place + channel] === data[channel])) continue
        const far = Math.hypot(place % side + 0.5 - side / 2, Math.floor(place / side) + 0.5 - side / 2)
        if (far > side * 0.4) outside++; else inside++
    }
    return { inside: inside / side / side, outside }
}"""


def test_no_phone_cuts_an_icon(phones, box):
    page = phones(box.address)
    for app in ("pager2077", "simbridge", "localllm"):
        drawn = page.evaluate(DRAWN, f"/apps/{app}/mask-512.png")
        assert drawn["outside"] == 0, app
        # A letter is less.
        assert drawn["inside"] > 0.1, app


def test_settings_change_the_language_of_all_tabs_of_this_phone_only(phones, box):
    page = phones(box.address)
    second = phones.tab(page.context, box.address)
    other = phones(box.address)
    button(page, "Settings").tap()
    button(page, "한국어").tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog", name="설정", exact=True)).to_be_visible()
    # The page's own words as well, at once.
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator(".page:not(.covered) .back")).to_have_attribute("aria-label", "뒤로")
    expect(page.locator("a.home").last).to_have_attribute("aria-label", "홈")
    expect(button(second, "설정")).to_be_visible()
    expect(button(other, "Settings")).to_be_visible()


def test_traditional_chinese_is_offered_and_is_that_of_taiwan(phones, box):
    page = phones(box.address)
    button(page, "Settings").tap()
    button(page, "繁體中文").tap()
    expect(page.get_by_role("dialog", name="設定", exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator(".page:not(.covered) .back")).to_have_attribute("aria-label", "返回")
    expect(button(phones(box.address, locale="zh-TW"), "設定")).to_be_visible()
    expect(button(phones(box.address, locale="zh-CN"), "Settings")).to_be_visible()


def test_language_place_and_focus_survive_a_restart_of_the_box(phones, own_box):
    page = phones(own_box.address)
    button(page, "Settings").tap()
    button(page, "한국어").tap()
    forget = button(page, "이 휴대폰 지우기")
    forget.focus()
    own_box.restart(page)
    expect(forget).to_be_focused()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    button(page, "완료").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    own_box.restart(page)
    expect(button(page, "설정")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_forgetting_a_phone_makes_it_a_new_one(phones, own_box):
    page = phones(own_box.address)
    second = phones.tab(page.context, own_box.address)
    button(page, "Settings").tap()
    button(page, "한국어").tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    cookie = page.context.cookies()[0]

    def stored():
        """The folders of phones, beside the file that names their key."""
        return [folder for folder in (own_box.data / "phones").iterdir() if folder.is_dir()]

    assert stored()
    button(page, "이 휴대폰 지우기").tap()
    # The dialog names the lost data, and warns that the loss is permanent.
    for loss in ("로그아웃", "보내지 못한 메시지", "코드와 친구", "취소할 수 없습니다"):
        expect(page.locator("dialog.confirm")).to_contain_text(loss)
    button(page.locator("dialog.confirm"), "이 휴대폰 지우기").tap()
    for tab in (page, second):
        expect(button(tab, "Settings")).to_be_visible()
    assert page.context.cookies()[0]["value"] != cookie["value"]
    assert not stored()


# The top of the wallpaper.
SKY = {"light": "rgb(219, 237, 255)", "dark": "rgb(13, 26, 56)"}
GROUP = {"light": "rgb(255, 255, 255)", "dark": "rgb(44, 44, 46)"}
TEXT = {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screen_and_its_settings_have_the_scheme_of_the_phone(phones, box, scheme):
    page = phones(box.address, color_scheme=scheme)
    images = page.evaluate("[...document.querySelectorAll('.root *')].map(el => getComputedStyle(el).backgroundImage)")
    assert any(SKY[scheme] in image for image in images)
    expect(page.get_by_text("Pager2077", exact=True)).to_have_css("color", TEXT[scheme])
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7
    screenshot(page, f"home-{scheme}")
    button(page, "Settings").tap()
    expect(page.locator("dialog .group").first).to_have_css("background-color", GROUP[scheme])
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7
