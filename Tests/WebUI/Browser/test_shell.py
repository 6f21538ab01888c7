"""The page around an app: the launch screen, the notice about the connection, the ring around the focus."""

import pytest
from conftest import broken_words, button, cut, heading, mend, notice, screenshot, settle
from playwright.sync_api import expect

LAUNCH = {
    "pager2077": {"light": "rgb(51, 51, 51)", "dark": "rgb(51, 51, 51)"},
    "simbridge": {"light": "rgb(255, 251, 254)", "dark": "rgb(28, 27, 31)"},
    "": {"light": "rgb(219, 237, 255)", "dark": "rgb(13, 26, 56)"},
}
TEXT = {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}


def address(box, app):
    return f"{box.address}/apps/{app}/" if app else box.address + "/"


@pytest.mark.parametrize("app, scheme", [("pager2077", "light"), ("simbridge", "dark"), ("", "dark")])
def test_a_cold_load_shows_the_app_s_color_and_icon_at_once(new_phones, box, app, scheme):
    page = new_phones(color_scheme=scheme)
    # Nothing but the page itself and its icon has arrived.
    page.route("**/*", lambda route: route.continue_() if route.request.url.endswith(("/", "icon.svg")) else None)
    page.goto(address(box, app), wait_until="commit")
    launch = page.locator("#launch")
    expect(launch).to_have_css("background-color", LAUNCH[app][scheme])
    expect(launch.locator("img")).to_be_visible()
    assert page.evaluate("document.elementFromPoint(5, innerHeight - 5).closest('#launch') !== null")
    themes = page.evaluate("""() => [...document.querySelectorAll("meta[name=theme-color]")].filter(meta => matchMedia(meta.media).matches)
        .map(meta => meta.content)""")
    red, green, blue = (int(part) for part in LAUNCH[app][scheme].removeprefix("rgb(").rstrip(")").split(","))
    assert themes == [f"#{red:02x}{green:02x}{blue:02x}"]
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    page.locator(".root").wait_for()
    expect(launch).to_be_hidden()


@pytest.mark.parametrize("file", ["page.js", "nodes.js", "page.css"])
def test_a_page_with_a_lost_file_loads_again(new_phones, gallery, file):
    context = new_phones.context()
    lost = []

    def lose_once(route):
        if lost:
            return route.continue_()
        lost.append(route.request.url)
        route.abort("connectionreset")

    context.route("**/" + file, lose_once)
    page = new_phones.tab(context, gallery)
    assert lost
    expect(page.locator("#launch")).to_be_hidden()


@pytest.mark.parametrize("app, scheme", [("pager2077", "light"), ("simbridge", "light"), ("", "dark")])
def test_the_clock_can_be_read_on_every_app(phones, box, app, scheme):
    page = phones(
        address(box, app), color_scheme=scheme, viewport={"width": 1000, "height": 900}, is_mobile=False, has_touch=False)
    expect(page.locator("main > .status")).to_have_css("color", TEXT["dark" if app == "pager2077" else scheme])


def overlaps(page) -> list[str]:
    """The texts of titles and bars that the notice overlaps."""
    return page.evaluate("""() => {
        const pill = document.getElementById("pill").getBoundingClientRect()
        const parts = document.querySelectorAll(".title, .large, .back, .slot > .items > *, .grab > .card > .handle, .status > *")
        return [...parts].filter(el => el.checkVisibility({ visibilityProperty: true })).filter(el => {
            const { left, right, top, bottom } = el.getBoundingClientRect()
            return right > pill.left && left < pill.right && bottom > pill.top && top < pill.bottom
        }).map(el => el.textContent)
    }""")


@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 1000, "height": 900}, "is_mobile": False, "has_touch": False}])
def test_the_notice_covers_no_title(proxy, phones, options):
    page = phones(proxy.address, **options)
    for name in ("Toolbar", "Navigation", "Sheet"):
        button(page, name).click()
        expect(heading(page, name)).to_be_visible()
        settle(page)
        before = heading(page, name).bounding_box()
        if name == "Sheet":
            button(page, "Full screen cover").click()
            expect(page.locator("dialog")).to_be_visible()
        cut(proxy, page)
        settle(page)
        assert overlaps(page) == []
        place = notice(page).bounding_box()
        assert place["y"] >= 0 and place["x"] >= 0
        screenshot(page, f"lost-{name}-{'desk' if options else 'phone'}")
        mend(proxy, page)
        if name != "Sheet":
            expect(notice(page)).not_to_contain_class("shown")
            settle(page)
            assert heading(page, name).bounding_box() == before
            page.locator(".page:not(.covered) .back").click()


def test_lines_between_rows_are_equally_thick(open_page):
    # As on many phones, a point is no whole number of pixels.
    page = open_page("List", device_scale_factor=2.625)
    page.locator(".row > .line").first.wait_for(state="attached")
    heights = page.evaluate("""() => [...document.querySelectorAll(".line")].filter(line => line.checkVisibility())
        .map(line => line.getBoundingClientRect().height * devicePixelRatio)""")
    assert heights and all(0.95 < height < 1.05 for height in heights)


CORNERS = "() => getComputedStyle(document.activeElement).borderRadius"


def test_the_ring_around_the_focus_has_the_corners_of_its_control(open_page):
    page = open_page("Button")
    for style, corners in (("Bordered", "5.95px"), ("Row", "7px")):
        page.keyboard.press("Tab")
        button(page, style).focus()
        assert page.evaluate(CORNERS).split(" ")[0] == corners, style
    # The corners go with the focus.
    page.evaluate("document.activeElement.blur()")
    assert button(page, "Row").evaluate("el => el.style.borderRadius") == ""


def test_korean_words_are_not_broken(phones, box):
    page = phones(box.address, locale="ko-KR", viewport={"width": 320, "height": 640})
    page.locator(".grid button").tap()
    page.get_by_test_id("forget").wait_for()
    assert broken_words(page) == []
    page.get_by_test_id("forget").tap()
    expect(page.locator("dialog.confirm")).to_be_visible()
    assert broken_words(page) == []


def test_the_last_row_of_a_group_has_no_line_below(phones, box):
    page = phones(box.address)
    page.locator(".grid button").tap()
    # A Korean word, on a page in whatever language.
    expect(page.get_by_text("한국어")).to_have_css("word-break", "keep-all")
    # A dialog that was opened stands behind the rows.
    page.get_by_test_id("forget").tap()
    expect(page.locator("dialog.confirm")).to_be_visible()
    groups = page.evaluate("""() => [...document.querySelectorAll("dialog .group")].map(group => [
        group.querySelectorAll(".row").length, [...group.querySelectorAll(".line")].filter(line => line.checkVisibility()).length])""")
    assert [lines for _, lines in groups] == [rows - 1 for rows, _ in groups] and len(groups) == 3, groups
