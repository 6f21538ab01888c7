"""The whole story of two people, and the states that other stories do not come to."""

import signal
import subprocess
from contextlib import closing

import pytest
from audit import audit
from conftest import PROGRAMS, put_in_background, screenshot
from line import Line
from playwright.sync_api import Page, expect
from test_pager import APP, befriend, begin, choose, code_of, open_chat, people, press, send, type_code  # noqa: F401


def test_the_whole_story_on_a_slow_line_with_the_box_killed_in_the_middle(phones, box):
    line = Line(box.address)
    line.delay = 0.15
    ada, bob = (phones(line.address + APP) for _ in range(2))
    begin(ada, "Ada")
    begin(bob, "Bob")
    befriend(ada, bob)
    open_chat(ada, "Bob")
    expect(ada.get_by_text("NO MESSAGES")).to_be_visible()
    send(ada, "BEFORE")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    expect(bob.get_by_label("1 UNREAD")).to_be_visible()
    box.restart(ada, bob, how=signal.SIGKILL)
    for page in (ada, bob):
        expect(page.get_by_label("CONNECTED")).to_be_visible()
    expect(bob.get_by_label("1 UNREAD")).to_be_visible()
    send(ada, "AFTER")
    expect(bob.get_by_label("2 UNREAD")).to_be_visible()
    choose(bob, "MESSAGES")
    choose(bob, "Ada")
    expect(bob.get_by_text("AFTER")).to_be_visible()
    send(bob, "I HEAR YOU")
    expect(ada.get_by_text("I HEAR YOU")).to_be_visible()
    for page in (ada, bob):
        for text in ("BEFORE", "AFTER", "I HEAR YOU"):
            expect(page.get_by_text(text, exact=True)).to_have_count(1)
    line.close()


def test_the_code_on_the_display_can_be_scanned(phones, box, tmp_path):
    page = phones(box.address + APP)
    begin(page, "Ada")
    choose(page, "MY HEX")
    code = page.get_by_test_id("code").inner_text()
    symbol = page.get_by_label("QR CODE OF MY HEX").bounding_box()
    picture = tmp_path / "code.png"
    page.screenshot(path=picture, clip={
        "x": symbol["x"] - 24, "y": symbol["y"] - 24, "width": symbol["width"] + 48, "height": symbol["height"] + 48})
    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True)
    assert read.stdout.strip() == f"{box.address}{APP}#add={code}", read.stderr
    other = phones(box.address + APP)
    begin(other, "Bob")
    other.goto(read.stdout.strip())
    expect(other.get_by_label("HEX", exact=True)).to_have_value(code)
    press(other, "CALL")
    expect(other.get_by_text("REQUEST SENT")).to_be_visible()


