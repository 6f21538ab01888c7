"""Every page of the gallery is accessible."""

import re

import pytest
from audit import ALL_BUT_CONTRAST, CONTRAST, audit, small_targets, unreached, walk
from conftest import IS_SOAK, ROOT, Phones, button, go_back, visit
from playwright.sync_api import expect

PAGES = re.findall(r'^    case \w+ = "(.+)"', (ROOT / "Tests/WebUI/Gallery/GalleryPage.swift").read_text(), re.MULTILINE)
# Their samples have colors of their own.
COLORFUL = {"Stacks and Spacer", "Divider, Padding and Frame", "Background and Overlay", "Animation", "Colors"}
# Containers whose controls stand one below the other.
READ_DOWN = {"Button", "TextField", "Toggle", "List", "Form", "Navigation", "Toolbar", "Accessibility"}

LEVELS = """() => [...document.querySelectorAll('.page:not(.covered) :is(h1, h2, h3, [role=heading])')]
    .filter(el => !el.closest('[aria-hidden=true], [hidden]') && el.checkVisibility({ visibilityProperty: true }))
    .map(el => Number(el.ariaLevel ?? el.tagName[1]))"""

@pytest.fixture(scope="module")
def tour(browser, gallery):
    """A phone that visits page after page."""
    phones = Phones(browser)
    yield phones(gallery)
    phones.close()


@pytest.mark.parametrize("title", PAGES)
def test_a_page_can_be_used_by_everybody(tour, subtests, title):
    visit(tour, title)
    # The contrast for users who prefer more contrast.
    options = ALL_BUT_CONTRAST if title in COLORFUL else None
    for scheme in ("light", "dark") if IS_SOAK and options is None else ("light",):
        with subtests.test(f"audit in the {scheme}"):
            tour.emulate_media(color_scheme=scheme, contrast="more")
            assert not audit(tour, CONTRAST if scheme == "dark" else options)
    tour.emulate_media(color_scheme="light", contrast="no-preference")
    with subtests.test("targets are large enough for a finger"):
        # The fields are as low as Apple's.
        assert not small_targets(tour, but=".field")
    with subtests.test("headings begin with the title and skip no level"):
        levels = tour.evaluate(LEVELS)
        assert levels[0] == 1
        assert all(later <= earlier + 1 for earlier, later in zip(levels, levels[1:]))
    places = walk(tour)
    with subtests.test("the keyboard reaches everything"):
        assert not unreached(tour)
    with subtests.test("the focus goes down the page"):
        assert len(places) > 1 or title not in READ_DOWN
        up = [
            (earlier, later) for earlier, later in zip(places, places[1:])
            if later["top"] < earlier["bottom"] - 1 and later["left"] <= earlier["left"]]
        # Once: from the last control to those above the title.
        assert len(up) <= 1 or title not in READ_DOWN, up
    go_back(tour)


def test_the_home_screen_passes_the_audit(phones, box):
    page = phones(box.address)
    button(page, "Settings").tap()
    expect(page.locator("dialog[open]")).to_be_visible()
    assert not audit(page, ALL_BUT_CONTRAST)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    for scheme, options in (("light", None), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=scheme, contrast="more")
        assert not audit(page, options), scheme


@pytest.mark.parametrize("opener", ["Sheet", "Alert", "ConfirmationDialog"])
def test_what_stands_above_a_page_passes_the_audit(open_page, subtests, opener):
    page = open_page(opener)
    for row in page.locator(".page:not(.covered) .row .button").all():
        with subtests.test(row.inner_text()):
            row.tap()
            expect(page.locator("dialog[open]")).to_be_visible()
            faults = audit(page, ALL_BUT_CONTRAST)
            page.locator("dialog[open] .button").last.tap()
            expect(page.locator("dialog")).to_have_count(0)
            assert not faults


def test_keys_do_not_lead_to_what_is_hidden(open_page):
    page = open_page("Accessibility")
    hidden = page.locator("button", has_text="Sometimes hidden")
    expect(hidden).to_have_attribute("tabindex", "-1")
    assert not audit(page, ALL_BUT_CONTRAST)
    page.get_by_role("switch", name="Hide the button").tap()
    expect(hidden).not_to_have_attribute("tabindex", "-1")
    page.get_by_role("switch", name="Hide the button").focus()
    page.keyboard.press("Tab")
    expect(hidden).to_be_focused()
