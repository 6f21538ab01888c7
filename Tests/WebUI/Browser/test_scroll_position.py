"""Scroll positions: the row at the top, bars that leave while the user scrolls down, jumps to a row."""

import pytest
from conftest import Finger, record, sent
from playwright.sync_api import expect


@pytest.fixture
def lines(open_page):
    return open_page("Scroll position")


def scroll(page, by):
    page.get_by_test_id("lines").evaluate("(el, by) => el.scrollBy(0, by)", by)


def test_the_bar_leaves_on_the_way_down_and_returns_on_the_way_up(lines):
    bar = lines.get_by_text("The bar")
    expect(bar).to_be_visible()
    scroll(lines, 44 * 30)
    expect(lines.get_by_test_id("row")).to_have_text("At 30")
    expect(bar).to_have_count(0)
    scroll(lines, -44 * 4)
    expect(lines.get_by_test_id("row")).to_have_text("At 26")
    expect(bar).to_be_visible()


def test_a_finger_scrolls_with_few_reports(lines):
    record(lines)
    view = lines.get_by_test_id("lines").bounding_box()
    x, y = view["x"] + 100, view["y"] + view["height"] - 30
    Finger(lines).drag((x, y), (x, y - 350))
    expect(lines.get_by_test_id("row")).not_to_have_text("At 0")
    assert 1 <= len(sent(lines, "place")) < 12


def test_a_jump_puts_the_row_at_the_top(lines):
    lines.get_by_role("button", name="Line 100").tap()
    expect(lines.get_by_test_id("lines")).to_have_js_property("scrollTop", 4400)
    expect(lines.get_by_test_id("row")).to_have_text("At 100")
    # And the way goes on from there.
    scroll(lines, -44)
    expect(lines.get_by_test_id("row")).to_have_text("At 99")
