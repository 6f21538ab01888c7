"""What a learner comes back for: a talk that goes on later, own mistakes, the own voice, words in Chinese."""

import pytest
from conftest import Box, button, settle
from learner import (  # noqa: F401
    choices, end_review, end_talk, expect_answers, expect_voice, learners, mouth, open_app, say, show, start_talk,
    talking_browser, write)
from playwright.sync_api import expect
from test_talkco_look import MISTAKES, SMALL, Screens

SIZE = {"viewport": {"width": SMALL[0], "height": SMALL[1]}, "contrast": "more"}


def test_a_talk_goes_on_later_and_its_mistake_comes_back(open_app, box):
    page = open_app(box.address, **SIZE)
    screens = Screens(page, SMALL)
    start_talk(page)
    write(page, MISTAKES[0])
    expect_answers(page, 2)
    # The way back asks, and leaves the talk as it is.
    page.go_back()
    later = button(page, "Go On Later")
    expect(later).to_be_visible()
    screens.check("leave")
    later.tap()
    expect(page.get_by_test_id("open-session")).to_be_visible()
    page.get_by_test_id("open-session").tap()
    expect_answers(page, 2)
    page.get_by_test_id("pause").tap()
    page.get_by_test_id("open-session").tap()
    end_talk(page)
    end_review(page)
    page.get_by_test_id("done").tap()

    # One mistake is enough for a practice, which begins with it.
    expect(page.get_by_test_id("practice")).to_be_visible()
    start_talk(page)
    write(page, "It was a nice trip.")
    expect_answers(page, 2)
    end_talk(page)
    end_review(page)
    page.get_by_test_id("done").tap()
    show(page, "Me")
    expect(page.get_by_test_id("waiting")).to_be_visible()
    expect(page.get_by_test_id("trends")).to_be_visible()
    screens.check("learner")
    page.get_by_test_id("language").scroll_into_view_if_needed()
    screens.check("settings")
    page.get_by_test_id("practise-weak-points").tap()
    expect_answers(page, 1)
    expect(page.get_by_test_id("message-tutor")).to_contain_text(MISTAKES[0])
    write(page, MISTAKES[0].replace("go", "went"))
    expect_answers(page, 2)
    page.get_by_test_id("end-conversation").tap()
    expect(page.get_by_test_id("topic-travel")).to_be_visible()


def test_the_apps_language_is_chosen(open_app, box):
    page = open_app(box.address, locale="ko-KR", **SIZE)
    show(page, "Me")
    page.get_by_test_id("language").tap()
    page.get_by_text("繁體中文", exact=True).last.tap()
    expect(page.locator(".tabbar").get_by_text("我的", exact=True)).to_be_visible()
    settle(page)
    Screens(page, SMALL).check("language")
    page.reload()
    expect(page.locator(".tabbar").get_by_text("練習", exact=True)).to_be_visible()


def test_learners_hear_themselves(learners, mouth, box):
    page = learners(box.address, **SIZE)
    show(page, "Me")
    page.get_by_test_id("keep-recordings").tap()
    show(page, "Practice")
    start_talk(page)
    say(page, mouth, min(choices(page), key=len))
    expect_answers(page, 2)
    end_talk(page)
    page.get_by_test_id("toggle-0").tap()
    Screens(page, SMALL).check("own-voice")
    button(page, "Hear yourself").tap()
    expect_voice(page)


@pytest.fixture
def box_with_words(tmp_path):
    """A box with a dictionary of one word."""
    (tmp_path / "words").write_text("旅行 旅行 [lu:3 xing2] /to travel/journey/\n", encoding="utf-8")
    box = Box(tmp_path / "data")
    box.command = ["env", f"TALKCO_DICTIONARY={tmp_path / 'words'}", *box.command]
    box.start()
    yield box
    box.stop()


def test_words_of_the_tutor_are_explained(open_app, box_with_words):
    page = open_app(box_with_words.address, **SIZE)
    start_talk(page)
    expect(button(page, "Translate")).to_have_count(0)
    button(page, "Words").tap()
    button(page, "travel").tap()
    expect(page.get_by_test_id("meaning")).to_contain_text("旅行")
    Screens(page, SMALL).check("words")
    button(page, "Done").tap()
    expect(page.get_by_test_id("meaning")).to_have_count(0)
