"""The screens of LocalLLM: with a keyboard, while answers stream, on phones and tablets, for everybody."""

import re

import pytest
from audit import CONTRAST, audit, small_targets, unreached, walk
from conftest import ROOT, broken_words, button, field, screenshot, settle, soak
from model_host import (  # noqa: F401
    answers, expect_problem, host, hosts, ollama, open_app, open_chat, send, server_id, stage)
from playwright.sync_api import Locator, Page, expect

SMALL, LARGE, SIDEWAYS, TABLET = (375, 667), (393, 852), (667, 375), (820, 1180)
# The heights of an iPhone's keyboard, in points.
KEYBOARD = {SMALL: 260, LARGE: 336, SIDEWAYS: 200}
# A phone's screen stays as it is while its keyboard makes the page smaller.
FIX_SCREEN = "for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })"

SHORT = "It is a llama."
LONG = "\n\n".join(f"Paragraph {number} of a long answer, which has more than one line on the screen of a phone." for number in range(30))
ANSWER = """# Sorting words

Python’s `sorted` returns a **new** list, and `list.sort` sorts *in place*. Both take a key:

1. `sorted(words, key=len)` begins with the shortest.
2. `sorted(words, key=str.lower)` ignores case.

> A stable sort keeps the order of equal elements.

```python
def by_length(words: list[str]) -> list[str]:
    # Longest first; equal lengths keep their order.
    return sorted(words, key=len, reverse=True)
```

| Method | Returns | Time |
|:--|:--|--:|
| `sorted` | a new list | n log n |
| `list.sort` | nothing | n log n |

- [x] See [the guide](https://docs.python.org/3/howto/sorting.html)
- [ ] Try it
"""