def test_a_notification_that_is_tapped_leads_to_the_chat(people):
    ada, bob = people
    put_in_background(bob)
    bob.evaluate("""() => {
        window.Notification = class extends window.Notification {
            constructor(...words) { super(...words); window.notice = this }
        }
    }""")
    send(ada, "WAKE UP")
    expect(bob.locator("body")).to_have_attribute("data-notice", "📟 Ada: WAKE UP")
    bob.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: false, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
        window.notice.onclick()
    }""")
    expect(bob.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    expect(bob.get_by_text("WAKE UP")).to_be_visible()
    expect(ada.get_by_label("READ")).to_be_visible()


def test_a_keyboard_is_as_good_as_the_keys(people):
    ada, bob = people
    chosen = bob.locator(".sel")
    # Where his finger was last.
    expect(chosen).to_contain_text("FRIEND REQUESTS")
    for digit, line in (("8", "MY HEX"), ("2", "FRIEND REQUESTS"), ("2", "ADD FRIEND"), ("2", "FRIENDS")):
        bob.keyboard.press(digit)
        expect(chosen).to_contain_text(line)
    bob.keyboard.press("6")
    expect(bob.get_by_role("heading", name="FRIENDS", exact=True)).to_be_visible()
    bob.keyboard.press("4")
    expect(bob.get_by_role("heading", name="PAGER2077")).to_be_visible()
    # What is typed on a keyboard goes into the field that is there, without a tap on it, also a digit twice.
    bob.keyboard.press("Escape")
    choose(bob, "ADD FRIEND")
    expect(bob.get_by_label("HEX", exact=True)).to_be_visible()
    bob.keyboard.type("2299dead")
    expect(bob.get_by_label("HEX", exact=True)).to_have_value("2299DEAD")
    # Letters from the keys, and a real keyboard's own in the field.
    press(ada, "4", "4")
    message = ada.get_by_label("MESSAGE", exact=True)
    expect(message).to_have_value("H")
    message.focus()
    ada.keyboard.press("End")
    ada.keyboard.type("ello Bob 24")
    ada.keyboard.press("Enter")
    expect(ada.get_by_text("Hello Bob 24", exact=True)).to_be_visible()
    expect(bob.get_by_label("1 UNREAD")).to_be_visible()
    # What it came to is read out.
    expect(ada.locator("[aria-live]").filter(has_text="SENT - WAITING FOR REPLY")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_passes_the_audit(phones, box, scheme):
    ada, bob = (phones(box.address + APP, color_scheme=scheme) for _ in range(2))

    def check(page: Page, name: str):
        assert not audit(page), name
        screenshot(page, f"pager-{name}-{scheme}")

    expect(ada.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    check(ada, "welcome")
    press(ada, "CALL")
    expect(ada.get_by_text("NAME SHOWN TO FRIENDS")).to_be_visible()
    check(ada, "first-name")
    press(ada, "CALL")
    expect(ada.get_by_text("NAME CANNOT BE EMPTY")).to_be_visible()
    check(ada, "no-name")
    ada.get_by_label("NAME", exact=True).fill("Ada")
    press(ada, "CALL")
    expect(ada.get_by_text("MY HEX")).to_be_visible()
    expect(ada.get_by_label("CONNECTED")).to_be_visible()
    check(ada, "menu")
    for line, words in (("MESSAGES", "NO MESSAGES"), ("FRIENDS", "NO FRIENDS YET"), ("FRIEND REQUESTS", "NO REQUESTS")):
        choose(ada, line)
        expect(ada.get_by_text(words)).to_be_visible()
        check(ada, "no-" + line.lower().replace(" ", "-"))
        press(ada, "END")
    own = code_of(ada)
    choose(ada, "ADD FRIEND")
    type_code(ada, "00000001" if own == "00000000" else "00000000")
    press(ada, "CALL")
    expect(ada.get_by_text("USER NOT FOUND")).to_be_visible()
    check(ada, "user-not-found")
    press(ada, "END")

    begin(bob, "Bob")
    befriend(ada, bob)
    open_chat(ada, "Bob")
    expect(ada.get_by_text("NO MESSAGES")).to_be_visible()
    check(ada, "empty-chat")
    send(ada, "HELLO")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    choose(bob, "MESSAGES")
    expect(bob.get_by_role("button", name="Ada")).to_be_visible()
    check(bob, "unread")
    choose(bob, "Ada")
    send(bob, "HELLO ADA")
    expect(ada.get_by_text("HELLO ADA")).to_be_visible()
    expect(ada.get_by_label("READ")).to_be_visible()
    check(ada, "talk")
    press(bob, "END", "END")
    choose(bob, "FRIENDS")
    expect(bob.get_by_role("button", name="Ada")).to_be_visible()
    press(bob, "HASH, DELETE")
    choose(bob, "REMOVE")
    expect(bob.get_by_text("NO FRIENDS YET")).to_be_visible()
    send(ada, "STILL THERE?")
    expect(ada.get_by_text("NOT FRIENDS").first).to_be_visible()
    expect(ada.get_by_role("button", name="RETRY")).to_be_visible()
    check(ada, "refused")
    ada.get_by_role("button", name="DELETE", exact=True).tap()
    expect(ada.get_by_text("STILL THERE?")).to_have_count(0)


class StagedBox:
    """The pager's app over a network that does what a test says."""

    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAMS / "pager-staged"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.address = self.process.stdout.readline().removeprefix("Listening on ").strip()

    def network(self, word: str):
        self.process.stdin.write(word + "\n")
        assert self.process.stdout.readline().strip() == word

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_a_bad_network_passes_the_audit(phones, scheme):
    with closing(StagedBox()) as box:
        page = phones(box.address, color_scheme=scheme)

        def check(words: str):
            expect(page.get_by_text(words).first).to_be_visible()
            assert not audit(page), words
            screenshot(page, f"pager-{words.lower().replace(' ', '-')}-{scheme}")

        expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
        box.network("hang")
        press(page, "CALL")
        check("REGISTERING")
        check("TIMEOUT")
        box.network("mend")
        box.network("cut")
        press(page, "CALL")
        check("NETWORK ERROR")
        box.network("mend")
        press(page, "CALL")
        page.get_by_label("NAME", exact=True).fill("Ada")
        press(page, "CALL")
        expect(page.get_by_label("CONNECTED")).to_be_visible()
        choose(page, "FRIENDS")
        expect(page.get_by_text("NO FRIENDS YET")).to_be_visible()
        box.network("cut")
        expect(page.get_by_label("NO CONNECTION")).to_be_visible()
        press(page, "END")
        choose(page, "FRIENDS")
        check("NETWORK ERROR")
        expect(page.get_by_role("button", name="RETRY")).to_be_visible()
