"""A browser steers the demo agent of a host."""

import re

import pytest
from agent_host import (  # noqa: F401
    entries, host, message, open_app, open_chat, results, send, sheet, show, start_session)
from audit import audit_both_schemes, small_targets
from conftest import button, center, field, lost_box, screenshot, settle, soak
from playwright.sync_api import Page, TimeoutError, expect

PHONE, SIDEWAYS = (393, 852), (852, 393)
# The heights of an iPhone's keyboard, in points.
KEYBOARD = {PHONE: 336, SIDEWAYS: 200}


def resize(page: Page, size: tuple[int, int], keyboard: int = 0):
    """Sets the size of the phone's screen, less the height that a keyboard takes of it."""
    page.set_viewport_size({"width": size[0], "height": size[1] - keyboard})
    settle(page)


def scroll(page: Page, by: int):
    """Scrolls as a finger does, in steps: the app takes the first ones for a change of its own layout."""
    for _ in range(10):
        page.get_by_test_id("transcript").evaluate("(el, by) => el.scrollBy(0, by)", by / 10)
        page.wait_for_timeout(80)


def test_the_whole_story(open_app, host):
    page = open_app()
    start_session(page)
    # Text streams in, and ends as a highlighted block.
    send(page, "code")
    expect(page.get_by_text("A function in Swift:")).to_be_visible()
    expect(button(page, "Stop")).to_be_visible()
    expect(results(page)).to_have_count(1)
    expect(page.get_by_test_id("code").get_by_text("func", exact=True)).to_be_visible()
    screenshot(page, "endlesscode-code")

    # Questions: one option, then several.
    send(page, "tour")
    page.get_by_text("A greeting").tap()
    screenshot(page, "endlesscode-question")
    button(page, "Send Answer").tap()
    for option in ("A star", "A number"):
        page.get_by_text(option, exact=True).tap()
    button(page, "Send Answer").tap()

    # A permission with its exact input, refused with a reason.
    expect(sheet(page).get_by_test_id("input")).to_contain_text(f'"{host.project}/NOTES.md"')
    screenshot(page, "endlesscode-permission")
    field(page, "Reason for a refusal").fill("Ask me tomorrow")
    expect(button(page, "Allow")).to_be_disabled()
    button(page, "Deny").tap()
    expect(results(page)).to_have_count(2)
    expect(page.get_by_text("I changed nothing. You said: Ask me tomorrow")).to_be_visible()
    assert host.notes == ""

    # Allowed, twice: a new file, then a change of it.
    for count in (3, 4):
        send(page, "edit")
        button(page, "Allow").tap()
        expect(results(page)).to_have_count(count)
    expect(page.get_by_test_id("diff").get_by_label("Added")).to_have_count(1)
    assert host.notes.count("a greeting") == 2
    screenshot(page, "endlesscode-diff")

    # The server restarts in the middle of a turn: what was there stays, and what waits is sent once.
    before = entries(page)
    send(page, "slow")
    expect(page.get_by_text(re.compile("^1 steps, 2 steps"))).to_be_visible()
    host.stop()
    expect(page.get_by_test_id("banner")).to_be_visible()
    expect(page.get_by_test_id("connection").locator("visible=true")).not_to_have_accessible_name("Connected")
    send(page, "earlier")
    expect(page.get_by_test_id("outgoing")).to_be_visible()
    screenshot(page, "endlesscode-lost")
    host.start()
    expect(page.get_by_test_id("banner")).to_have_count(0)
    button(page, "Resume").tap()
    expect(page.get_by_text("You asked before:")).to_be_visible()
    expect(results(page)).to_have_count(6)
    # Of the answer to `earlier`, whose list names the prompts again, only the first line.
    after = entries(page)
    after = after[: after.index("You asked before:")]
    assert after[: len(before)] == before
    assert after.count("slow") == 1 and after.count("earlier") == 1
    expect(page.get_by_test_id("outgoing")).to_have_count(0)

    # Another phone of the same owner has the same conversation.
    other = open_app()
    show(other, "Chat")
    settle(other)
    button(other, re.compile("^shop")).tap()
    expect(other.get_by_text("You asked before:")).to_be_visible()
    prompts = ("code", "tour", "edit", "slow", "earlier")
    seen = entries(other)
    assert [text for text in seen[: seen.index("You asked before:")] if text in prompts] == ["code", "tour", "edit", "edit", "slow", "earlier"]


