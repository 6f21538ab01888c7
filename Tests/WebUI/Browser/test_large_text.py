"""Browsers whose text size is larger than usual."""

from conftest import enlarge, go_back, heading, visit
from playwright.sync_api import expect

PAGES = ["Text", "Label", "Button", "TextField", "Toggle", "List", "Form", "Toolbar", "Alert", "Lifetime"]


TOO_WIDE = """() => [...document.querySelectorAll('.page:not(.covered) *')]
    .filter(el => el.checkVisibility({ visibilityProperty: true }) && !el.closest('.scroll.h'))
    .filter(el => el.getBoundingClientRect().right > innerWidth + 1 || el.getBoundingClientRect().left < -1)
    .map(el => el.outerHTML.slice(0, 120))"""


def test_large_text_stays_within_the_screen(phone, subtests):
    enlarge(phone)
    for title in PAGES:
        with subtests.test(title):
            visit(phone, title)
            assert not phone.evaluate(TOO_WIDE)
            go_back(phone)


def test_text_grows_with_the_size_that_one_has_chosen(open_page):
    page = open_page("Button")
    enlarge(page)
    for text in (heading(page, "Button"), page.get_by_text("Taps", exact=True)):
        expect(text).to_have_css("font-size", "21.25px")
        expect(text).to_have_css("line-height", "27.5px")


def test_a_row_grows_with_its_text(open_page):
    page = open_page("Toggle")
    row = page.locator(".row", has=page.get_by_text("Two lines"))
    height = row.bounding_box()["height"]
    enlarge(page)
    assert row.bounding_box()["height"] > height
