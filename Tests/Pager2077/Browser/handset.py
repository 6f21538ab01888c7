"""The pager's keys, for the tests of its app."""

import pytest
from accounts import PagerUser
from conftest import button
from playwright.sync_api import Page, expect

APP = "/apps/pager2077/"
# The letters of a code on the keys: which key, and how often.
PRESSES = {"A": ("2", 2), "B": ("2", 3), "C": ("2", 4), "D": ("3", 2), "E": ("3", 3), "F": ("3", 4)}


def press(page: Page, *names: str):
    for name in names:
        button(page, name).tap()


def choose(page: Page, line: str):
    """Taps a line of a list."""
    page.get_by_role("button", name=line).first.tap()


def register(page: Page, name: str):
    """Goes from the welcome screen to the menu."""
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    press(page, "CALL")
    page.get_by_label("NAME", exact=True).fill(name)
    press(page, "CALL")
    wait_for_menu(page)


def wait_for_menu(page: Page):
    expect(page.get_by_text("MY HEX")).to_be_visible()
    expect(page.get_by_label("CONNECTED")).to_be_visible()


def type_code(page: Page, code: str):
    """Types a code with the keys of the pager."""
    for letter in code:
        name, times = PRESSES.get(letter, (letter, 1))
        before = page.get_by_label("HEX", exact=True).input_value()
        for _ in range(times):
            press(page, name)
        expect(page.get_by_label("HEX", exact=True)).to_have_value(before + letter)
        page.keyboard.press("ArrowRight")


def open_chat(page: Page, friend: str):
    """Opens a chat from the list of friends."""
    choose(page, "FRIENDS")
    choose(page, friend)
    expect(page.get_by_label("MESSAGE", exact=True)).to_be_visible()


def send(page: Page, text: str):
    page.get_by_label("MESSAGE", exact=True).fill(text)
    press(page, "CALL")


@pytest.fixture
def open_pager(phones, box):
    """Opens the pager of a user who is registered on a new phone, on the menu."""

    def open_pager(user: PagerUser, address: str | None = None, **options) -> Page:
        context = phones.context(**options)
        user.sign_in(context, address)
        page = phones.tab(context, (address or box.address) + APP)
        wait_for_menu(page)
        return page

    return open_pager


@pytest.fixture
def friends(box):
    """Two users who are friends."""
    ada, bob = PagerUser(box, "Ada"), PagerUser(box, "Bob")
    ada.befriend(bob)
    return ada, bob
