"""Conversations with the stand-ins of models, and what learners see of their faults."""

import pytest
from conftest import button, soak, tap_until
from learner import (  # noqa: F401
    end_review, end_talk, expect_answers, expect_voice, learners, mouth, say, show, start_talk, talking_browser,
    turns, tutors, write)
from playwright.sync_api import Page, expect

# The first sentence that each stand-in understands, whatever is said.
HEARD = {
    "realtime": "Yesterday I go to the night market and eat many snack.", "pipeline": "I very like to travel with my family.",
}
UNANSWERED = "The tutor did not answer. Try again, or go on."


def problem(page: Page):
    return page.get_by_test_id("problem")


@pytest.mark.parametrize("engine", ["pipeline", soak("realtime")])
def test_a_whole_session_by_voice(learners, mouth, tutors, engine):
    page = learners(tutors(engine).address)
    start_talk(page)
    expect_voice(page)
    say(page, mouth, "Anything.")
    expect(turns(page)).to_have_text([HEARD[engine]])
    expect_answers(page, 2)
    expect_voice(page)
    end_talk(page)
    expect(page.get_by_test_id("segment-0").locator("[data-id^=badge]")).to_have_count(1)
    end_review(page)
    expect(page.get_by_text("今天練習得很好,下次試著多說過去的經驗。")).to_be_visible()
    page.get_by_test_id("done").tap()
    show(page, "Me")
    expect(page.get_by_test_id("level")).to_have_text("B1")
    expect(page.get_by_test_id("expressions")).to_contain_text("really like")


@pytest.mark.parametrize("engine", ["realtime", soak("pipeline")])
def test_a_refused_key_is_reported_at_the_start(learners, tutors, engine):
    page = learners(tutors(engine, key="wrong").address)
    page.get_by_test_id("topic-travel").tap()
    failure = page.get_by_test_id("failed-start")
    expect(failure).to_contain_text("does not accept the key")
    button(page, "Try Again").tap()
    # The first failure may still be shown: its button goes when the second attempt begins.
    tap_until(button(page, "Back to the Topics"), page.get_by_test_id("topic-travel").is_visible)
    expect(page.get_by_test_id("open-session")).to_have_count(0)


def test_a_missing_path_is_named_with_its_setting(learners, tutors):
    page = learners(tutors("pipeline", "--transcription", "missing").address)
    page.get_by_test_id("topic-travel").tap()
    failure = page.get_by_test_id("failed-start")
    expect(failure).to_contain_text("has no /audio/transcriptions (404)")
    expect(failure).to_contain_text("TALKCO_TRANSCRIPTION_URL")
    expect(failure).to_contain_text("--inference-path /v1/audio/transcriptions")


def test_a_recording_survives_a_failure_of_the_engine(learners, mouth, tutors):
    page = learners(tutors("realtime", "--realtime", "error").address)
    start_talk(page)
    say(page, mouth, "Anything.")
    expect(page.get_by_test_id("turn-problem")).to_contain_text(UNANSWERED)
    expect(turns(page)).to_have_text(["Your recording"])
    button(page, "Try Again").tap()
    expect_answers(page, 2)
    expect(turns(page)).to_have_count(1)
    expect(turns(page)).not_to_have_text("Your recording")
    expect(page.get_by_test_id("turn-problem")).to_have_count(0)
    end_talk(page)
    expect(page.get_by_test_id("segment-0")).to_be_visible()
    expect(page.get_by_test_id("segment-1")).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("fault", ["late", "unreadable"])
def test_a_disorderly_engine_is_understood(learners, mouth, tutors, fault):
    page = learners(tutors("realtime", "--realtime", fault).address)
    start_talk(page)
    say(page, mouth, "Anything.")
    expect(turns(page)).to_have_text([HEARD["realtime"]])
    expect_answers(page, 2)


def test_a_recording_that_is_not_understood_is_kept(learners, mouth, tutors):
    page = learners(tutors("pipeline", "--transcription", "unreadable").address)
    start_talk(page)
    say(page, mouth, "Anything.")
    expect(page.get_by_test_id("turn-problem")).to_contain_text(UNANSWERED)
    # Writing still works, and the recording waits.
    write(page, "I am agree with you.")
    expect_answers(page, 2)
    expect(turns(page)).to_have_text(["Your recording", "I am agree with you."])
    page.get_by_test_id("end-conversation").tap()
    expect(page.get_by_text("Your last words have no answer yet. They would not be reviewed.")).to_be_visible()
    button(page, "End Anyway").tap()
    expect(page.get_by_test_id("segment-0").get_by_test_id("badge-grammar")).to_be_visible()


def test_words_survive_a_tutor_that_does_not_answer(learners, mouth, tutors):
    page = learners(tutors("pipeline", "--chat", "broken").address)
    page.get_by_test_id("topic-travel").tap()
    # The built-in tutor answers, and the app says why.
    expect(problem(page)).to_contain_text("The built-in tutor answers until your model is back.")
    expect(problem(page)).to_contain_text("The connection to")
    say(page, mouth, "Anything.")
    expect_answers(page, 2)
    expect(turns(page)).to_have_text([HEARD["pipeline"]])
    expect(problem(page)).to_contain_text("broke off")


def test_a_tutor_without_a_voice_still_writes(learners, mouth, tutors):
    page = learners(tutors("pipeline", "--speech", "refused").address)
    start_talk(page)
    say(page, mouth, "Anything.")
    expect_answers(page, 2)
    expect(turns(page)).to_have_text([HEARD["pipeline"]])


@pytest.mark.soak
def test_a_silent_tutor_is_slow_and_then_given_up(learners, tutors):
    page = learners(tutors("realtime", "--realtime", "silent").address)
    start_talk(page)
    write(page, "I like tea.")
    expect(page.get_by_text("The answer takes longer than usual…")).to_be_visible()
    # The service waits for 30 seconds.
    expect(page.get_by_test_id("turn-problem")).to_contain_text(UNANSWERED, timeout=60_000)
    expect(turns(page)).to_have_text(["I like tea."])