def read_to_the_end(page: Page):
    """Reads a permission on with the finger, until nothing is out of sight. It cannot be allowed before."""
    unread = page.get_by_test_id("unread")
    expect(unread).to_contain_text(re.compile(r"\d+ more lines below"))
    review = page.get_by_test_id("review")
    allow = button(page, "Allow").element_handle()
    for _ in range(60):
        # Both at one moment: the end may come in sight at any time.
        assert page.evaluate("allow => allow.disabled === !!document.querySelector('[data-id=unread]')", allow)
        if unread.count() == 0:
            break
        before = review.evaluate("el => el.scrollTop")
        try:
            button(page, "Read On").tap(timeout=5000)
        except TimeoutError:
            # The last scroll ended meanwhile, and the end is in sight.
            expect(unread).to_have_count(0)
            break
        page.wait_for_function(
            "([el, before]) => el.scrollTop > before || !document.querySelector('[data-id=unread]')", arg=[review.element_handle(), before])
        settle(page)
    last = review.locator("[data-id=code], [data-id=diff], [data-id=input]").last.bounding_box()
    shown = review.bounding_box()
    assert last["y"] + last["height"] <= shown["y"] + shown["height"], "the last line is in sight"
    assert review.evaluate("el => el.scrollWidth <= el.clientWidth"), "nothing lies beyond the edge of the screen"


def test_a_permission_is_allowed_once_its_end_was_in_sight(open_chat, host):
    # A line that begins where the long ones end.
    (host.project / "NOTES.md").write_text("# Notes\n\n" + " ".join(f"word{number}" for number in range(600)) + "\n")
    page = open_chat()
    lines = "\n".join(f"echo {number}" for number in range(120)) + "\ncurl example.org | sh"
    for count, (prompt, end) in enumerate([
        (f"run {lines}", "You allowed it. I am a script, and ran nothing."),
        ("edit", "Done: NOTES.md has a new line, a greeting."),
        (f"save {lines}", "Done: NOTES.md has your text."),
    ], 1):
        # As a paste does: `fill` is one input for each line.
        message(page).evaluate("(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", prompt)
        button(page, "Send").tap()
        expect(sheet(page)).to_be_visible()
        screenshot(page, f"endlesscode-unread-{count}")
        read_to_the_end(page)
        screenshot(page, f"endlesscode-read-{count}")
        button(page, "Allow").tap()
        expect(page.get_by_text(end)).to_be_visible()
        expect(results(page)).to_have_count(count)
    assert host.notes == lines + "\n"


def test_messages_take_the_whole_screen_above_the_input(open_chat):
    page = open_chat()
    send(page, "table read")
    expect(results(page)).to_have_count(1)
    settle(page)
    messages, text = page.get_by_test_id("transcript").bounding_box(), message(page).bounding_box()
    assert messages["x"] == 0 and messages["width"] == page.viewport_size["width"]
    assert messages["y"] < 110, "below the bar of the page"
    assert messages["y"] + messages["height"] <= text["y"] < messages["y"] + messages["height"] + 60, "the input stands below the messages"


def test_the_input_leaves_on_the_way_up_and_returns_on_the_way_down(open_chat):
    page = open_chat()
    for count in (1, 2, 3):
        send(page, "table read")
        expect(results(page)).to_have_count(count)
    send(page, "help")
    expect(results(page)).to_have_count(4)
    settle(page)
    message(page).blur()
    scroll(page, -500)
    expect(message(page)).to_have_count(0)
    # The input takes room at the lower end, which is no way up.
    while not message(page).count():
        scroll(page, 20)
    for _ in range(4):
        scroll(page, 20)
        expect(message(page)).to_be_visible()
    scroll(page, -600)
    expect(message(page)).to_have_count(0)
    button(page, "Newest message").tap()
    expect(message(page)).to_be_visible()
    expect(results(page).last).to_be_in_viewport(ratio=1)


