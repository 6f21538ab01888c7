"""A browser whose text is larger than usual."""

import pytest
from conftest import heading
from playwright.sync_api import expect

PAGES = ["Text", "Label", "Button", "TextField", "Toggle", "List", "Form", "Toolbar", "Alert", "Lifetime"]


@pytest.fixture
def large(open_page):
    """Opens a page with text of 20 px where it is 16 by default, as from the settings of a browser."""

    def large(title):
        page = open_page(title)
        page.evaluate("document.documentElement.style.fontSize = '20px'")
        return page

    return large


@pytest.mark.parametrize("title", PAGES)
def test_large_text_stays_within_the_screen(large, title):
    page = large(title)
    too_wide = page.evaluate("""() => [...document.querySelectorAll('.page:not(.covered) *')]
        .filter(el => el.checkVisibility({ visibilityProperty: true }) && !el.closest('.scroll.h'))
        .filter(el => el.getBoundingClientRect().right > innerWidth + 1 || el.getBoundingClientRect().left < -1)
        .map(el => el.outerHTML.slice(0, 120))""")
    assert not too_wide


def test_text_grows_with_the_size_that_one_has_chosen(large):
    page = large("Button")
    for text in (heading(page, "Button"), page.get_by_text("Taps", exact=True)):
        expect(text).to_have_css("font-size", "21.25px")
        expect(text).to_have_css("line-height", "27.5px")


def test_a_row_grows_with_its_text(open_page):
    page = open_page("Toggle")
    row = page.locator(".row", has=page.get_by_text("Two lines"))
    height = row.bounding_box()["height"]
    page.evaluate("document.documentElement.style.fontSize = '20px'")
    assert row.bounding_box()["height"] > height
