"""The microphone and the loudspeaker."""

import time

import pytest
from camera import lights
from conftest import Finger, button, center, cut, mend, put_in_background, visit, wait_until
from microphone import LOUDNESS, PITCH, heard, hearing_browser, impurity, microphones  # noqa: F401
from playwright.sync_api import expect

# What the gallery plays, in Hz.
TONE = 440


def value(page, name):
    return page.get_by_test_id(name)


def number(page, name):
    return float(value(page, name).inner_text().split()[0])


def open_speech(microphones, address, **options):
    page = microphones(address, **options)
    visit(page, "Speech")
    return page


def start(page):
    """Starts a recording, and waits until the microphone has heard a whole beep."""
    button(page, "Record").tap()
    expect(value(page, "recording")).to_have_text("recording")
    hear_beep(page)
    assert lights(page) == 1


def hear_beep(page):
    wait_until(page, lambda: number(page, "level") < 0.01)
    wait_until(page, lambda: number(page, "level") > 0.02)
    wait_until(page, lambda: number(page, "level") < 0.01)


def finish(page):
    button(page, "Finish").tap()
    expect(value(page, "recording")).to_have_text("recorded")
    assert lights(page) == 0


def play(page, name="Play a tone", pitch=TONE):
    button(page, name).tap()
    wait_until(page, lambda: heard(page)[0] > 0.02 and abs(heard(page)[1] - pitch) < 30)


def expect_silence(page):
    wait_until(page, lambda: heard(page)[0] < 0.001)


def test_a_recording_has_what_was_heard_and_can_be_played(microphones, gallery):
    page = open_speech(microphones, gallery)
    expect(value(page, "microphone")).to_have_text("yes")
    start(page)
    finish(page)
    assert number(page, "length") > 0.4
    assert abs(number(page, "loudest") - LOUDNESS) < 0.05
    assert abs(number(page, "pitch") - PITCH) < 20
    play(page, "Play the recording", PITCH)
    expect(value(page, "playback")).to_have_text("played")
    # And again: the microphone was given back.
    start(page)
    finish(page)


def test_holding_records(microphones, gallery):
    page = open_speech(microphones, gallery)
    button(page, "Stop").tap()
    finger = Finger(page)
    finger.down(*center(page.get_by_text("Hold to record")))
    expect(value(page, "recording")).to_have_text("recording")
    hear_beep(page)
    finger.up()
    expect(value(page, "recording")).to_have_text("recorded")
    assert abs(number(page, "pitch") - PITCH) < 20
    assert lights(page) == 0


def test_a_discarded_recording_turns_the_microphone_off(microphones, gallery):
    page = open_speech(microphones, gallery)
    start(page)
    button(page, "Discard").tap()
    wait_until(page, lambda: lights(page) == 0)
    assert number(page, "length") == 0


def test_a_lost_connection_leaves_no_gap_in_a_recording(proxy, microphones):
    page = open_speech(microphones, proxy.address)
    start(page)
    begin = time.monotonic()
    cut(proxy, page)
    length = time.monotonic() - begin
    assert lights(page) == 1
    mend(proxy, page)
    finish(page)
    assert number(page, "length") > length
    assert abs(number(page, "pitch") - PITCH) < 20


def test_a_recording_ends_in_the_background_with_what_there_is(microphones, gallery):
    page = open_speech(microphones, gallery)
    start(page)
    put_in_background(page)
    assert lights(page) == 0
    expect(value(page, "recording")).to_have_text("recorded")
    assert number(page, "length") > 0.1


def test_a_refused_microphone_is_denied(microphones, gallery):
    page = open_speech(microphones, gallery, allowed=False)
    button(page, "Record").tap()
    expect(value(page, "recording")).to_have_text("denied")
    assert lights(page) == 0


def test_a_missing_microphone_is_unsupported(open_page):
    page = open_page("Speech")
    expect(value(page, "microphone")).to_have_text("no")
    button(page, "Record").tap()
    expect(value(page, "recording")).to_have_text("unsupported")


def test_a_tone_is_played_without_gaps_as_fast_as_it_is_heard(microphones, gallery):
    page = open_speech(microphones, gallery)
    play(page)
    # The beginning is faded.
    wait_until(page, lambda: impurity(page, TONE) < 0.01)
    accepted = number(page, "appended")
    assert 40 < accepted < 110, "of 120: the rest waits"
    for _ in range(10):
        assert impurity(page, TONE) < 0.01
    wait_until(page, lambda: number(page, "appended") > accepted)
    expect(value(page, "playback")).to_have_text("played")
    expect_silence(page)
    assert number(page, "stopped") == 0


def test_a_tone_outlasts_a_short_loss_of_the_connection(proxy, microphones):
    page = open_speech(microphones, proxy.address)
    play(page)
    cut(proxy, page)
    mend(proxy, page)
    expect(value(page, "playback")).to_have_text("played")
    assert number(page, "stopped") == 0


@pytest.mark.parametrize("means", ["Stop", "Record"])
def test_a_tone_stops_when_the_user_wants_to_speak(microphones, gallery, means):
    page = open_speech(microphones, gallery)
    play(page)
    button(page, means).tap()
    expect_silence(page)
    expect(value(page, "stopped")).to_have_text("1")
    expect(value(page, "playback")).not_to_have_text("playing")


def test_a_second_tone_stops_the_first(microphones, gallery):
    page = open_speech(microphones, gallery)
    play(page)
    play(page)
    expect(value(page, "stopped")).to_have_text("1")
    expect(value(page, "playback")).to_have_text("playing")


@pytest.mark.parametrize("leave", ["background", "reload"])
def test_a_tone_stops_when_the_user_leaves(microphones, gallery, leave):
    page = open_speech(microphones, gallery)
    play(page)
    if leave == "background":
        put_in_background(page)
        expect_silence(page)
    else:
        page.reload()
    expect(value(page, "stopped")).to_have_text("1")


def test_a_tone_moves_to_the_page_that_plays_next(microphones, gallery):
    page = open_speech(microphones, gallery)
    play(page)
    other = page.context.new_page()
    other.goto(gallery)
    visit(other, "Speech")
    play(other)
    expect_silence(page)
