"""Talks with the installed Whisper and Piper, where `switchboard talkco engines --install` has put them into the data folder, and the way to them."""

import os
import pathlib

import pytest
from conftest import Box, wait_until
from learner import (  # noqa: F401
    answers, expect_answers, expect_voice, learners, mouth, say, start_talk, talking_browser, turns)
from playwright.sync_api import expect

DATA = pathlib.Path(os.environ.get("SWITCHBOARD_DATA") or "~/.local/share/switchboard").expanduser()
ENGINES = DATA / "talkco-engines"
needs_engines = pytest.mark.skipif(
    not (ENGINES / "installed.json").exists(), reason=f"the speech engines are not installed in {DATA}")


@pytest.fixture
def boxes(tmp_path):
    """Starts boxes: `boxes(engines=True)` with the installed engines."""
    started: list[Box] = []

    def start(engines: bool = False) -> Box:
        data = tmp_path / f"box-{len(started)}"
        data.mkdir(mode=0o700)
        if engines:
            (data / "talkco-engines").symlink_to(ENGINES)
        box = Box(data)
        started.append(box)
        box.start()
        return box

    yield start
    for box in started:
        box.stop()


def test_the_first_screen_offers_the_engines_on_the_boxs_machine(learners, boxes):
    page = learners(boxes().address)
    expect(page.get_by_test_id("install-engines")).to_be_visible()
    expect(page.get_by_test_id("engine")).to_contain_text("It can hear free speech with Whisper and speak with Piper")


@needs_engines
def test_free_speech_is_heard_and_answered(learners, mouth, boxes):
    page = learners(boxes(engines=True).address)
    # The models are loaded first; the screen follows.
    expect(page.get_by_test_id("engine")).to_contain_text("in your own words", timeout=60_000)
    start_talk(page)
    expect_voice(page)
    say(page, mouth, "Last week I visited my grandmother by train.")
    wait_until(page, lambda: turns(page).count() == 1)
    expect(turns(page).first).to_contain_text("grandmother", timeout=60_000)
    expect_answers(page, 2)
