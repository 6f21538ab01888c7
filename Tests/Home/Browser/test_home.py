"""The home screen, as a person sees it."""

import pytest
from conftest import screenshot
from playwright.sync_api import expect


def test_an_icon_opens_its_app_and_home_leads_back(phones, box):
    page = phones(box.address)
    screenshot(page, "home")
    page.get_by_role("link", name="Pager2077", exact=True).tap()
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    page.get_by_role("link", name="Home").tap()
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_visible()


# Of an icon: whether something is drawn, and whether all of it is within the circle that Android shows for sure.
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


@pytest.mark.parametrize("app", ["pager2077", "simbridge"])
def test_an_app_has_a_drawn_icon_that_no_phone_cuts(phones, box, app):
    page = phones(f"{box.address}/apps/{app}/")
    drawn = page.evaluate(DRAWN, f"/apps/{app}/mask-512.png")
    assert drawn["outside"] == 0
    # A letter is less.
    assert drawn["inside"] > 0.1


def test_settings_change_the_language_of_all_tabs_of_this_phone_only(phones, box):
    page = phones(box.address)
    second = phones.tab(page.context, box.address)
    other = phones(box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog", name="설정", exact=True)).to_be_visible()
    # The page's own words as well, at once.
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator(".page:not(.covered) .back")).to_have_attribute("aria-label", "뒤로")
    expect(page.locator("a.home").last).to_have_attribute("aria-label", "홈")
    expect(second.get_by_role("button", name="설정", exact=True)).to_be_visible()
    expect(other.get_by_role("button", name="Settings", exact=True)).to_be_visible()


def test_the_language_outlives_the_box(phones, box):
    page = phones(box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    box.restart()
    page.reload()
    # On the screen where one was.
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()


def test_a_restart_of_the_box_returns_to_the_settings_and_the_focus(phones, box):
    page = phones(box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    forget = page.get_by_role("button", name="Forget this phone", exact=True)
    forget.focus()
    box.restart(page)
    expect(forget).to_be_focused()
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    box.restart(page)
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_forgetting_a_phone_makes_it_a_new_one(phones, box, tmp_path):
    page = phones(box.address)
    second = phones.tab(page.context, box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    cookie = page.context.cookies()[0]
    assert list((tmp_path / "data" / "phones").iterdir())
    page.get_by_role("button", name="이 휴대폰 지우기", exact=True).tap()
    # It says what is lost, and that this is for good.
    for loss in ("로그아웃", "보내지 못한 메시지", "코드와 친구", "취소할 수 없습니다"):
        expect(page.locator("dialog.confirm")).to_contain_text(loss)
    page.locator("dialog.confirm").get_by_role("button", name="이 휴대폰 지우기", exact=True).tap()
    for tab in (page, second):
        expect(tab.get_by_role("button", name="Settings", exact=True)).to_be_visible()
    assert page.context.cookies()[0]["value"] != cookie["value"]
    assert not list((tmp_path / "data" / "phones").iterdir())
