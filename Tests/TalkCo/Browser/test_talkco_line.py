"""Conversations that something disturbs: a refused or taken microphone, a lost line, a restart, a second tab."""

import signal

import pytest
from conftest import Finger, button, center, cut, mend, settle, wait_until
from learner import (  # noqa: F401
    APP, answers, choices, end_review, end_talk, expect_answers, expect_voice, learners, mouth, open_app, say, start_talk,
    talking_browser, turns, tutors, write)
from microphone import heard
from playwright.sync_api import expect
from proxy import Proxy


# The microphone and the loudspeaker


def test_a_learner_who_refuses_the_microphone_writes(learners, box):
    page = learners(box.address, allowed=False)
    start_talk(page)
    page.get_by_test_id("talk").tap()
    expect(page.get_by_test_id("problem")).to_contain_text("The microphone is not allowed.")
    page.get_by_test_id("draft").fill("I like tea.")
    button(page, "Send").tap()
    expect_answers(page, 2)
    expect(turns(page)).to_have_text(["I like tea."])


def hold(page):
    """Presses the talk button until the returned finger leaves it."""
    talk = page.get_by_test_id("talk")
    expect(talk).to_be_enabled()
    settle(page)
    finger = Finger(page)
    finger.down(*center(talk))
    expect(page.get_by_test_id("recording-hint")).to_contain_text("Listening")
    return finger


@pytest.mark.parametrize("event", ["ended", "mute"])
def test_a_call_that_takes_the_microphone_is_reported(learners, mouth, box, event):
    page = learners(box.address)
    start_talk(page)
    mouth.hush()
    finger = hold(page)
    page.evaluate("name => window.tracks.at(-1).dispatchEvent(new Event(name))", event)
    expect(page.get_by_test_id("problem")).to_contain_text("The recording was interrupted by a call or another app.")
    finger.up()
    expect(turns(page)).to_have_count(0)
    sentence = min(choices(page), key=len)
    say(page, mouth, sentence)
    expect(turns(page)).to_have_text([sentence])


def test_silence_is_not_sent(learners, mouth, box):
    page = learners(box.address)
    start_talk(page)
    mouth.hush()
    finger = hold(page)
    expect(page.get_by_test_id("recording-hint")).to_contain_text("0:01")
    finger.up()
    expect(page.get_by_test_id("problem")).to_contain_text("Nothing was heard.")
    expect(turns(page)).to_have_count(0)


def test_another_tab_takes_the_voice(learners, box):
    page = learners(box.address)
    start_talk(page)
    expect_voice(page)
    other = page.context.new_page()
    other.goto(box.address + APP)
    other.get_by_test_id("open-session").tap()
    button(other, "Play again").tap()
    expect_voice(other)
    wait_until(page, lambda: heard(page)[0] < 0.001)


# The line


def test_a_recording_and_its_answer_survive_a_lost_line(learners, mouth, tutors):
    proxy = Proxy(tutors("realtime").address)
    page = learners(proxy.address)
    start_talk(page)
    talk = page.get_by_test_id("talk").get_attribute("data-i")

    def lose():
        cut(proxy, page)
        mend(proxy, page)

    say(page, mouth, "This is a sentence that is long enough to lose the line in its middle.", meanwhile=lose)
    proxy.cut()
    mend(proxy, page)
    # The button that the finger has released.
    expect(page.get_by_test_id("talk")).to_have_attribute("data-i", talk)
    expect_answers(page, 2)
    expect(turns(page)).to_have_text(["Yesterday I go to the night market and eat many snack."])
    proxy.close()


@pytest.mark.parametrize("fault", ["stalls", "drops_events", "drops_replies"])
def test_a_turn_on_a_bad_line_is_answered_once(open_app, box_proxy, fault):
    page = open_app(box_proxy.address)
    start_talk(page)
    page.get_by_test_id("draft").fill("I like tea.")
    expect(button(page, "Send")).to_be_enabled()
    if fault == "stalls":
        box_proxy.stall()
    else:
        setattr(box_proxy, fault, True)
    button(page, "Send").tap()
    # The tap is held or lost, or it has arrived and its acknowledgement is lost.
    wait_until(page, lambda: fault == "stalls" or box_proxy.drop_count)
    cut(box_proxy, page)
    mend(box_proxy, page)
    expect_answers(page, 2)
    expect(turns(page)).to_have_text(["I like tea."])
    end_talk(page)
    expect(page.get_by_test_id("segment-0")).to_be_visible()
    expect(page.get_by_test_id("segment-1")).to_have_count(0)


# Restarts


def test_a_restart_in_a_conversation_loses_nothing(open_app, own_box):
    page = open_app(own_box.address)
    start_talk(page)
    write(page, "Yesterday I go to the market.")
    expect_answers(page, 2)
    before = answers(page).all_inner_texts()
    page.get_by_test_id("draft").fill("I like")
    own_box.restart(page, how=signal.SIGKILL)
    expect(page.get_by_test_id("draft")).to_have_value("I like")
    expect(answers(page)).to_have_text(before)
    expect(turns(page)).to_have_text(["Yesterday I go to the market."])
    # The talk goes on.
    page.get_by_test_id("draft").fill("I like the fruit there.")
    button(page, "Send").tap()
    expect_answers(page, 3)
    end_talk(page)
    expect(page.get_by_test_id("segment-0").get_by_test_id("badge-grammar")).to_be_visible()
    expect(page.get_by_test_id("segment-1")).to_be_visible()
    own_box.restart(page, how=signal.SIGKILL)
    expect(page.get_by_test_id("segment-0").get_by_test_id("badge-grammar")).to_be_visible()
    end_review(page)


# Two tabs of one phone


def test_two_tabs_show_one_conversation(open_app, box):
    page = open_app(box.address)
    start_talk(page)
    other = page.context.new_page()
    other.goto(box.address + APP)
    other.get_by_test_id("open-session").tap()
    for tab, text, count in ((page, "I like tea.", 2), (other, "Yesterday I go to the market.", 3)):
        write(tab, text)
        for each in (page, other):
            expect_answers(each, count)
            expect(turns(each).last).to_have_text(text)
    end_talk(page)
    for each in (page, other):
        expect(each.get_by_test_id("segment-1").get_by_test_id("badge-grammar")).to_be_visible()
        expect(each.get_by_test_id("segment-2")).to_have_count(0)
    end_review(other)
    for each in (page, other):
        each.get_by_test_id("done").tap()
        expect(each.get_by_test_id("topic-travel")).to_be_visible()
        expect(each.get_by_test_id("open-session")).to_have_count(0)
