"""Deleting the account, blocking and reporting, on an iPhone's display in both colour schemes."""

import pytest
from accounts import PagerUser
from conftest import screenshot
from handset import choose, friends, open_chat, open_pager, press, send  # noqa: F401
from playwright.sync_api import Page, expect

SMALL = {"width": 375, "height": 667}
LARGE = {"width": 393, "height": 852}
LOOKS = pytest.mark.parametrize("viewport, scheme", [(LARGE, "light"), (SMALL, "dark")], ids=["large-light", "small-dark"])


def options_of(page: Page, friend: str):
    choose(page, "FRIENDS")
    expect(page.get_by_role("button", name=friend).first).to_be_visible()
    press(page, "HASH, OPTIONS")


@LOOKS
def test_every_screen_is_reached_by_keys(open_pager, friends, viewport, scheme):
    """Each screen as it is seen first; what does not fit scrolls."""
    ada, bob = friends
    bob.send(ada, "MEAN WORDS THAT NOBODY WANTS TO READ ON A PAGER")
    page = open_pager(ada, viewport=viewport, color_scheme=scheme)

    def shot(name: str):
        screenshot(page, f"pager-safety-{name}-{viewport['width']}-{scheme}")

    open_chat(page, "Bob")
    expect(page.get_by_text("#: MORE")).to_be_visible()
    shot("chat")
    press(page, "HASH, OPTIONS")
    expect(page.get_by_role("button", name="REMOVE")).to_be_visible()
    shot("options")
    choose(page, "BLOCK")
    expect(page.get_by_text("BLOCK Bob?")).to_be_visible()
    shot("block")
    press(page, "END")
    choose(page, "REPORT")
    shot("report-what")
    choose(page, "MEAN WORDS")
    shot("report-why")
    choose(page, "HARASSMENT")
    expect(page.get_by_text("NOBODY IS TOLD WHO REPORTS.")).to_be_visible()
    shot("report-send")
    for _ in range(7):
        press(page, "END")
    choose(page, "SETTINGS")
    expect(page.get_by_role("button", name="BLOCKED PEOPLE")).to_be_attached()
    shot("settings")
    choose(page, "DELETE ACCOUNT")
    expect(page.get_by_text("THIS CANNOT BE UNDONE.")).to_be_attached()
    shot("deletion")
    press(page, "8", "CALL")
    expect(page.get_by_label("HEX", exact=True)).to_be_visible()
    shot("deletion-code")


def test_an_account_is_deleted(open_pager, friends):
    ada, bob = friends
    page, other = open_pager(ada), open_pager(bob)
    choose(other, "FRIENDS")
    expect(other.get_by_role("button", name="Ada").first).to_be_visible()
    choose(page, "SETTINGS")
    choose(page, "DELETE ACCOUNT")
    press(page, "8", "CALL")
    page.get_by_label("HEX", exact=True).fill(ada.code)
    press(page, "CALL")
    expect(page.get_by_text("YOUR ACCOUNT IS DELETED")).to_be_visible()
    expect(other.get_by_text("NO FRIENDS YET")).to_be_visible()
    # A page that is loaded again has nothing of the account either.
    page.reload()
    expect(page.get_by_text("CALL: START")).to_be_visible()


def test_a_friend_is_blocked_and_unblocked(open_pager, friends):
    ada, bob = friends
    page = open_pager(ada)
    options_of(page, "Bob")
    choose(page, "BLOCK")
    expect(page.get_by_text("BLOCK Bob?")).to_be_visible()
    press(page, "8", "CALL")
    expect(page.get_by_text("NO FRIENDS YET")).to_be_visible()
    bob.send(ada, "NEVER SEEN")
    press(page, "END")
    choose(page, "SETTINGS")
    choose(page, "BLOCKED PEOPLE")
    choose(page, "Bob")
    choose(page, "UNBLOCK")
    expect(page.get_by_text("NOBODY IS BLOCKED")).to_be_visible()
    press(page, "END", "END")
    bob.send(ada, "SEEN AGAIN")
    open_chat(page, "Bob")
    expect(page.get_by_text("SEEN AGAIN")).to_be_visible()
    expect(page.get_by_text("NEVER SEEN")).to_have_count(0)


def test_a_page_is_reported(open_pager, friends):
    ada, bob = friends
    bob.send(ada, "MEAN WORDS")
    page = open_pager(ada)
    open_chat(page, "Bob")
    expect(page.get_by_text("MEAN WORDS")).to_be_visible()
    press(page, "HASH, OPTIONS")
    choose(page, "REPORT")
    choose(page, "MEAN WORDS")
    choose(page, "HARASSMENT")
    choose(page, "REPORT AND BLOCK")
    expect(page.get_by_text("REPORTED - THANK YOU")).to_be_visible()
    expect(page.get_by_text("NO FRIENDS YET")).to_be_visible()
