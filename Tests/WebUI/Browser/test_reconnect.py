"""A page whose line to the box is cut, slow, or leads to another program than before."""

import json
import re
import signal

import pytest
from conftest import Program, caret, heading, put_caret, put_in_background, record, screenshot, sent, visit
from line import Line
from playwright.sync_api import expect


@pytest.fixture
def line(gallery):
    line = Line(gallery)
    yield line
    line.close()


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def pill(page):
    return page.locator("#pill")


def cut(line, page):
    """Cuts the line until the page has said that it is."""
    line.cut()
    expect(pill(page)).to_have_text("Reconnecting…")


def mend(line, page):
    """Mends the line, which the browser tells the page."""
    line.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(pill(page)).to_have_text("")


def test_the_page_speaks_the_language_of_the_phone(line, phones):
    page = phones(line.address, locale="ko-KR")
    visit(page, "Refreshable")
    expect(page.get_by_role("button", name="뒤로", exact=True)).to_be_visible()
    expect(page.locator("button.refresh")).to_have_text("새로 고침")
    line.cut()
    expect(pill(page)).to_have_text("다시 연결하는 중…")
    line.mend()


def wait_for_losses(line, page):
    while not line.losses:
        page.wait_for_timeout(10)


def test_a_cut_while_one_types_takes_nothing_away(line, open_page):
    page = open_page("TextField", line.address)
    plain = page.get_by_label("Plain", exact=True)
    plain.press_sequentially("Hello world")
    put_caret(plain, 5)
    line.cut()
    plain.press_sequentially(" beautiful")
    expect(pill(page)).to_have_text("Reconnecting…")
    plain.press_sequentially(" new")
    mend(line, page)
    expect(page.get_by_test_id("plain")).to_have_text("Hello beautiful new world")
    expect(plain).to_have_value("Hello beautiful new world")
    expect(plain).to_be_focused()
    assert caret(plain) == len("Hello beautiful new")


def test_a_text_that_the_box_had_without_saying_so_does_not_come_back(line, open_page):
    page = open_page("TextField", line.address)
    plain = page.get_by_label("Plain", exact=True)
    plain.press_sequentially("Hello")
    expect(page.get_by_test_id("plain")).to_have_text("Hello")
    line.loses_answers = True
    plain.press_sequentially(" world")
    wait_for_losses(line, page)
    put_caret(plain, 5)
    cut(line, page)
    plain.press_sequentially(" beautiful")
    mend(line, page)
    expect(page.get_by_test_id("plain")).to_have_text("Hello beautiful world")
    expect(plain).to_have_value("Hello beautiful world")


def test_the_newest_text_of_every_field_arrives_after_a_cut(line, open_page):
    page = open_page("Form", line.address)
    cut(line, page)
    page.get_by_label("Name", exact=True).press_sequentially("Ada")
    mend(line, page)
    expect(page.get_by_test_id("initial")).to_have_text("A")
    expect(button(page, "Save")).to_be_enabled()


def test_a_cut_leaves_the_page_one_is_on_and_where_one_has_scrolled_to(line, open_page):
    page = open_page("Navigation", line.address)
    button(page, "Large title").tap()
    scroller = page.locator(".page:not(.covered) .list")
    expect(heading(page, "Large title")).to_be_visible()
    scroller.evaluate("el => { el.scrollTo(0, 200); el.mark = 'the same' }")
    cut(line, page)
    mend(line, page)
    expect(heading(page, "Large title")).to_be_visible()
    expect(scroller).to_have_js_property("mark", "the same")
    expect(scroller).to_have_js_property("scrollTop", 200)
    button(page, "Back").tap()
    expect(heading(page, "Navigation")).to_be_visible()


