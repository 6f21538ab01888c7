"""Tabs and phones do not see each other."""

from conftest import heading, visit
from playwright.sync_api import expect


def tap_row(page, times):
    for _ in range(times):
        page.get_by_role("button", name="Row", exact=True).tap()
    expect(page.get_by_test_id("taps")).to_have_text(str(times))


def test_two_tabs_of_a_phone_have_trees_of_their_own(phones, gallery, open_page):
    first = open_page("Button")
    second = phones.tab(first.context, gallery)
    tap_row(first, 2)
    expect(heading(second, "Gallery")).to_be_visible()
    visit(second, "Button")
    tap_row(second, 1)
    expect(first.get_by_test_id("taps")).to_have_text("2")


def test_two_phones_have_trees_of_their_own(open_page):
    first, second = open_page("Button"), open_page("Button")
    assert first.context.cookies()[0]["value"] != second.context.cookies()[0]["value"]
    tap_row(first, 2)
    tap_row(second, 1)
    expect(first.get_by_test_id("taps")).to_have_text("2")
