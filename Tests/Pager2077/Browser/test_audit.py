"""Every screen and state of the pager passes the audit, in the light and in the dark."""

import subprocess
from contextlib import closing

from accounts import PagerUser
from audit import audit_both_schemes
from conftest import PROGRAMS, field, screenshot
from handset import APP, choose, friends, open_chat, open_pager, press, send, wait_for_menu  # noqa: F401
from playwright.sync_api import Page, expect


def check(page: Page, name: str):
    assert not audit_both_schemes(page), name
    screenshot(page, f"pager-{name}")


def test_every_state_passes_the_audit(phones, box):
    page = phones(box.address + APP)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    check(page, "welcome")
    press(page, "CALL")
    expect(page.get_by_text("NAME SHOWN TO FRIENDS")).to_be_visible()
    check(page, "first-name")
    press(page, "CALL")
    expect(page.get_by_text("NAME CANNOT BE EMPTY")).to_be_visible()
    check(page, "no-name")
    field(page, "NAME").fill("Ada")
    press(page, "CALL")
    wait_for_menu(page)
    check(page, "menu")
    for line, words in (("MESSAGES", "NO MESSAGES"), ("FRIENDS", "NO FRIENDS YET"), ("FRIEND REQUESTS", "NO REQUESTS")):
        choose(page, line)
        expect(page.get_by_text(words)).to_be_visible()
        check(page, "no-" + line.lower().replace(" ", "-"))
        press(page, "END")
    choose(page, "ADD FRIEND")
    field(page, "HEX").fill("00000000")
    press(page, "CALL")
    expect(page.get_by_text("USER NOT FOUND")).to_be_visible()
    check(page, "user-not-found")


def test_every_state_of_a_chat_passes_the_audit(open_pager, friends):
    ada, bob = friends
    page = open_pager(ada)
    open_chat(page, "Bob")
    expect(page.get_by_text("NO MESSAGES")).to_be_visible()
    check(page, "empty-chat")
    send(page, "HELLO")
    expect(page.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    check(page, "sent")
    # Reading and answering.
    bob.messages(ada)
    bob.send(ada, "HELLO ADA")
    expect(page.get_by_text("HELLO ADA")).to_be_visible()
    expect(page.get_by_label("READ")).to_be_visible()
    check(page, "talk")
    press(page, "END", "END")
    bob.send(ada, "STILL THERE?")
    choose(page, "MESSAGES")
    expect(page.get_by_role("button", name="Bob")).to_be_visible()
    check(page, "unread")
    choose(page, "Bob")
    # Removed earlier, Bob would leave the list before the key is handled.
    expect(field(page, "MESSAGE")).to_be_visible()
    bob.call("DELETE", f"friends/{ada.id}")
    send(page, "YES")
    # The unsent message can be sent again. The history cannot be loaded again.
    expect(page.get_by_text("NOT FRIENDS").first).to_be_visible()
    expect(page.get_by_role("button", name="RETRY")).to_have_count(1)
    check(page, "refused")


# Screens behind those of the menu: the key that leads there from the first line, and their titles.
FURTHER = {"FRIENDS": ("#", "Bob"), "FRIEND REQUESTS": ("Enter", "Eve"), "SETTINGS": ("Enter", "NAME")}


def test_every_screen_passes_the_audit_and_can_be_used_with_a_keyboard(open_pager, friends, box):
    ada, _ = friends
    PagerUser(box, "Eve").ask(ada)
    page = open_pager(ada)
    chosen = page.locator(".sel")
    for line in ("MESSAGES", "FRIENDS", "ADD FRIEND", "FRIEND REQUESTS", "MY HEX", "SETTINGS"):
        while line not in chosen.text_content():
            before = chosen.text_content()
            page.keyboard.press("ArrowDown")
            expect(chosen).not_to_have_text(before)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=line)).to_be_visible()
        expect(page.get_by_text("PLEASE WAIT", exact=True)).to_have_count(0)
        check(page, line.lower().replace(" ", "-"))
        if line in FURTHER:
            key, heading = FURTHER[line]
            page.keyboard.press(key)
            expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
            check(page, heading.lower().replace(" ", "-").rstrip("?"))
            page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(page.get_by_text("CALL: SELECT")).to_be_visible()
        expect(page.get_by_role("heading", name="PAGER2077")).to_be_visible()


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


def test_every_state_of_a_bad_network_passes_the_audit(phones):
    with closing(StagedBox()) as box:
        page = phones(box.address)

        def expect_words(words: str):
            expect(page.get_by_text(words).first).to_be_visible()
            check(page, words.lower().replace(" ", "-"))

        expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
        box.network("hang")
        press(page, "CALL")
        expect_words("REGISTERING")
        expect_words("TIMEOUT")
        box.network("mend")
        box.network("cut")
        press(page, "CALL")
        expect_words("NETWORK ERROR")
        box.network("mend")
        press(page, "CALL")
        field(page, "NAME").fill("Ada")
        press(page, "CALL")
        expect(page.get_by_label("CONNECTED")).to_be_visible()
        choose(page, "FRIENDS")
        expect(page.get_by_text("NO FRIENDS YET")).to_be_visible()
        box.network("cut")
        expect(page.get_by_label("NO CONNECTION")).to_be_visible()
        press(page, "END")
        choose(page, "FRIENDS")
        expect_words("NETWORK ERROR")
        expect(page.get_by_role("button", name="RETRY")).to_be_visible()