def test_a_cut_leaves_a_sheet_and_the_focus_in_it(line, open_page):
    page = open_page("Sheet", line.address)
    button(page, "Sheet in a sheet").tap()
    field = page.get_by_label("Kept while covered")
    field.press_sequentially("draft")
    cut(line, page)
    mend(line, page)
    expect(field).to_be_focused()
    page.keyboard.type("ed")
    expect(field).to_have_value("drafted")
    button(page, "Dismiss").tap()
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("lost", ["loses_answers", "loses_events"])
def test_a_tap_that_was_not_acknowledged_counts_once(line, open_page, lost):
    page = open_page("Button", line.address)
    record(page)
    setattr(line, lost, True)
    button(page, "Row").tap()
    assert len(sent(page, "tap")) == 1
    # Long enough for the tap to get there, where it can.
    page.wait_for_timeout(200)
    expect(page.get_by_test_id("taps")).to_have_text("0")
    cut(line, page)
    mend(line, page)
    expect(page.get_by_test_id("taps")).to_have_text("1")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("2")


UNDONE = "Not done: the connection was lost"


def test_taps_are_not_taken_while_the_line_is_down_and_the_page_says_so(line, open_page):
    page = open_page("Button", line.address)
    expect(pill(page)).not_to_have_class("shown")
    cut(line, page)
    expect(pill(page)).to_have_class("shown")
    expect(button(page, "Row")).to_have_css("opacity", "0.4")
    for _ in range(3):
        button(page, "Row").tap()
    expect(pill(page)).to_have_text(UNDONE)
    expect(button(page, "Row")).to_have_class(re.compile(r"\bundone\b"))
    screenshot(page, "reconnect-undone")
    mend(line, page)
    expect(button(page, "Row")).to_have_css("opacity", "1")
    expect(page.locator(".undone")).to_have_count(0)
    expect(pill(page)).not_to_have_class("shown")
    button(page, "Plain").tap()
    expect(page.get_by_test_id("last")).to_have_text("Plain")
    expect(page.get_by_test_id("taps")).to_have_text("1")


def test_a_tap_right_after_a_cut_is_refused_visibly(line, open_page):
    page = open_page("Button", line.address)
    # Before the page says that the connection is lost.
    page.evaluate("""() => {
        const send = WebSocket.prototype.send
        window.connectionClosed = new Promise(done => {
            WebSocket.prototype.send = function (text) { this.addEventListener("close", () => done()); send.call(this, text) }
        })
    }""")
    button(page, "Plain").tap()
    expect(page.get_by_test_id("last")).to_have_text("Plain")
    line.cut()
    page.evaluate("""async () => {
        await window.connectionClosed
        const row = [...document.querySelectorAll("button, [role=button]")].find(el => el.textContent === "Row")
        row.click()
    }""")
    expect(pill(page)).to_have_text(UNDONE)
    line.mend()


def test_a_stall_is_said_and_what_was_tapped_in_it_is_not_done_late(line, open_page):
    page = open_page("Button", line.address)
    line.stall()
    button(page, "Row").tap()
    expect(pill(page)).to_have_text("Reconnecting…")
    expect(button(page, "Row")).to_have_css("opacity", "0.4")
    # Past the age at which the box refuses, before the page gives the connection up.
    page.wait_for_timeout(2_000)
    line.flow()
    expect(pill(page)).to_have_text(UNDONE)
    expect(button(page, "Row")).to_have_class(re.compile(r"\bundone\b"))
    screenshot(page, "stall-undone")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")


def test_what_stalled_on_a_connection_that_was_given_up_is_not_done_later(line, open_page):
    page = open_page("Button", line.address)
    record(page)
    line.stall()
    button(page, "Row").tap()
    # By another connection.
    expect(pill(page)).to_have_text(UNDONE)
    expect(button(page, "Row")).to_have_css("opacity", "1")
    assert len(sent(page, "tap")) == 1
    line.flow()
    button(page, "Plain").tap()
    expect(page.get_by_test_id("last")).to_have_text("Plain")
    expect(page.get_by_test_id("taps")).to_have_text("1")


def test_what_is_typed_on_a_stalled_connection_arrives(line, open_page):
    page = open_page("TextField", line.address)
    plain = page.get_by_label("Plain", exact=True)
    line.stall()
    plain.press_sequentially("Hello")
    expect(pill(page)).to_have_text("Reconnecting…")
    plain.press_sequentially(" world")
    page.wait_for_timeout(1_500)
    line.flow()
    expect(page.get_by_test_id("plain")).to_have_text("Hello world")
    expect(pill(page)).to_have_text("")
    expect(plain).to_have_value("Hello world")


