"""What the page draws around an app: before it is there, above it, and around what has the focus."""

import pytest
from conftest import broken_words, heading, screenshot, settle
from line import Line
from playwright.sync_api import expect

LAUNCH = {
    "pager2077": {"light": "rgb(51, 51, 51)", "dark": "rgb(51, 51, 51)"},
    "simbridge": {"light": "rgb(255, 251, 254)", "dark": "rgb(28, 27, 31)"},
    "": {"light": "rgb(219, 237, 255)", "dark": "rgb(13, 26, 56)"},
}
INK = {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}


def address(box, app):
    return f"{box.address}/apps/{app}/" if app else box.address + "/"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("app", LAUNCH)
def test_a_cold_load_shows_the_app_s_colour_and_mark_at_once(phones, box, app, scheme):
    page = phones(color_scheme=scheme)
    # Nothing but the page itself and its icon is there yet.
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("app", LAUNCH)
def test_the_clock_is_readable_on_every_app(phones, box, app, scheme):
    page = phones(
        address(box, app), color_scheme=scheme, viewport={"width": 1000, "height": 900}, is_mobile=False, has_touch=False)
    expect(page.locator("main > .status")).to_have_css("color", INK["dark" if app == "pager2077" else scheme])


def overlaps(page) -> list[str]:
    """What is a title or in a bar and shares room with the word about the connection."""
    return page.evaluate("""() => {
        const pill = document.getElementById("pill").getBoundingClientRect()
        const parts = document.querySelectorAll(".title, .large, .back, .slot > .items > *, .grab > .card > .handle, .status > *")
        return [...parts].filter(el => el.checkVisibility({ visibilityProperty: true })).filter(el => {
            const { left, right, top, bottom } = el.getBoundingClientRect()
            return right > pill.left && left < pill.right && bottom > pill.top && top < pill.bottom
        }).map(el => el.textContent)
    }""")


@pytest.mark.parametrize("name", ["Toolbar", "Sheet", "Navigation"])
@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 1000, "height": 900}, "is_mobile": False, "has_touch": False}])
def test_the_word_about_the_connection_covers_no_title(phones, gallery, name, options):
    line = Line(gallery)
    page = phones(line.address, **options)
    page.get_by_role("button", name=name, exact=True).click()
    expect(heading(page, name)).to_be_visible()
    before = heading(page, name).bounding_box()
    if name == "Sheet":
        page.get_by_role("button", name="Full screen cover", exact=True).click()
        expect(page.locator("dialog")).to_be_visible()
    line.cut()
    expect(page.locator("#pill")).to_contain_class("shown")
    settle(page)
    assert overlaps(page) == []
    pill = page.locator("#pill").bounding_box()
    assert pill["y"] >= 0 and pill["x"] >= 0
    screenshot(page, f"lost-{name}-{'desk' if options else 'phone'}")
    line.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#pill")).not_to_contain_class("shown")
    settle(page)
    if name != "Sheet":
        assert heading(page, name).bounding_box() == before
    line.close()


def test_lines_between_rows_are_equally_thick(open_page):
    # As on many phones: no whole number of pixels for each of the page's.
    page = open_page("List", device_scale_factor=2.625)
    page.locator(".row > .line").first.wait_for(state="attached")
    heights = page.evaluate("""() => [...document.querySelectorAll(".line")].filter(line => line.checkVisibility())
        .map(line => line.getBoundingClientRect().height * devicePixelRatio)""")
    assert heights and all(0.95 < height < 1.05 for height in heights)


CORNERS = "() => getComputedStyle(document.activeElement).borderRadius"


def test_the_ring_of_the_focus_has_the_corners_of_what_it_is_around(open_page, phones, gallery):
    page = open_page("Button")
    for style, corners in (("Bordered", "5.95px"), ("Row", "7px")):
        button = page.get_by_role("button", name=style, exact=True)
        page.keyboard.press("Tab")
        button.focus()
        assert page.evaluate(CORNERS).split(" ")[0] == corners, style
    # And is gone with the focus.
    page.evaluate("document.activeElement.blur()")
    assert page.get_by_role("button", name="Row", exact=True).evaluate("el => el.style.borderRadius") == ""


def test_the_ring_around_a_key_of_the_pager_is_as_round_as_the_key(phones, box):
    page = phones(address(box, "pager2077"))
    page.keyboard.press("Tab")
    key = page.get_by_role("button", name="5", exact=True)
    key.focus()
    shape = key.evaluate("el => [...el.querySelectorAll('*')].map(part => getComputedStyle(part).borderRadius).find(it => it !== '0px')")
    assert page.evaluate(CORNERS) == shape


@pytest.mark.parametrize("locale", ["ko-KR", "en-US"])
def test_korean_words_are_not_broken(phones, box, locale):
    page = phones(box.address, locale=locale, viewport={"width": 320, "height": 640})
    page.locator(".grid button").tap()
    page.get_by_test_id("forget").wait_for()
    if locale == "en-US":
        # Whatever the language of the page is, for instance in a text from somebody.
        expect(page.get_by_text("한국어")).to_have_css("word-break", "keep-all")
        return
    assert broken_words(page) == []
    page.get_by_test_id("forget").tap()
    expect(page.locator("dialog.confirm")).to_be_visible()
    assert broken_words(page) == []


def test_the_last_row_of_a_group_has_no_line_below(phones, box):
    page = phones(box.address)
    page.locator(".grid button").tap()
    forget = page.get_by_test_id("forget")
    forget.wait_for()
    settle(page)
    # A dialog that it has asked with stands behind it.
    forget.tap()
    expect(page.locator("dialog.confirm")).to_be_visible()
    lines = page.evaluate("""() => [...document.querySelectorAll("dialog .group")].map(group =>
        [...group.querySelectorAll(".line")].filter(line => line.checkVisibility()).length)""")
    assert lines == [2, 0]
