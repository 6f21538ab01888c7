"""Keyboard shortcuts."""

import pytest
from conftest import button, record, sent
from playwright.sync_api import expect


WATCH_CLASSES = """() => {
    window.looks = []
    const look = ({ target }) => window.looks.push([target.textContent, target.classList.contains('pressed')])
    new MutationObserver(changes => changes.forEach(look)).observe(document, { subtree: true, attributeFilter: ['class'] })
}"""


@pytest.fixture
def keys(open_page):
    return open_page("Keyboard shortcuts")


def press(page, *names):
    for name in names:
        page.keyboard.press(name)


def test_a_key_taps_the_control_that_has_it_and_shows_it(keys):
    keys.evaluate(WATCH_CLASSES)
    press(keys, "2")
    expect(keys.get_by_test_id("typed")).to_have_text("2")
    expect(button(keys, "2")).not_to_contain_class("pressed")
    assert keys.evaluate("looks") == [["2", True], ["2", False]]
    # The character counts, not the key that makes it.
    press(keys, "0", "7", "Shift+Digit8", "#", "Backspace", "Enter")
    expect(keys.get_by_test_id("sent")).to_have_text("207*")
    press(keys, "Escape")
    expect(keys.get_by_test_id("typed")).to_have_text("")


def test_only_enabled_visible_controls_take_keys(keys):
    record(keys)
    press(keys, "n", "q", "Control+2", "Shift+Enter")
    assert not sent(keys, "tap"), "one is disabled, the others belong to nothing"
    keys.locator(".page:not(.covered) .back").tap()
    expect(keys.get_by_test_id("typed")).to_have_count(0)
    taps = len(sent(keys, "tap"))
    press(keys, "2", "Backspace")
    assert len(sent(keys, "tap")) == taps


def test_in_a_field_only_keys_that_type_nothing_count(keys):
    press(keys, "1")
    field = keys.get_by_role("textbox")
    field.tap()
    press(keys, "2", "Enter", "Backspace", "ArrowRight", "Shift+S", "3")
    expect(field).to_have_value("S3")
    expect(keys.get_by_test_id("typed")).to_have_text("1")
    press(keys, "Control+m")
    expect(keys.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(field).to_be_focused()
    press(keys, "Escape")
    expect(keys.get_by_test_id("typed")).to_have_text("")
    expect(keys.get_by_test_id("keyPlace")).to_have_text("0")


@pytest.mark.parametrize("mark", [{"isComposing": True}, {"keyCode": 229}], ids=["composing", "Safari"])
def test_keys_of_an_input_method_are_not_the_apps(keys, mark):
    press(keys, "1")
    field = keys.get_by_role("textbox")
    field.focus()
    field.evaluate(
        "(el, mark) => el.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, ...mark }))", mark)
    press(keys, "Control+m")
    expect(keys.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(keys.get_by_test_id("typed")).to_have_text("1")


def test_a_button_keeps_its_own_keys_unless_a_finger_left_the_focus_there(keys):
    button(keys, "5").focus()
    press(keys, "Enter", " ")
    expect(keys.get_by_test_id("typed")).to_have_text("55")
    expect(keys.get_by_test_id("sent")).to_have_text("nothing")
    press(keys, "6")
    button(keys, "7").tap()
    expect(keys.get_by_test_id("typed")).to_have_text("5567")
    press(keys, "Enter")
    expect(keys.get_by_test_id("sent")).to_have_text("5567")
    expect(keys.get_by_test_id("typed")).to_have_text("5567")


def test_a_sheet_takes_the_keys_with_its_own_escape(keys):
    press(keys, "Shift+S")
    sheet = keys.locator("dialog[open]")
    expect(sheet).to_be_visible()
    press(keys, "2", "Escape")
    expect(keys.locator("dialog")).to_have_count(0)
    expect(keys.get_by_test_id("sent")).to_have_text("cancelled")
    expect(keys.get_by_test_id("typed")).to_have_text("")
    press(keys, "Shift+S")
    expect(sheet).to_be_visible()
    press(keys, "Enter")
    expect(keys.get_by_test_id("sent")).to_have_text("from the sheet")


def test_held_arrows_repeat_and_other_keys_do_not(keys):
    record(keys)
    for key in ("ArrowRight", "2"):
        for _ in range(4):
            keys.keyboard.down(key)
        keys.keyboard.up(key)
    expect(keys.get_by_test_id("typed")).to_have_text("2")
    expect(keys.get_by_test_id("keyPlace")).to_have_text("4")


def test_another_alphabet_has_the_same_letters(keys):
    press(keys, "1")
    send = "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, ctrlKey: true, bubbles: true }))"
    keys.evaluate(send, ["ㅡ", "KeyM"])
    expect(keys.get_by_role("switch")).to_have_attribute("aria-checked", "true")


@pytest.mark.parametrize(("platform", "modifier"), [("MacIntel", "Meta"), ("Win32", "Control")])
def test_command_is_control_where_there_is_no_command_key(phones, gallery, platform, modifier):
    page = phones()
    page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'platform', {{ get: () => '{platform}' }})")
    page.goto(gallery)
    button(page, "Keyboard shortcuts").tap()
    switch = page.get_by_role("switch")
    expect(switch).to_have_attribute("aria-keyshortcuts", f"{modifier}+m")
    press(page, f"{modifier}+m")
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(button(page, "Clear")).to_have_attribute("aria-keyshortcuts", "Escape")


def test_unclaimed_letters_go_into_the_only_field(keys):
    field = keys.get_by_role("textbox")
    press(keys, "2", "Shift+W", "o", "2")
    expect(field).to_be_focused()
    expect(field).to_have_value("Wo2")
    expect(keys.get_by_test_id("typed")).to_have_text("2")


def test_unclaimed_letters_go_into_none_of_several_fields(open_page):
    page = open_page("TextField")
    press(page, "x")
    page.get_by_role("textbox").first.focus()
    press(page, "y")
    expect(page.get_by_role("textbox").first).to_have_value("y")