def test_an_idle_page_on_a_good_line_says_nothing(line, open_page):
    page = open_page("Button", line.address)
    page.evaluate("""() => {
        window.words = []
        const pill = document.querySelector("#pill")
        new MutationObserver(() => window.words.push(pill.textContent)).observe(pill, { childList: true, characterData: true, subtree: true })
    }""")
    page.wait_for_timeout(5_000)
    assert page.evaluate("window.words") == []


def test_what_was_tapped_before_the_program_ended_is_said_not_to_be_done(phones):
    program = Program("gallery")
    line = Line(program.start())
    page = phones(line.address)
    visit(page, "Button")
    line.loses_events = True
    button(page, "Row").tap()
    wait_for_losses(line, page)
    program.restart(how=signal.SIGKILL, meanwhile=line.mend)
    expect(pill(page)).to_have_text(UNDONE)
    expect(heading(page, "Gallery")).to_be_visible()
    program.stop()
    line.close()


def test_a_dialog_does_not_hide_what_was_not_done(line, open_page):
    page = open_page("Sheet", line.address)
    button(page, "Sheet in a sheet").tap()
    expect(button(page, "Dismiss")).to_be_visible()
    cut(line, page)
    button(page, "Dismiss").tap()
    expect(pill(page)).to_have_text(UNDONE)
    box = pill(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # It takes no touches, which is how one finds out what is on top.
    page.evaluate("document.querySelector('#pill').style.pointerEvents = 'auto'")
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [x, y]) == "pill"
    screenshot(page, "dialog-undone")
    mend(line, page)
    button(page, "Dismiss").tap()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_switch_does_not_move_while_the_line_is_down(line, open_page):
    page = open_page("Toggle", line.address)
    switch = page.get_by_role("switch", name="Plain", exact=True)
    cut(line, page)
    switch.tap()
    expect(switch).not_to_be_checked()
    mend(line, page)
    switch.tap()
    expect(switch).to_be_checked()
    expect(page.get_by_test_id("plain")).to_have_text("on")


def test_a_slow_line_changes_nothing_for_who_types(line, open_page):
    page = open_page("TextField", line.address)
    line.delay = 0.3
    plain = page.get_by_label("Plain", exact=True)
    plain.press_sequentially("one three", delay=30)
    put_caret(plain, 4)
    plain.press_sequentially("two ", delay=30)
    assert plain.input_value() == "one two three"
    expect(page.get_by_test_id("plain")).to_have_text("one two three")
    expect(plain).to_have_value("one two three")
    assert caret(plain) == 8


def test_a_filter_works_over_a_slow_line(line, open_page):
    page = open_page("TextField", line.address)
    line.delay = 0.3
    letters = page.get_by_label("No digits", exact=True)
    letters.press_sequentially("a1b2c3", delay=60)
    expect(page.get_by_test_id("letters")).to_have_text("abc")
    expect(letters).to_have_value("abc")


def test_a_field_that_sending_emptied_keeps_what_was_typed_since(line, open_page):
    page = open_page("TextField", line.address)
    search = page.get_by_label("Search", exact=True)
    search.press_sequentially("first")
    line.delay = 0.3
    search.press("Enter")
    page.keyboard.type("second")
    expect(page.get_by_test_id("submitted")).to_have_text("first")
    expect(search).to_have_value("second")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("submitted")).to_have_text("second")


def test_a_line_on_which_nothing_comes_is_given_up(line, phones):
    page = phones()
    page.clock.install()
    page.goto(line.address)
    expect(heading(page, "Gallery")).to_be_visible()
    cut(line, page)
    line.mend()
    line.loses_answers = True
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for_losses(line, page)
    line.loses_answers = False
    page.clock.fast_forward(10_000)
    expect(pill(page)).to_have_text("")


def test_a_line_that_breaks_each_time_is_not_tried_without_a_pause(line, open_page):
    page = open_page("TextField", line.address)
    record(page)
    # More than the box takes in one message: it closes the line, however often the page comes back.
    page.evaluate("""() => {
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (text) { send.call(this, text.includes('"input"') ? text.padEnd(300_000) : text) }
    }""")
    page.get_by_label("Plain", exact=True).press_sequentially("x")
    page.wait_for_timeout(3_000)
    assert 2 <= len(page.evaluate("window.sent.filter(frame => frame.hello)")) <= 6


