"""Pinches by two fingers and by the wheel with Control, on content that also scrolls."""

import pytest
from conftest import center, record, sent
from playwright.sync_api import expect


@pytest.fixture
def code(open_page):
    return open_page("Pinch")


class Fingers:
    """Two fingers on the screen."""

    def __init__(self, page):
        self.page = page
        self.screen = page.context.new_cdp_session(page)

    def pinch(self, at, start, end, steps=8):
        """Moves two fingers, side by side around a point, from one distance to another."""
        self._touch("touchStart", at, start)
        for step in range(1, steps + 1):
            self._touch("touchMove", at, start + (end - start) * step / steps)
        self.screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _touch(self, kind, at, distance):
        points = [{"x": at[0] - distance / 2, "y": at[1], "id": 0}, {"x": at[0] + distance / 2, "y": at[1], "id": 1}]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_change_the_size(code):
    record(code)
    at = center(code.get_by_test_id("code"))
    Fingers(code).pinch(at, 100, 200)
    expect(code.get_by_test_id("size")).to_have_text("28 points after 1 pinches, 0 taps")
    assert sent(code, "pinch")[-1]["v"]["m"] == pytest.approx(2, abs=0.05)
    Fingers(code).pinch(at, 200, 100)
    expect(code.get_by_test_id("size")).to_have_text("14 points after 2 pinches, 0 taps")
    assert code.evaluate("visualViewport.scale") == 1, "the page itself keeps its scale"


def test_a_tap_is_no_pinch_and_a_finger_scrolls(code):
    record(code)
    view = code.get_by_test_id("code")
    view.tap()
    expect(code.get_by_test_id("size")).to_have_text("14 points after 0 pinches, 1 taps")
    assert not sent(code, "pinch")
    assert view.evaluate("el => getComputedStyle(el).touchAction") == "pan-x pan-y"


def test_the_wheel_pinches_with_control_and_scrolls_without(code):
    view = code.get_by_test_id("code")
    code.mouse.move(*center(view))
    code.mouse.wheel(0, 200)
    expect(view).not_to_have_js_property("scrollTop", 0)
    expect(code.get_by_test_id("size")).to_have_text("14 points after 0 pinches, 0 taps")
    code.keyboard.down("Control")
    code.mouse.wheel(0, -100)
    code.mouse.wheel(0, -100)
    code.keyboard.up("Control")
    expect(code.get_by_test_id("size")).to_have_text("23 points after 1 pinches, 0 taps")
