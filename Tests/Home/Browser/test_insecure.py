"""The apps on a page that is not secure: plain HTTP from another machine, as the browser sees it."""

import re

import pytest
from conftest import button
from playwright.sync_api import expect

# An address for documentation (RFC 5737), behind which the browser finds the box. Nothing else can make its pages insecure.
ADDRESS = "192.0.2.7"
REASON = "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address."


@pytest.fixture(scope="module")
def browser(launch):
    browser = launch("chromium-headless-shell", f"--host-resolver-rules=MAP {ADDRESS} 127.0.0.1")
    yield browser
    browser.close()


@pytest.fixture
def open_app(phones, box):
    def open_app(name):
        page = phones.tab(phones.context())
        page.goto(f"http://{ADDRESS}:{box.port}/apps/{name}/")
        # Under this name the box takes the browser for that of a stranger.
        page.get_by_label("Access code").fill((box.data / "access-code.secret").read_text().strip())
        button(page, "Continue").tap()
        page.locator(".root").wait_for()
        assert page.evaluate("isSecureContext") is False
        return page

    return open_app


def test_camera_and_clipboard_have_one_reason_and_another_way(open_app):
    page = open_app("localllm")
    button(page, "Scan QR Code").tap()
    expect(page.get_by_text(f"{REASON} Paste the Server ID instead.")).to_be_visible()
    button(page, "Paste").tap()
    expect(page.get_by_text(f"{REASON} The clipboard couldn’t be read.")).to_be_visible()
    page.get_by_test_id("server-id").fill("text that the user pastes")
    expect(page.get_by_test_id("paste-problem")).to_have_count(0)


def test_text_of_a_code_is_pasted_into_a_field(open_app):
    page = open_app("endlesscode")
    page.get_by_role("tab", name="Settings").tap()
    button(page, "Scan QR Code").tap()
    expect(page.get_by_text(f"{REASON} Paste the text of the QR code instead.")).to_be_visible()
    button(page, "Paste QR Text").tap()
    expect(page.get_by_test_id("qr-text")).to_be_visible()


def test_microphone_is_missed_with_its_reason(open_app):
    page = open_app("talkco")
    page.get_by_test_id(re.compile("^topic-")).first.tap()
    expect(page.get_by_text(f"{REASON} Write instead.")).to_be_visible()
    expect(page.get_by_test_id("draft")).to_be_visible()