def test_a_text_that_is_too_long_for_the_line_does_not_break_it(open_page):
    page = open_page("TextField")
    record(page)
    page.evaluate("document.querySelector('textarea').maxLength = 1_000_000")
    page.get_by_label("Multi-line", exact=True).focus()
    page.keyboard.insert_text("x" * 300_000)
    page.get_by_label("Plain", exact=True).press_sequentially("after")
    expect(page.get_by_test_id("plain")).to_have_text("after")
    assert not page.evaluate("window.sent.filter(frame => frame.hello).length")


def test_a_reload_comes_back_to_the_same_page(gallery, open_page):
    page = open_page("TextField")
    page.get_by_label("Plain", exact=True).press_sequentially("before")
    expect(page.get_by_test_id("plain")).to_have_text("before")
    page.reload()
    expect(heading(page, "TextField")).to_be_visible()
    plain = page.get_by_label("Plain", exact=True)
    expect(plain).to_have_value("before")
    plain.press_sequentially(" and after")
    expect(page.get_by_test_id("plain")).to_have_text("before and after")


def test_a_duplicated_tab_has_a_tree_of_its_own(open_page):
    page = open_page("Button")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")
    with page.expect_popup() as popup:
        page.evaluate("void window.open(location.href)")
    expect(heading(popup.value, "Gallery")).to_be_visible()
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("2")


def test_a_tree_is_in_one_tab_at_a_time(phones, gallery, open_page):
    page = open_page("Button")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")
    # What a browser does that keeps a hidden tab's storage for another one.
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    kept = page.evaluate("Object.entries(sessionStorage)")
    assert kept
    other = phones.tab(page.context)
    other.add_init_script(f"for (const [name, value] of {json.dumps(kept)}) sessionStorage.setItem(name, value)")
    other.goto(gallery)
    expect(other.get_by_test_id("taps")).to_have_text("1")
    notice = page.get_by_role("dialog", name="Open in another tab")
    expect(notice).to_be_visible()
    button(notice, "Use here").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")
    expect(notice).to_have_count(0)
    expect(other.get_by_role("dialog", name="Open in another tab")).to_be_visible()


def test_a_program_that_starts_anew_is_offered_what_was_typed(phones):
    program = Program("gallery")
    line = Line(program.start())
    page = phones(line.address)
    visit(page, "TextField")
    page.get_by_label("Plain", exact=True).press_sequentially("a long letter")
    page.get_by_label("Rounded", exact=True).press_sequentially("and another")
    program.restart(how=signal.SIGKILL)
    expect(heading(page, "Gallery")).to_be_visible()
    visit(page, "TextField")
    expect(page.get_by_label("Plain", exact=True)).to_have_value("a long letter")
    expect(page.get_by_label("Rounded", exact=True)).to_have_value("and another")
    expect(page.get_by_test_id("plain")).to_have_text("a long letter")
    program.stop()
    line.close()


def test_what_was_typed_on_one_page_is_not_offered_to_another(phones):
    program = Program("gallery")
    line = Line(program.start())
    page = phones(line.address)
    visit(page, "Form")
    page.get_by_label("Name", exact=True).press_sequentially("Ada")
    program.restart(how=signal.SIGKILL)
    expect(heading(page, "Gallery")).to_be_visible()
    visit(page, "Alert")
    button(page, "A field").tap()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    program.stop()
    line.close()


def test_a_hidden_page_makes_room_and_comes_back(phones, gallery):
    page = phones(gallery)
    put_in_background(page)
    # A phone has twelve pages.
    tabs = [phones.tab(page.context, gallery) for _ in range(12)]
    notice = page.get_by_role("dialog", name="This screen was closed to make room for another one.")
    expect(notice).to_be_visible()
    screenshot(page, "idle")
    tabs[0].close()
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: false, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
    }""")
    expect(notice).to_have_count(0)
    expect(heading(page, "Gallery")).to_be_visible()
