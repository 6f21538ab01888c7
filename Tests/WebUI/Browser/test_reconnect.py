"""A page whose connection is cut, slow or stalled, or leads to a program that was restarted.

What is kept, sent again and refused is tested without a browser, in Tests/WebUI/Page/connection.test.mjs.
"""

import json
import re
import signal

import pytest
from conftest import (
    button, caret, center, cut, field, heading, mend, notice, put_caret, record, screenshot, sent, visit,
    wait_until)
from playwright.sync_api import expect

UNDONE = "Not done: the connection was lost"


def test_a_cut_while_typing_loses_nothing(proxy, open_page):
    page = open_page("TextField", proxy.address)
    plain = field(page, "Plain")
    plain.press_sequentially("Hello world")
    put_caret(plain, 5)
    proxy.cut()
    plain.press_sequentially(" beautiful")
    expect(notice(page)).to_have_text("Reconnecting…")
    plain.press_sequentially(" new")
    mend(proxy, page)
    expect(page.get_by_test_id("plain")).to_have_text("Hello beautiful new world")
    expect(plain).to_have_value("Hello beautiful new world")
    expect(plain).to_be_focused()
    assert caret(plain) == len("Hello beautiful new")


def test_text_that_arrived_without_a_reply_does_not_come_back(proxy, open_page):
    page = open_page("TextField", proxy.address)
    plain = field(page, "Plain")
    plain.press_sequentially("Hello")
    expect(page.get_by_test_id("plain")).to_have_text("Hello")
    proxy.drops_replies = True
    plain.press_sequentially(" world")
    wait_until(page, lambda: proxy.drop_count)
    put_caret(plain, 5)
    cut(proxy, page)
    plain.press_sequentially(" beautiful")
    mend(proxy, page)
    expect(page.get_by_test_id("plain")).to_have_text("Hello beautiful world")
    expect(plain).to_have_value("Hello beautiful world")


def test_a_cut_keeps_the_page_and_its_scroll_position(proxy, open_page):
    page = open_page("Navigation", proxy.address)
    button(page, "Large title").tap()
    scroller = page.locator(".page:not(.covered) .list")
    expect(heading(page, "Large title")).to_be_visible()
    scroller.evaluate("el => { el.scrollTo(0, 200); el.mark = 'the same' }")
    cut(proxy, page)
    mend(proxy, page)
    expect(heading(page, "Large title")).to_be_visible()
    expect(scroller).to_have_js_property("mark", "the same")
    expect(scroller).to_have_js_property("scrollTop", 200)


def test_a_cut_keeps_a_sheet_and_the_focus_in_it(proxy, open_page):
    page = open_page("Sheet", proxy.address)
    button(page, "Sheet in a sheet").tap()
    draft = page.get_by_label("Kept while covered")
    draft.press_sequentially("draft")
    cut(proxy, page)
    mend(proxy, page)
    expect(draft).to_be_focused()
    page.keyboard.type("ed")
    expect(draft).to_have_value("drafted")


@pytest.mark.parametrize("lost", ["drops_replies", "drops_events"])
def test_an_unacknowledged_tap_counts_once(proxy, open_page, lost):
    page = open_page("Button", proxy.address)
    record(page)
    setattr(proxy, lost, True)
    button(page, "Row").tap()
    assert len(sent(page, "tap")) == 1
    # The tap is lost, or it has arrived and its acknowledgement is lost.
    wait_until(page, lambda: proxy.drop_count)
    expect(page.get_by_test_id("taps")).to_have_text("0")
    cut(proxy, page)
    mend(proxy, page)
    expect(page.get_by_test_id("taps")).to_have_text("1")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("2")


def test_taps_without_a_connection_are_refused_visibly(proxy, open_page):
    page = open_page("Button", proxy.address)
    expect(notice(page)).not_to_have_class("shown")
    cut(proxy, page)
    expect(notice(page)).to_have_class("shown")
    expect(button(page, "Row")).to_have_css("opacity", "0.4")
    for _ in range(3):
        button(page, "Row").tap()
    expect(notice(page)).to_have_text(UNDONE)
    expect(button(page, "Row")).to_have_class(re.compile(r"\bundone\b"))
    screenshot(page, "reconnect-undone")
    mend(proxy, page)
    expect(button(page, "Row")).to_have_css("opacity", "1")
    expect(page.locator(".undone")).to_have_count(0)
    button(page, "Plain").tap()
    expect(page.get_by_test_id("last")).to_have_text("Plain")
    expect(page.get_by_test_id("taps")).to_have_text("1")


