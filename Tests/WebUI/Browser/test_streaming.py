"""A text that grows a hundred times a second while a user types and scrolls."""

from conftest import button, field, wait_until
from playwright.sync_api import expect

WORDS = "the quick brown fox jumps over the lazy dog and thinks about it for a while".split()


def test_no_keystroke_is_lost_beside_a_streaming_text(open_page):
    page = open_page("Streaming")
    draft = field(page, "Type while it grows")
    typed = " ".join(f"word{number}" for number in range(20))
    button(page, "Start").tap()
    draft.press_sequentially(typed, delay=15)
    button(page, "Stop").tap()
    expect(button(page, "Start")).to_be_visible()
    expect(draft).to_have_value(typed)
    expect(page.get_by_test_id("typed")).to_have_text(f"Typed: {typed}")
    updates = int(page.get_by_test_id("updates").inner_text().removeprefix("Updates: "))
    assert updates > len(typed), "it grew while one typed"
    text = "".join(WORDS[number % len(WORDS)] + " " for number in range(updates))
    assert page.get_by_test_id("stream").text_content() == text


def test_the_end_of_a_streaming_text_stays_in_view_until_one_scrolls_back(open_page):
    page = open_page("Streaming")
    scroll = page.locator(".scroll", has=page.get_by_test_id("stream"))
    rest = "el => el.scrollHeight - el.clientHeight - el.scrollTop"
    button(page, "Start").tap()
    # Close to the end is the end: there has to be room to leave it.
    wait_until(page, lambda: scroll.evaluate("el => el.scrollTop") >= 100)
    assert scroll.evaluate(rest) < 40
    scroll.evaluate("el => el.scrollTo(0, 0)")
    length = len(page.get_by_test_id("stream").text_content())
    expect(page.get_by_test_id("stream")).not_to_have_text(page.get_by_test_id("stream").text_content())
    button(page, "Stop").tap()
    expect(button(page, "Start")).to_be_visible()
    assert len(page.get_by_test_id("stream").text_content()) > length
    expect(scroll).to_have_js_property("scrollTop", 0)
