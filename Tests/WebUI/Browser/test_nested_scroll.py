"""Scrolling views inside each other: a finger or a wheel moves the one that can move."""

import pytest
from conftest import Finger, center, settle
from playwright.sync_api import Locator, expect


@pytest.fixture
def nested(open_page):
    return open_page("Nested scrolling")


def swipe(view: Locator, dx: int, dy: int):
    """Swipes a finger from the middle of a view."""
    x, y = center(view)
    Finger(view.page).drag((x, y), (x + dx, y + dy))


def turn(view: Locator, dx: int, dy: int):
    """Turns the wheel above the middle of a view."""
    view.page.mouse.move(*center(view))
    view.page.mouse.wheel(-dx, -dy)


def rest(view: Locator):
    """Waits until a view stands still: a finger on one that moves only stops it."""
    view.evaluate("""async el => {
        let last
        do {
            last = el.scrollLeft
            await new Promise(done => setTimeout(done, 200))
        } while (el.scrollLeft !== last)
    }""")


@pytest.mark.parametrize("move", [swipe, turn])
def test_what_lies_across_does_not_hold_the_page(nested, move):
    page, chips, outer, inner = (nested.get_by_test_id(name) for name in ("page", "chips", "outer", "inner"))
    move(chips, -120, 0)
    expect(chips).not_to_have_js_property("scrollLeft", 0)
    expect(page).to_have_js_property("scrollTop", 0)
    move(chips, 0, -120)
    expect(page).not_to_have_js_property("scrollTop", 0)
    page.evaluate("el => el.scrollTop = 0")
    # The mirror: a column in a row.
    move(inner, 0, -80)
    expect(inner).not_to_have_js_property("scrollTop", 0)
    expect(page).to_have_js_property("scrollTop", 0)
    move(inner, -120, 0)
    expect(outer).not_to_have_js_property("scrollLeft", 0)
    rest(outer)
    # At its end the column hands over.
    inner.evaluate("el => el.scrollTop = el.scrollHeight")
    settle(nested)
    # A finger on what still moves only stops it.
    for _ in range(5):
        move(inner, 0, -120)
        nested.wait_for_timeout(300)
        if page.evaluate("el => el.scrollTop") > 0:
            break
    expect(page).not_to_have_js_property("scrollTop", 0)