def test_a_tap_in_a_stall_is_not_done_late(proxy, open_page):
    page = open_page("Button", proxy.address)
    proxy.stall()
    button(page, "Row").tap()
    expect(notice(page)).to_have_text("Reconnecting…")
    expect(button(page, "Row")).to_have_css("opacity", "0.4")
    # The box refuses the tap by its age; the page has not given the connection up yet.
    page.wait_for_timeout(2_000)
    proxy.flow()
    expect(notice(page)).to_have_text(UNDONE)
    expect(button(page, "Row")).to_have_class(re.compile(r"\bundone\b"))
    screenshot(page, "stall-undone")
    button(page, "Row").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")


def test_a_dialog_does_not_hide_the_notice(proxy, open_page):
    page = open_page("Sheet", proxy.address)
    button(page, "Sheet in a sheet").tap()
    expect(button(page, "Dismiss")).to_be_visible()
    cut(proxy, page)
    button(page, "Dismiss").tap()
    expect(notice(page)).to_have_text(UNDONE)
    # The notice takes no touches, but only what takes them can be found on top.
    page.evaluate("document.querySelector('#pill').style.pointerEvents = 'auto'")
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", center(notice(page))) == "pill"
    screenshot(page, "dialog-undone")
    mend(proxy, page)
    button(page, "Dismiss").tap()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_switch_does_not_move_without_a_connection(proxy, open_page):
    page = open_page("Toggle", proxy.address)
    switch = page.get_by_role("switch", name="Plain", exact=True)
    cut(proxy, page)
    switch.tap()
    expect(switch).not_to_be_checked()
    mend(proxy, page)
    switch.tap()
    expect(switch).to_be_checked()
    expect(page.get_by_test_id("plain")).to_have_text("on")


def test_typing_is_as_fast_on_a_slow_connection(proxy, open_page):
    page = open_page("TextField", proxy.address)
    proxy.delay = 0.3
    plain = field(page, "Plain")
    plain.press_sequentially("one three", delay=30)
    put_caret(plain, 4)
    plain.press_sequentially("two ", delay=30)
    assert plain.input_value() == "one two three"
    expect(page.get_by_test_id("plain")).to_have_text("one two three")
    expect(plain).to_have_value("one two three")
    assert caret(plain) == 8


def test_a_field_emptied_by_sending_keeps_what_was_typed_since(proxy, open_page):
    page = open_page("TextField", proxy.address)
    search = field(page, "Search")
    search.press_sequentially("first")
    proxy.delay = 0.3
    search.press("Enter")
    page.keyboard.type("second")
    expect(page.get_by_test_id("submitted")).to_have_text("first")
    expect(search).to_have_value("second")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("submitted")).to_have_text("second")


def test_a_reload_returns_to_the_same_page(open_page):
    page = open_page("TextField")
    field(page, "Plain").press_sequentially("before")
    expect(page.get_by_test_id("plain")).to_have_text("before")
    page.reload()
    expect(heading(page, "TextField")).to_be_visible()
    expect(field(page, "Plain")).to_have_value("before")
    field(page, "Plain").press_sequentially(" and after")
    expect(page.get_by_test_id("plain")).to_have_text("before and after")


def test_a_duplicated_tab_has_its_own_tree(open_page):
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
    # As a browser does that copies a hidden tab's storage to another one.
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    kept = page.evaluate("Object.entries(sessionStorage)")
    assert kept
    other = phones.tab(page.context)
    other.add_init_script(f"for (const [name, value] of {json.dumps(kept)}) sessionStorage.setItem(name, value)")
    other.goto(gallery)
    expect(other.get_by_test_id("taps")).to_have_text("1")
    message = page.get_by_role("dialog", name="Open in another tab")
    expect(message).to_be_visible()
    button(message, "Use here").tap()
    expect(page.get_by_test_id("taps")).to_have_text("1")
    expect(message).to_have_count(0)
    expect(other.get_by_role("dialog", name="Open in another tab")).to_be_visible()


def test_typed_text_is_offered_to_a_restarted_program(phones, own_gallery):
    page = phones(own_gallery.address)
    visit(page, "TextField")
    field(page, "Plain").press_sequentially("a long letter")
    field(page, "Rounded").press_sequentially("and another")
    own_gallery.restart(how=signal.SIGKILL)
    expect(heading(page, "Gallery")).to_be_visible()
    visit(page, "TextField")
    expect(field(page, "Plain")).to_have_value("a long letter")
    expect(field(page, "Rounded")).to_have_value("and another")
    expect(page.get_by_test_id("plain")).to_have_text("a long letter")
