"""Navigation between pages."""

import pytest
from conftest import Finger, button, go_back, heading, screenshot, settle
from playwright.sync_api import expect

HEIGHT = 400


@pytest.fixture
def page(open_page):
    return open_page("Navigation")


@pytest.fixture
def moving_page(open_page):
    return open_page("Navigation", reduced_motion="no-preference")


def slides(page):
    """Counts the elements that slide sideways from now on."""
    page.evaluate("""() => {
        window.slides = 0
        const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, timing) {
            if ([frames].flat().some(frame => /%/.test(frame.translate))) window.slides += 1
            return animate.call(this, frames, timing)
        }
    }""")
    return lambda: page.evaluate("window.slides")


def test_a_covered_page_can_be_neither_seen_nor_used(page):
    covered = page.locator(".page", has=page.get_by_text("By value"))
    button(page, "By view").tap()
    expect(heading(page, "By view")).to_be_visible()
    expect(covered).to_have_attribute("inert", "")
    expect(covered).to_have_css("visibility", "hidden")
    button(page, "Go back").tap()
    expect(heading(page, "Navigation")).to_be_visible()
    expect(covered).not_to_have_attribute("inert", "")
    expect(covered).to_have_css("visibility", "visible")


def test_the_focus_goes_into_the_new_page_and_back_to_the_link(page):
    link = button(page, "By view")
    link.focus()
    page.keyboard.press("Enter")
    expect(heading(page, "By view")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(button(page, "Back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(heading(page, "Navigation")).to_be_visible()
    expect(link).to_be_focused()


def test_a_swipe_from_the_edge_goes_back(moving_page):
    page = moving_page
    button(page, "By view").tap()
    expect(heading(page, "By view")).to_be_visible()
    settle(page)
    top = page.locator(".page", has=heading(page, "By view"))
    finger = Finger(page)
    finger.down(4, HEIGHT)
    finger.move(204, HEIGHT)
    assert top.bounding_box()["x"] == pytest.approx(200, abs=1), "the page follows the finger"
    expect(page.get_by_text("By value")).to_be_visible()
    finger.move(300, HEIGHT)
    finger.up()
    expect(heading(page, "Navigation")).to_be_visible()
    expect(page.locator(".page")).to_have_count(2)
    settle(page)
    assert page.locator(".page:not(.covered)").bounding_box()["x"] == 0


def test_an_abandoned_swipe_keeps_the_page(moving_page):
    page = moving_page
    button(page, "By view").tap()
    expect(heading(page, "By view")).to_be_visible()
    settle(page)
    top = page.locator(".page", has=heading(page, "By view"))
    finger = Finger(page)
    finger.down(4, HEIGHT)
    finger.move(150, HEIGHT)
    finger.move(60, HEIGHT)
    finger.up()
    expect(page.locator(".page.pulled")).to_have_count(0)
    settle(page)
    assert top.bounding_box()["x"] == 0
    expect(page.get_by_text("By value")).to_be_hidden()


def test_a_swipe_from_anywhere_else_does_not_go_back(moving_page):
    page = moving_page
    button(page, "By view").tap()
    expect(heading(page, "By view")).to_be_visible()
    settle(page)
    Finger(page).drag((120, HEIGHT), (380, HEIGHT))
    expect(page.locator(".page.pulled")).to_have_count(0)
    expect(heading(page, "By view")).to_be_visible()


def test_a_page_without_a_back_button_is_not_swiped_away(moving_page):
    page = moving_page
    button(page, "No back button").tap()
    expect(heading(page, "No back button")).to_be_visible()
    settle(page)
    expect(button(page, "Back")).to_have_count(0)
    Finger(page).drag((4, HEIGHT), (380, HEIGHT))
    expect(heading(page, "No back button")).to_be_visible()
    button(page, "Go back").tap()
    expect(heading(page, "Navigation")).to_be_visible()


def test_a_page_without_a_bar_can_be_swiped_away(moving_page):
    page = moving_page
    button(page, "No bar").tap()
    expect(button(page, "Go back")).to_be_visible()
    settle(page)
    expect(page.locator(".page:not(.covered) > .bar")).to_be_hidden()
    Finger(page).drag((4, HEIGHT), (380, HEIGHT))
    expect(heading(page, "Navigation")).to_be_visible()


def test_pages_slide_unless_reduced_motion_is_on(open_page):
    for motion, count in (("no-preference", 4), ("reduce", 0)):
        page = open_page("Navigation", reduced_motion=motion)
        counted = slides(page)
        button(page, "By value").tap()
        expect(heading(page, "Number 1")).to_be_visible()
        settle(page)
        go_back(page)
        expect(heading(page, "Navigation")).to_be_visible()
        settle(page)
        assert counted() == count


def test_a_large_title_moves_into_the_bar_on_scrolling(page):
    button(page, "Large title").tap()
    large = page.locator("h1.large:visible")
    small = page.locator(".page:not(.covered) .title")
    expect(large).to_have_text("Large title")
    expect(small).to_have_css("opacity", "0")
    scroller = page.locator(".page:not(.covered) .list")
    scroller.evaluate("el => el.scrollTo(0, 120)")
    expect(small).to_have_css("opacity", "1")
    expect(large).not_to_be_in_viewport()
    scroller.evaluate("el => el.scrollTo(0, 0)")
    expect(small).to_have_css("opacity", "0")
    expect(large).to_be_in_viewport()


def test_a_long_title_stays_within_the_screen(page):
    button(page, "Long title").tap()
    expect(page.locator("h1.large:visible")).to_contain_text("much too long")
    for scrolled in (0, 300):
        page.locator(".page:not(.covered) .list").evaluate("(el, top) => el.scrollTo(0, top)", scrolled)
        for title in page.locator(".page:not(.covered) h1:visible").all():
            box = title.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_a_covered_page_keeps_its_scroll_position(phone):
    scroller = phone.locator(".list").first
    button(phone, "Lifetime").scroll_into_view_if_needed()
    place = scroller.evaluate("el => el.scrollTop")
    assert place > 500
    button(phone, "Lifetime").tap()
    expect(heading(phone, "Lifetime")).to_be_visible()
    go_back(phone)
    expect(heading(phone, "Gallery")).to_be_visible()
    assert scroller.evaluate("el => el.scrollTop") == place


@pytest.mark.parametrize("width, scheme", [(375, "light"), (430, "dark")])
def test_a_title_is_centered_and_a_long_back_button_makes_room(open_page, width, scheme):
    page = open_page("Navigation", viewport={"width": width, "height": 667}, color_scheme=scheme)
    for name, shown in (("Inline title", "Back"), ("Long title", "Back")):
        button(page, name).tap()
        button(page, "Next page").tap()
        title = heading(page, "After a longer one")
        expect(title).to_be_visible()
        way_back = page.locator(".page:not(.covered) > .bar .back")
        expect(way_back).to_have_text("Inline title" if width == 430 and name == "Inline title" else shown)
        expect(way_back).to_have_accessible_name("Back")
        box, left = title.bounding_box(), way_back.bounding_box()
        assert box["x"] + box["width"] / 2 == pytest.approx(width / 2, abs=1)
        assert left["x"] + left["width"] <= box["x"]
        screenshot(page, f"bar-{name.split()[0].lower()}-{scheme}-{width}")
        go_back(page)
        go_back(page)


# The contrast of the labels of tabs on their bar, above the background of the page (WCAG 2.2, 1.4.3).
CONTRASTS = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
    const mixed = colors => {
        for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1) }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0)
    }
    const color = (el, name) => getComputedStyle(el)[name]
    return [...document.querySelectorAll(".tabitem .text")].map(text => {
        const bar = [color(text.closest(".tabs").querySelector(".tab.sel .list"), "backgroundColor"), color(text.closest(".tabbar"), "backgroundColor")]
        const [dark, light] = [mixed(bar), mixed([...bar, color(text, "color")])].sort((one, other) => one - other)
        return (light + 0.05) / (dark + 0.05)
    })
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_labels_of_tabs_can_be_read(open_page, scheme):
    page = open_page("TabView", color_scheme=scheme)
    button(page, "Show the tabs").tap()
    expect(page.get_by_role("tab", name="First", selected=True)).to_be_visible()
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) == 3 and min(contrasts) >= 4.5, contrasts


def test_the_selected_tab_leads_to_root_and_start(open_page):
    page = open_page("TabView")
    button(page, "Show the tabs").tap()
    tab = page.get_by_role("tab", name="First")
    rows = page.locator(".tab.sel .list").first
    rows.evaluate("el => el.scrollTop = 300")
    place = rows.evaluate("el => el.scrollTop")
    button(page, "A page in this tab").evaluate("el => el.click()")
    expect(heading(page, "Inside")).to_be_visible()
    tab.tap()
    expect(heading(page, "First")).to_be_visible()
    expect(heading(page, "Inside")).to_have_count(0)
    settle(page)
    assert rows.evaluate("el => el.scrollTop") == place
    tab.tap()
    expect(rows).to_have_js_property("scrollTop", 0)
