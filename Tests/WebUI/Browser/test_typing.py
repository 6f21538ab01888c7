"""What is typed belongs to the person who types."""

import pytest
from conftest import caret, put_caret, record, sent
from line import Line
from playwright.sync_api import expect


@pytest.fixture
def page(open_page):
    return open_page("TextField")


def field(page, name):
    return page.get_by_label(name, exact=True)


def compose(page, *steps):
    """Types with an input method: `steps` are what stands underlined, one after the other."""
    keyboard = page.context.new_cdp_session(page)
    for text in steps:
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def commit(page, text):
    page.context.new_cdp_session(page).send("Input.insertText", {"text": text})


def test_the_caret_stays_in_the_middle_while_one_types_fast(page):
    plain = field(page, "Plain")
    plain.press_sequentially("one three")
    put_caret(plain, 4)
    plain.press_sequentially("and then two and ")
    expect(page.get_by_test_id("plain")).to_have_text("one and then two and three")
    expect(plain).to_have_value("one and then two and three")
    assert caret(plain) == len("one and then two and ")


def test_the_caret_stays_in_the_middle_while_everything_around_changes(open_page):
    page = open_page("Streaming")
    draft = field(page, "Type while it grows")
    draft.press_sequentially("Hello world")
    page.get_by_role("button", name="Start", exact=True).tap()
    put_caret(draft, 5)
    draft.press_sequentially(", my dear", delay=30)
    expect(page.get_by_test_id("typed")).to_have_text("Typed: Hello, my dear world")
    assert caret(draft) == len("Hello, my dear")


def test_a_filter_takes_out_what_it_does_not_want_and_leaves_the_caret(page):
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


def test_what_the_app_adds_at_the_end_is_in_front_of_the_caret(open_page):
    page = open_page("Toolbar")
    note = field(page, "A field, for the bar above the keyboard")
    note.press_sequentially("sky")
    page.get_by_role("button", name="Insert a star", exact=True).tap()
    expect(note).to_have_value("sky★")
    page.keyboard.type("!")
    expect(note).to_have_value("sky★!")


def test_a_field_of_several_lines_grows_with_its_text_up_to_its_limit(page):
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


def test_what_is_pasted_is_cut_where_it_gets_too_long_for_a_message(page):
    field(page, "Multi-line").focus()
    page.keyboard.insert_text("가" * 100_000)
    expect(page.get_by_test_id("lines")).to_have_js_property("textContent", "가" * 80_000)
    page.get_by_role("button", name="Focus the plain field").tap()
    expect(page.get_by_test_id("focused")).to_have_text("yes")


@pytest.mark.parametrize("steps, word", [(["ㅎ", "하", "한"], "한"), (["n", "に", "にh", "にほ", "にほん", "日本"], "日本")])
def test_a_composition_is_one_input_when_it_ends(page, steps, word):
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


def test_a_composition_is_left_alone_while_everything_around_changes(open_page):
    page = open_page("Streaming")
    draft = field(page, "Type while it grows")
    draft.focus()
    page.get_by_role("button", name="Start", exact=True).tap()
    record(page)
    for steps, syllable in [(["ㅎ", "하", "한"], "한"), (["ㄱ", "그", "글"], "글")]:
        for step in steps:
            compose(page, step)
            page.wait_for_timeout(50)
        commit(page, syllable)
    expect(page.get_by_test_id("typed")).to_have_text("Typed: 한글")
    assert [frame["v"] for frame in sent(page, "input")] == ["한", "한글"]


def test_a_text_from_the_box_waits_for_the_end_of_a_composition(open_page, gallery):
    line = Line(gallery)
    page = open_page("TextField", line.address)
    line.delay = 0.2
    letters = field(page, "No digits")
    letters.press_sequentially("a1")
    compose(page, "ㅎ", "하", "한")
    expect(page.get_by_test_id("letters")).to_have_text("a")
    assert letters.input_value() == "a1한"
    commit(page, "한")
    expect(page.get_by_test_id("letters")).to_have_text("a한")
    expect(letters).to_have_value("a한")
    line.close()


def test_a_secure_field_hides_what_is_typed(page):
    secure = field(page, "Secure")
    secure.press_sequentially("hunter2")
    expect(page.get_by_test_id("secret")).to_have_text("7")
    expect(secure).to_have_attribute("type", "password")
    expect(page.get_by_text("hunter2")).to_have_count(0)


def test_a_disabled_field_takes_nothing(page):
    expect(field(page, "Disabled")).to_be_disabled()
    expect(field(page, "Disabled")).to_have_value("Cannot be changed")


def test_enter_submits_and_the_next_words_go_into_the_same_field(page):
    search = field(page, "Search")
    search.press_sequentially("first")
    search.press("Enter")
    page.keyboard.type("second")
    expect(page.get_by_test_id("submitted")).to_have_text("first")
    expect(search).to_have_value("second")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("submitted")).to_have_text("second")
    expect(search).to_have_value("")
    expect(search).to_be_focused()


def test_the_app_gives_the_focus_and_takes_it(page):
    plain = field(page, "Plain")
    page.get_by_role("button", name="Focus the plain field").tap()
    expect(plain).to_be_focused()
    expect(page.get_by_test_id("focused")).to_have_text("yes")
    page.keyboard.type("typed at once")
    expect(page.get_by_test_id("plain")).to_have_text("typed at once")
    page.get_by_role("button", name="End editing").tap()
    expect(plain).not_to_be_focused()
    expect(page.get_by_test_id("focused")).to_have_text("no")


def test_a_tap_on_a_button_leaves_the_focus_in_the_field(page):
    plain = field(page, "Plain")
    plain.press_sequentially("away with it")
    page.get_by_role("button", name="Clear the plain field").tap()
    expect(plain).to_have_value("")
    expect(plain).to_be_focused()


def test_the_app_learns_where_the_focus_is_and_leads_it_on(open_page):
    page = open_page("Focus")
    focused = page.get_by_test_id("focused")
    expect(focused).to_have_text("none")
    field(page, "Given name").tap()
    expect(focused).to_have_text("Given name")
    for name in ("Family name", "Town"):
        page.keyboard.press("Enter")
        expect(field(page, name)).to_be_focused()
        expect(focused).to_have_text(name)
    page.get_by_role("button", name="Previous").tap()
    expect(field(page, "Family name")).to_be_focused()
    page.get_by_role("button", name="None").tap()
    expect(focused).to_have_text("none")
    expect(field(page, "Family name")).not_to_be_focused()


def test_on_a_slow_line_the_focus_stays_where_one_went_last(open_page, gallery):
    line = Line(gallery)
    page = open_page("Focus", line.address)
    line.delay = 0.2
    field(page, "Given name").focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(field(page, "Town")).to_be_focused()
    expect(page.get_by_test_id("focused")).to_have_text("Town")
    page.wait_for_timeout(600)
    expect(field(page, "Town")).to_be_focused()
    line.close()
