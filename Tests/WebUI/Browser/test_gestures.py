"""Taps, double taps, long presses and drags on views that are no buttons."""

import pytest
from conftest import Finger, center, record, sent
from playwright.sync_api import expect


@pytest.fixture
def pads(open_page):
    return open_page("Gestures")


def test_a_tap_counts_once_wherever_it_lands(pads):
    pads.get_by_text("Tap here").tap()
    expect(pads.get_by_test_id("taps")).to_have_text("1")
    pads.get_by_test_id("taps").tap()
    expect(pads.get_by_test_id("taps")).to_have_text("2")


def test_two_quick_taps_are_one_gesture_and_two_slow_ones_are_two(pads):
    pad = pads.get_by_text("Tap once or twice")
    at = center(pad)
    for _ in range(2):
        pads.touchscreen.tap(*at)
    expect(pads.get_by_test_id("doubleTaps")).to_have_text("0, 1")
    for count in (1, 2):
        pads.touchscreen.tap(*at)
        expect(pads.get_by_test_id("doubleTaps")).to_have_text(f"{count}, 1")


def test_holding_counts_after_half_a_second_and_is_no_tap(pads):
    finger = Finger(pads)
    record(pads)
    finger.down(*center(pads.get_by_text("Touch and hold here")))
    expect(pads.get_by_text("Keep holding")).to_be_visible()
    expect(pads.get_by_test_id("longPresses")).to_have_text("1")
    finger.up()
    expect(pads.get_by_text("Touch and hold here")).to_be_visible()
    assert not sent(pads, "tap")
    pads.get_by_text("Touch and hold here").tap()
    expect(pads.get_by_text("Touch and hold here")).to_be_visible()
    expect(pads.get_by_test_id("longPresses")).to_have_text("1")


def test_a_drag_starts_after_ten_points_and_ends_where_the_finger_is(pads):
    finger = Finger(pads)
    record(pads)
    x, y = center(pads.get_by_test_id("circle"))
    finger.down(x, y)
    finger.move(x + 6, y)
    finger.up()
    assert not sent(pads, "drag"), "a finger that hardly moved did not drag"
    finger.drag((x, y), (x + 60, y - 40))
    expect(pads.get_by_test_id("place")).to_have_text("At 60, -40 after 1 drags")
    *_, change, end = [frame["v"] for frame in sent(pads, "drag")]
    assert "end" in end and "end" not in change
    way = [change["x"] - change["sx"], change["y"] - change["sy"]]
    assert way == pytest.approx([60, -40], abs=0.2), "the last place is a change before it is the end"
    assert center(pads.get_by_test_id("circle")) == pytest.approx((x + 60, y - 40), abs=1)


def test_a_key_is_a_tap(pads):
    pads.get_by_role("button", name="Tap here").focus()
    pads.keyboard.press("Enter")
    pads.keyboard.press(" ")
    expect(pads.get_by_test_id("taps")).to_have_text("2")
