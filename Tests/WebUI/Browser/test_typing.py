"""Typed text belongs to the person who types.

What the page makes of the server's texts is tested without a browser, in Tests/WebUI/Page/fields.test.mjs.
"""

import pytest
from conftest import button, caret, field, put_caret, record, sent
from playwright.sync_api import expect


@pytest.fixture
def page(open_page):
    return open_page("TextField")


def compose(page, *steps):
    """Types with an input method: `steps` are the underlined texts, one after the other."""
    keyboard = page.context.new_cdp_session(page)
    for text in steps:
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def commit(page, text):
    """Ends a composition."""
    page.context.new_cdp_session(page).send("Input.insertText", {"text": text})


def test_the_caret_stays_while_one_types_fast(page):
    plain = field(page, "Plain")
    plain.press_sequentially("one three")
    put_caret(plain, 4)
    plain.press_sequentially("and then two and ")
    expect(page.get_by_test_id("plain")).to_have_text("one and then two and three")
    expect(plain).to_have_value("one and then two and three")
    assert caret(plain) == len("one and then two and ")


def test_the_caret_stays_while_everything_around_changes(open_page):
    page = open_page("Streaming")
    draft = field(page, "Type while it grows")
    draft.press_sequentially("Hello world")
    button(page, "Start").tap()
    put_caret(draft, 5)
    draft.press_sequentially(", my dear", delay=30)
    expect(page.get_by_test_id("typed")).to_have_text("Typed: Hello, my dear world")
    assert caret(draft) == len("Hello, my dear")


def test_a_filter_removes_characters_and_leaves_the_caret(page):
    letters = field(page, "No digits")
    letters.press_sequentially("ab1cd2")
    expect(letters).to_have_value("abcd")
    put_caret(letters, 2)
    letters.press("7")
    expect(letters).to_have_value("abcd")
    assert caret(letters) == 2
    letters.press_sequentially("x8y")
    expect(letters).to_have_value("abxycd")
    expect(page.get_by_test_id("letters")).to_have_text("abxycd")
    assert caret(letters) == 4


def test_a_field_of_several_lines_grows_up_to_its_limit(page):
    lines = field(page, "Multi-line")
    heights = [lines.bounding_box()["height"]]
    for number in range(1, 8):
        lines.press_sequentially(f"{number}\n")
        heights.append(lines.bounding_box()["height"])
    line = heights[2] - heights[1]
    assert line > 15
    assert heights[0] == heights[1], "two lines from the start"
    assert heights[4] == pytest.approx(heights[0] + 3 * line), "five lines"
    assert heights[4:] == [heights[4]] * 4, "no more than five"
    expect(page.get_by_test_id("lines")).to_have_text("1 2 3 4 5 6 7 ")


def test_pasted_text_is_cut_at_the_length_of_a_message(page):
    field(page, "Multi-line").focus()
    page.keyboard.insert_text("가" * 100_000)
    expect(page.get_by_test_id("lines")).to_have_js_property("textContent", "가" * 80_000)
    button(page, "Focus the plain field").tap()
    expect(page.get_by_test_id("focused")).to_have_text("yes")


@pytest.mark.parametrize("steps, word", [(["ㅎ", "하", "한"], "한"), (["n", "に", "にh", "にほ", "にほん", "日本"], "日本")])
def test_a_composition_is_one_input(page, steps, word):
    plain = field(page, "Plain")
    plain.press_sequentially("ab")
    expect(page.get_by_test_id("plain")).to_have_text("ab")
    put_caret(plain, 1)
    record(page)
    compose(page, *steps)
    assert plain.input_value() == f"a{steps[-1]}b"
    assert not sent(page, "input")
    commit(page, word)
    expect(page.get_by_test_id("plain")).to_have_text(f"a{word}b")
    assert [frame["v"] for frame in sent(page, "input")] == [f"a{word}b"]
    assert caret(plain) == 1 + len(word)


def test_a_composition_survives_changes_around_it(open_page):
    page = open_page("Streaming")
    draft = field(page, "Type while it grows")
    draft.focus()
    button(page, "Start").tap()
    record(page)
    for steps, syllable in [(["ㅎ", "하", "한"], "한"), (["ㄱ", "그", "글"], "글")]:
        for step in steps:
            compose(page, step)
            count = page.get_by_test_id("updates").inner_text()
            expect(page.get_by_test_id("updates")).not_to_have_text(count)
        commit(page, syllable)
    expect(page.get_by_test_id("typed")).to_have_text("Typed: 한글")
    assert [frame["v"] for frame in sent(page, "input")] == ["한", "한글"]


def test_the_app_gives_and_takes_the_focus(page):
    plain = field(page, "Plain")
    button(page, "Focus the plain field").tap()
    expect(plain).to_be_focused()
    expect(page.get_by_test_id("focused")).to_have_text("yes")
    page.keyboard.type("typed at once")
    expect(page.get_by_test_id("plain")).to_have_text("typed at once")
    button(page, "End editing").tap()
    expect(plain).not_to_be_focused()
    expect(page.get_by_test_id("focused")).to_have_text("no")


def test_a_tap_on_a_button_leaves_the_focus_in_the_field(page):
    plain = field(page, "Plain")
    plain.press_sequentially("away with it")
    button(page, "Clear the plain field").tap()
    expect(plain).to_have_value("")
    expect(plain).to_be_focused()


def test_the_app_follows_the_focus_and_moves_it(open_page):
    page = open_page("Focus")
    focused = page.get_by_test_id("focused")
    expect(focused).to_have_text("none")
    field(page, "Given name").tap()
    expect(focused).to_have_text("Given name")
    for name in ("Family name", "Town"):
        page.keyboard.press("Enter")
        expect(field(page, name)).to_be_focused()
        expect(focused).to_have_text(name)
    button(page, "Previous").tap()
    expect(field(page, "Family name")).to_be_focused()
    button(page, "None").tap()
    expect(focused).to_have_text("none")
    expect(field(page, "Family name")).not_to_be_focused()
