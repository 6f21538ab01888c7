"""Conversations in browsers with TalkCo's tutors, by voice and by keyboard."""

import re

from conftest import button, screenshot
from learner import (  # noqa: F401
    choices, end_review, end_talk, expect_answers, expect_voice, learners, mouth, open_app, say, show, start_talk,
    talking_browser, turns, write)
from playwright.sync_api import expect

MISTAKE = (
    "Yesterday I go to Japan with my family, because my sister wanted to see the old temples, and we ate noodles in a small "
    "restaurant, which was the best part of our trip.")


def test_the_whole_story(learners, mouth, box):
    page = learners(box.address)
    expect(page.get_by_test_id("engine")).to_contain_text("built-in")
    screenshot(page, "talkco-topics")
    # The tutor greets by voice, and offers sentences to read aloud.
    start_talk(page)
    expect_voice(page)
    sentence = min(choices(page), key=len)
    say(page, mouth, sentence)
    expect(turns(page)).to_have_text([sentence])
    expect_answers(page, 2)
    expect_voice(page)
    write(page, MISTAKE)
    expect_answers(page, 3)
    expect(turns(page)).to_have_text([sentence, MISTAKE])
    screenshot(page, "talkco-conversation")

    # The review marks the mistake, and nothing in the tutor's own sentence.
    end_talk(page)
    card = page.get_by_test_id("segment-1")
    expect(card.get_by_test_id("badge-grammar")).to_be_visible()
    expect(page.get_by_test_id("segment-0").locator("[data-id^=badge]")).to_have_count(0)
    page.get_by_test_id("toggle-1").tap()
    mark = card.get_by_test_id("mark")
    expect(mark).to_contain_text("go")
    expect(mark).to_contain_text("went")
    screenshot(page, "talkco-review")
    button(mark, "Hear the better sentence").tap()
    expect_voice(page)
    page.get_by_test_id("question-field").fill("為什麼要用 went?")
    button(page, "Ask").tap()
    expect(card.get_by_test_id("correction")).to_contain_text("went")

    end_review(page)
    expect(page.get_by_test_id("weaknesses")).to_be_visible()
    screenshot(page, "talkco-summary")
    button(page, "Done").tap()
    expect(page.get_by_test_id("topic-travel")).to_be_visible()
    expect(page.get_by_test_id("open-session")).to_have_count(0)
    show(page, "Me")
    expect(page.get_by_test_id("sessions")).to_have_text("1 session")
    expect(page.get_by_test_id("level")).to_have_text(re.compile("^[ABC][12]$"))
    screenshot(page, "talkco-profile")