def test_a_transcript_a_little_longer_than_the_screen_can_be_scrolled_back(open_chat):
    page = open_chat(viewport={"width": PHONE[0], "height": PHONE[1]})
    send(page, "code")
    expect(results(page)).to_have_count(1)
    message(page).blur()
    # So much is left to scroll beside the input, and less than its height once it has left.
    low, rest = 400, 100
    resize(page, (PHONE[0], low))
    transcript = page.get_by_test_id("transcript")
    resize(page, (PHONE[0], low - rest + transcript.evaluate("el => el.scrollHeight - el.clientHeight")))
    # Shortly after a change of the layout the input does not leave.
    for _ in range(2):
        scroll(page, rest)
        scroll(page, -rest)
    expect(message(page)).to_have_count(0)
    settle(page)
    assert transcript.evaluate("el => el.scrollTop") == 0
    scroll(page, rest)
    expect(message(page)).to_be_visible()
    expect(results(page).last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, soak(SIDEWAYS)], ids=["upright", "sideways"])
def test_the_newest_message_stays_above_the_keyboard(open_chat, size):
    page = open_chat(viewport={"width": size[0], "height": size[1]})
    for count, text in enumerate(("help", "table", "code"), 1):
        send(page, text)
        expect(results(page)).to_have_count(count)
    message(page).blur()
    # Shortly after a change of the layout the input does not leave.
    while message(page).count():
        scroll(page, -150)
        settle(page)
    while not message(page).count():
        scroll(page, 60)
    message(page).tap()
    # The keyboard takes longer to appear than the message.
    expect(results(page).last).to_be_in_viewport()
    resize(page, size, keyboard=KEYBOARD[size])
    expect(results(page).last).to_be_in_viewport(ratio=0.9)
    for control in (message(page), button(page, "Send")):
        expect(control).to_be_in_viewport(ratio=1)
    expect(page.locator(".tabbar")).not_to_be_in_viewport()
    screenshot(page, f"endlesscode-keyboard-{size[0]}")


def test_code_scrolls_sideways_and_zooms_by_two_fingers(open_chat):
    page = open_chat()
    send(page, "code")
    expect(results(page)).to_have_count(1)
    code = page.get_by_test_id("code").locator(".scroll")
    assert code.evaluate("el => el.scrollWidth > el.clientWidth")
    lines = code.locator(".text").first.evaluate("el => el.innerText.split('\\n').length")
    height = code.evaluate("el => el.clientHeight")
    assert height / lines < 24, "a line wraps"
    # The wheel with Control is a pinch.
    page.mouse.move(*center(code))
    page.keyboard.down("Control")
    for _ in range(12):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(page.get_by_test_id("zoom")).to_have_text("300 %")
    assert code.evaluate("el => el.clientHeight") > 2.5 * height
    screenshot(page, "endlesscode-zoom")
    assert page.evaluate("visualViewport.scale") == 1, "the page itself keeps its scale"
    page.get_by_test_id("zoom").tap()
    expect(page.get_by_test_id("zoom")).to_have_count(0)


def test_every_screen_of_the_chat_passes_the_audit(open_chat):
    # Apple's own colours, such as those of tabs, have enough contrast only for users who ask for it.
    page = open_chat(contrast="more")
    faults = audit_both_schemes(page)
    send(page, "tour")
    expect(sheet(page)).to_be_visible()
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    button(page, "Later").tap()
    expect(sheet(page)).to_have_count(0)
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    page.get_by_test_id("prompt-bar").tap()
    for option in ("A greeting", "A star"):
        page.get_by_text(option, exact=True).tap()
        button(page, "Send Answer").tap()
    expect(button(page, "Allow")).to_be_visible()
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    button(page, "Allow").tap()
    expect(results(page)).to_have_count(1)
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    assert faults == []


def test_a_lost_box_is_not_connected(open_app):
    page = open_app()
    icon = page.get_by_test_id("connection").locator("visible=true")
    expect(icon).to_have_accessible_name("Connected")
    with lost_box(page):
        expect(icon).to_have_accessible_name("Connecting")
        expect(icon.locator(".symbol").locator("visible=true")).to_have_count(1)
        screenshot(page, "endlesscode-lost-box")
    expect(icon).to_have_accessible_name("Connected")
    show(page, "Settings")
    state = page.get_by_test_id("server-state")
    expect(state.get_by_text("Connected", exact=True)).to_be_visible()
    with lost_box(page):
        expect(state.get_by_text("Connected", exact=True)).to_be_hidden()
        expect(state.get_by_text("Connecting", exact=True)).to_be_visible()
