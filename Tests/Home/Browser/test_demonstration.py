"""The apps that ask for a server, as an iPhone starts them: a look around without one, and the privacy page."""

import subprocess

import pytest
from audit import audit_both_schemes
from conftest import PROGRAMS, button, screenshot
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def first_start():
    """The address below which the apps start as for the first time."""
    process = subprocess.Popen([PROGRAMS / "pager-staged"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    yield process.stdout.readline().removeprefix("Listening on ").strip().removesuffix("pager2077/") + "first"
    process.stdin.close()
    process.wait(timeout=20)
    process.stdout.close()


def check(page: Page, name: str):
    assert not audit_both_schemes(page), name
    screenshot(page, f"demonstration-{name}")


def begin(page: Page):
    expect(page.get_by_role("heading", name="Server")).to_be_visible()
    button(page, "Try a Demonstration").tap()
    expect(page.get_by_text("Nothing is stored or sent.")).to_be_visible()


def leave(page: Page):
    button(page, "Leave").tap()
    expect(page.get_by_role("heading", name="Server")).to_be_visible()
    expect(page.get_by_text("Nothing is stored or sent.")).to_have_count(0)


def test_looking_around_without_a_server(phones, first_start):
    # Apple's own colours have enough contrast only for users who ask for it.
    page = phones(first_start + "pager2077/", contrast="more")
    expect(button(page, "Try a Demonstration")).to_be_visible()
    check(page, "server")
    begin(page)
    page.get_by_text("FRIENDS", exact=True).tap()
    page.get_by_text("Mina").first.tap()
    expect(page.get_by_text("Done. Bring coins!")).to_be_visible()
    page.get_by_role("textbox").fill("HERE I AM")
    page.get_by_role("button", name="CALL").first.tap()
    expect(page.get_by_text("This is a demonstration: I answer everything.")).to_be_visible()
    check(page, "pager-chat")
    leave(page)
    # Nothing of it is left.
    page.reload()
    expect(page.get_by_role("heading", name="Server")).to_be_visible()


def test_a_talk_without_a_server(phones, first_start):
    page = phones(first_start + "talkco/")
    begin(page)
    check(page, "talkco-topics")
    page.get_by_text("Travel").first.tap()
    button(page, "I go to a night market with my friends.").tap()
    expect(page.get_by_text("What did you enjoy most?")).to_be_visible()
    check(page, "talkco-talk")
    button(page, "End Conversation").tap()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    button(page, "I go to a night market with my friends. Grammar").tap()
    expect(page.get_by_text("went").filter(visible=True).first).to_be_visible()
    check(page, "talkco-review")
    leave(page)


def test_the_privacy_page_is_linked_and_read(phones, box):
    page = phones(box.address + "/apps/simbridge/")
    link = page.get_by_role("link", name="Privacy Policy")
    expect(link).to_have_attribute("href", box.address + "/privacy")
    page.goto(box.address + "/privacy")
    expect(page.get_by_role("heading", name="Privacy", exact=True)).to_be_visible()
    check(page, "privacy")
    page.get_by_role("link", name="한국어").tap()
    expect(page.get_by_role("heading", name="개인정보 처리방침")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