def resize(page: Page, size: tuple[int, int], keyboard: bool = False):
    """Sets the size of the phone's screen, less what a keyboard takes of it."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height - (KEYBOARD[size] if keyboard else 0)})
    settle(page)


def transcript(page: Page) -> Locator:
    return page.locator(".scroll", has=answers(page).first).first


def rest(page: Page) -> float:
    """The height of the transcript below the screen."""
    return transcript(page).evaluate("el => el.scrollHeight - el.clientHeight - el.scrollTop")


# The keyboard


@pytest.mark.parametrize("text", [SHORT, LONG], ids=["short", "long"])
def test_a_keyboard_hides_neither_the_field_nor_the_end_of_the_answer(open_chat, ollama, text):
    page = open_chat(viewport={"width": SMALL[0], "height": SMALL[1]})
    page.evaluate(FIX_SCREEN)
    send(page, "What is this?")
    answer = ollama.answer()
    answer.end(text)
    copy = button(page, "Copy")
    expect(copy).to_be_in_viewport(ratio=1)
    for size in (SMALL, LARGE, SIDEWAYS):
        resize(page, size)
        field(page, "Message").tap()
        resize(page, size, keyboard=True)
        for control in (field(page, "Message"), button(page, "Send"), button(page, "Disconnect")):
            expect(control).to_be_in_viewport(ratio=1)
        # On its side the phone has hardly more room than that.
        expect(copy).to_be_in_viewport(ratio=0.9)
        screenshot(page, f"localllm-keyboard-{'short' if text == SHORT else 'long'}-{size[0]}")
        # An answer streams above the keyboard as well.
        send(page, f"And at {size[0]}?")
        answer = ollama.answer()
        answer.say(text)
        expect(button(page, "Stop")).to_be_in_viewport(ratio=1)
        end = answers(page).last.get_by_text(text.split("\n\n")[-1], exact=True)
        expect(end).to_be_in_viewport(ratio=0.3 if size == SIDEWAYS else 1)
        answer.end("")
        copy = button(answers(page).last, "Copy")
        expect(copy).to_be_in_viewport(ratio=0.9)
        field(page, "Message").blur()
        resize(page, size)
        expect(copy).to_be_in_viewport(ratio=1)


def test_a_place_in_a_long_answer_stays_when_the_keyboard_comes_and_goes(open_chat, ollama):
    page = open_chat(viewport={"width": LARGE[0], "height": LARGE[1]})
    page.evaluate(FIX_SCREEN)
    send(page, "What is this?")
    ollama.answer().end(LONG)
    expect(button(page, "Copy")).to_be_in_viewport()
    place = page.get_by_text("Paragraph 10 of")
    place.evaluate("el => el.scrollIntoView({ block: 'start' })")
    for keyboard in (True, False, True):
        field(page, "Message").tap() if keyboard else field(page, "Message").blur()
        resize(page, LARGE, keyboard)
        expect(place).to_be_in_viewport()
        expect(field(page, "Message")).to_be_in_viewport(ratio=1)
    # A draft of many lines leaves room for the answer.
    field(page, "Message").fill("\n".join("draft" for _ in range(20)))
    settle(page)
    assert transcript(page).bounding_box()["height"] > 150
    expect(button(page, "Send")).to_be_in_viewport(ratio=1)


def test_a_reader_who_scrolls_back_stays_there_while_the_answer_streams(open_chat, ollama):
    page = open_chat()
    send(page, "What is this?")
    answer = ollama.answer()
    paragraphs = LONG.split("\n\n")

    def say(number: int):
        answer.say(paragraphs[number] + "\n\n")
        expect(answers(page).get_by_text(paragraphs[number], exact=True)).to_be_attached()
        settle(page)

    for number in range(20):
        say(number)
    assert rest(page) < 40
    transcript(page).evaluate("el => el.scrollTo(0, 200)")
    place = page.get_by_text("Paragraph 4 of")
    settle(page)
    before = place.bounding_box()
    for number in range(20, 25):
        say(number)
    assert place.bounding_box() == before
    # At the end the transcript follows again.
    transcript(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    settle(page)
    for number in range(25, 30):
        say(number)
    assert rest(page) < 40
    answer.end("")
    expect(button(page, "Copy")).to_be_in_viewport(ratio=1)
    # A prompt is shown wherever its writer has read before, and so is its answer.
    transcript(page).evaluate("el => el.scrollTo(0, 0)")
    send(page, "And now?")
    expect(page.get_by_text("And now?", exact=True)).to_be_in_viewport(ratio=1)
    ollama.answer().end(LONG)
    expect(button(page, "Copy").last).to_be_in_viewport(ratio=1)


# Looks


def test_markdown_appears_while_it_streams(open_chat, ollama):
    page = open_chat()
    send(page, "How do I sort a list of words by length?")
    answer = ollama.answer()
    code = ANSWER.index("    return")
    answer.say(ANSWER[:9])
    expect(page.get_by_role("heading", name="Sorting", exact=True)).to_be_visible()
    answer.say(ANSWER[9:code])
    expect(page.get_by_role("heading", name="Sorting words", exact=True)).to_be_visible()
    expect(page.get_by_text("A stable sort keeps the order of equal elements.", exact=True)).to_be_visible()
    # The code is there before its end, and can be copied after it.
    expect(page.get_by_text(re.compile("^def by_length"))).to_be_visible()
    expect(button(page, "Copy Code")).to_have_count(0)
    answer.end(ANSWER[code:])
    expect(button(page, "Copy Code")).to_be_visible()
    expect(page.get_by_text("a new list", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="the guide")).to_have_attribute("href", "https://docs.python.org/3/howto/sorting.html")
    expect(button(page, "Copy")).to_be_in_viewport(ratio=1)
    screenshot(page, "localllm-chat")


class Screens:
    """The screens of a phone of one size and language, each of which passes the audit and fits."""

    def __init__(self, page: Page, size: tuple[int, int], language: str):
        self.page, self.size, self.language = page, size, language
        # A tablet differs in its width only.
        self.audits = size != TABLET
        folders = [ROOT / "Sources" / folder / f"{language}.lproj" for folder in ("Kits/ViewKit", "LocalLLM/App")]
        tables = "\n".join((folder / "Localizable.strings").read_text() for folder in folders)
        self.words = dict(re.findall(r'^"(.+)" = "(.+)";$', tables, re.MULTILINE))

    def __call__(self, key: str) -> str:
        return self.words[key]

    def tap(self, key: str):
        button(self.page, self(key)).last.tap()

    def check(self, name: str):
        assert not self.audits or not audit(self.page), name
        assert not small_targets(self.page), name
        assert not broken_words(self.page), name
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.size[0], name
        screenshot(self.page, f"localllm-{name}-{self.size[0]}-{self.language}")
        if self.audits:
            self.page.emulate_media(color_scheme="dark")
            # Only contrast can differ, and no Swift test computes that of this app.
            assert not audit(self.page, CONTRAST), name
            screenshot(self.page, f"localllm-{name}-{self.size[0]}-{self.language}-dark")
            self.page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("size, language", [(SMALL, "en"), soak(LARGE, "ko"), soak(TABLET, "en")])
def test_every_screen_passes_the_audit_and_fits(open_app, host, ollama, size, language):
    locale = {"en": "en-US", "ko": "ko-KR"}[language]
    page = open_app(viewport={"width": size[0], "height": size[1]}, locale=locale)
    screens = Screens(page, size, language)
    screens.check("connect")
    field(page, screens("Server ID")).fill("nonsense")
    places = walk(page)
    assert not unreached(page)
    # Down the screen, and from its end to its title.
    assert len([place for place, later in zip(places, places[1:]) if later["top"] < place["top"]]) <= 1, places
    screens.tap("Connect")
    expect_problem(page, "INVALID_SERVER_ID")
    screens.check("error")
    field(page, screens("Server ID")).fill(host.id)
    screens.tap("Connect")
    message = field(page, screens("Message"))
    expect(message).to_be_visible()
    screens.check("empty")

    ollama.unload()
    message.fill("How do I sort a list of words in Python?")
    screens.tap("Send")
    expect(page.get_by_text(screens("Loading the model"), exact=True)).to_be_visible()
    screens.check("loading")
    ollama.may_load.set()
    answer = ollama.answer()
    answer.say(ANSWER[:ANSWER.index("    return")])
    expect(page.get_by_text("def by_length")).to_be_visible()
    screens.check("streaming")
    answer.end(ANSWER[ANSWER.index("    return"):])
    expect(button(page, screens("Copy"))).to_be_in_viewport(ratio=1)
    screens.check("chat")
    if size == TABLET:
        return
    walk(page)
    assert not unreached(page)

    message.fill("Once more")
    screens.tap("Send")
    answer = ollama.answer()
    answer.say("The first piece")
    expect(page.get_by_text("The first piece", exact=True)).to_be_visible()
    screens.tap("Stop")
    expect(page.get_by_text(screens("Stopped"), exact=True)).to_be_visible()
    message.fill("Again")
    screens.tap("Send")
    ollama.answer().die()
    expect_problem(page, "GENERATION_FAILED")
    screens.check("failed")

    for _ in range(7):
        page.get_by_test_id("title").tap()
    expect(page.get_by_text(screens("Debug Log"), exact=True)).to_be_visible()
    screens.check("debug")
    screens.tap("Done")
    expect(page.locator("dialog")).to_have_count(0)
    screens.tap("Clear")
    expect(page.get_by_text(screens("Clear the transcript?"))).to_be_visible()
    screenshot(page, f"localllm-clear-{size[0]}-{language}")
    screens.tap("Clear Transcript")
    expect(page.get_by_text(screens("Ask a question"))).to_be_visible()
    screens.tap("Disconnect")
    expect(page.get_by_text(screens("Saved hosts"))).to_be_visible()
    screens.check("saved")
