"""The screens of TalkCo: for everybody, in the light and in the dark, with a keyboard, on a phone on its side, in Traditional Chinese."""

import pytest
from audit import audit_both_schemes, small_targets, unreached, walk
from conftest import button, screenshot, settle, soak
from learner import (  # noqa: F401
    answers, end_review, end_talk, expect_answers, learners, mouth, open_app, say, show, start_talk, talking_browser, tutors, write)
from playwright.sync_api import Page, expect

SMALL, LARGE, SIDEWAYS = (375, 667), (393, 852), (852, 393)
# The heights of an iPhone's keyboard, in points.
KEYBOARD = {SMALL: 260, LARGE: 336, SIDEWAYS: 200}

# Three mistakes of one kind, which are worth a practice.
MISTAKES = [
    "Yesterday I go to the market with my family.", "Last week I eat noodles in a small restaurant.",
    "Last year I buy a new bicycle for my sister."]


def resize(page: Page, size: tuple[int, int], keyboard: bool = False):
    """Sets the size of the phone's screen, less what a keyboard takes of it."""
    page.set_viewport_size({"width": size[0], "height": size[1] - (KEYBOARD[size] if keyboard else 0)})
    settle(page)


class Screens:
    """The screens of one phone. Each is audited, and pictures are taken of it in the light and in the dark."""

    def __init__(self, page: Page, size: tuple[int, int]):
        self.page, self.size = page, size

    def check(self, name: str):
        assert not audit_both_schemes(self.page), name
        assert not small_targets(self.page), name
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            screenshot(self.page, f"talkco-{name}-{self.size[0]}-{scheme}")


@pytest.mark.parametrize("size", [SMALL, soak(LARGE), soak(SIDEWAYS)], ids=["small", "large", "sideways"])
def test_every_screen_passes_the_audit(open_app, box, size):
    # Apple's own colours, such as those of tabs, have enough contrast only for users who ask for it.
    page = open_app(box.address, viewport={"width": size[0], "height": size[1]}, contrast="more")
    screens = Screens(page, size)
    expect(page.get_by_test_id("engine")).to_be_visible()
    screens.check("first")
    walk(page)
    assert not unreached(page)
    show(page, "Me")
    expect(page.get_by_test_id("level-card")).to_be_visible()
    screens.check("new-profile")
    show(page, "Practice")

    start_talk(page)
    expect(page.locator(".tabbar")).not_to_be_visible()
    screens.check("greeting")
    for count, mistake in enumerate(MISTAKES, 2):
        write(page, mistake)
        expect_answers(page, count)
    expect(answers(page).last).to_be_in_viewport()
    screens.check("talk")
    walk(page)
    assert not unreached(page)
    draft = page.get_by_test_id("draft")
    draft.tap()
    resize(page, size, keyboard=True)
    for control in (draft, button(page, "Send"), answers(page).last):
        expect(control).to_be_in_viewport(ratio=0.9)
    screens.check("talk-keyboard")
    draft.blur()
    resize(page, size)

    end_talk(page)
    card = page.get_by_test_id("segment-0")
    expect(card.get_by_test_id("badge-grammar")).to_be_visible()
    screens.check("segments")
    page.get_by_test_id("toggle-0").tap()
    screens.check("card")
    walk(page)
    assert not unreached(page)
    question = page.get_by_test_id("question-field")
    question.tap()
    resize(page, size, keyboard=True)
    for control in (question, button(page, "Ask")):
        expect(control).to_be_in_viewport(ratio=0.9)
    screens.check("card-keyboard")
    question.fill("Why?")
    button(page, "Ask").tap()
    question.blur()
    resize(page, size)
    expect(card.get_by_test_id("correction")).to_be_visible()
    end_review(page)
    screens.check("summary")
    page.get_by_test_id("done").tap()

    # The mistakes were three of a kind: there is something to practise.
    expect(page.get_by_test_id("practice")).to_be_visible()
    screens.check("topics")
    show(page, "Me")
    practise = page.get_by_test_id("practise-weak-points")
    expect(practise).to_be_visible()
    screens.check("profile")
    page.get_by_test_id("quick-review-0").tap()
    page.get_by_test_id("goal").fill("Talk with colleagues")
    expect(page.get_by_test_id("save-goal")).to_be_visible()
    screens.check("profile-end")
    practise.tap()
    expect_answers(page, 1)
    screens.check("practice")
    page.get_by_test_id("end-conversation").tap()
    expect(page.get_by_test_id("topic-travel")).to_be_visible()


def test_every_trouble_passes_the_audit(learners, mouth, tutors):
    options = {"viewport": {"width": SMALL[0], "height": SMALL[1]}, "contrast": "more"}
    page = learners(tutors("realtime", key="wrong").address, **options)
    page.get_by_test_id("topic-travel").tap()
    expect(page.get_by_test_id("failed-start")).to_be_visible()
    Screens(page, SMALL).check("failed-start")

    box = tutors("realtime", "--realtime", "busy")
    page = learners(box.address, **options)
    start_talk(page)
    say(page, mouth, "Anything.", meanwhile=lambda: Screens(page, SMALL).check("recording"))
    expect(page.get_by_test_id("turn-problem")).to_be_visible()
    Screens(page, SMALL).check("unanswered")
    page.get_by_test_id("end-conversation").tap()
    expect(button(page, "Keep Talking")).to_be_visible()
    Screens(page, SMALL).check("end")

    page = learners(box.address, allowed=False, **options)
    start_talk(page)
    page.get_by_test_id("talk").tap()
    expect(page.get_by_test_id("problem")).to_be_visible()
    Screens(page, SMALL).check("no-microphone")


def test_the_last_answer_stays_in_sight_when_the_phone_turns(open_app, box):
    page = open_app(box.address, viewport={"width": SMALL[0], "height": SMALL[1]})
    start_talk(page)
    for count, mistake in enumerate(MISTAKES[:2], 2):
        write(page, mistake)
        expect_answers(page, count)
    for size in (SIDEWAYS, SMALL):
        resize(page, size)
        expect(answers(page).last).to_be_in_viewport(ratio=0.9)


def test_a_learner_of_taiwan_reads_chinese(open_app, box):
    page = open_app(box.address, locale="zh-TW")
    for words in ("練習", "日常生活", "旅遊", "職場", "美食", "娛樂", "時事"):
        expect(page.locator(".page:not(.covered)").get_by_text(words, exact=True).first).to_be_visible()
    start_talk(page)
    expect(page.get_by_test_id("end-conversation")).to_have_text("結束對話")
    page.get_by_test_id("draft").fill(MISTAKES[0])
    button(page, "傳送").tap()
    expect_answers(page, 2)
    end_talk(page)
    expect(page.get_by_test_id("end-review")).to_have_text("結束學習")
    expect(page.get_by_test_id("badge-grammar")).to_have_text("文法")
    end_review(page)
    expect(page.get_by_test_id("done")).to_have_text("完成")
    page.get_by_test_id("done").tap()
    show(page, "我的")
    expect(page.get_by_test_id("sessions")).to_have_text("1 次對話")
    for words in ("文法", "自然度", "詞彙", "句構"):
        expect(page.get_by_test_id("dimensions").get_by_text(words, exact=True)).to_be_visible()
