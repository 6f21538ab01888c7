"""Connecting to a host by its QR code."""

import pytest
from audit import audit
from camera import cameras, films, lights  # noqa: F401
from conftest import button, field, screenshot, settle, wait_until
from playwright.sync_api import expect

APP = "/apps/localllm/"
PROMPT = {
    "en-US": "Point the camera at the QR code that the host shows in its terminal.",
    "ko-KR": "호스트가 터미널에 표시하는 QR 코드를 카메라로 비추세요.",
}
SCAN = {"en-US": "Scan QR Code", "ko-KR": "QR 코드 스캔"}


@pytest.fixture
def server_id(phones, box):
    """The Server ID of the host in the box."""
    page = phones(box.address + APP)
    return page.locator("[data-id^='host ']").first.get_attribute("data-id").removeprefix("host ")


def address_field(page):
    return page.get_by_test_id("server-id")


@pytest.mark.parametrize("scheme", ["", "localllm://"])
def test_a_scanned_code_connects_without_another_tap(cameras, box, server_id, scheme):
    page = cameras(scheme + server_id).phone(box.address + APP)
    button(page, SCAN["en-US"]).tap()
    expect(page.get_by_test_id("prompt")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    assert lights(page) == 0
    # The field was filled.
    button(page, "Disconnect").tap()
    expect(address_field(page)).to_have_value(server_id)


def test_a_code_that_is_no_server_id_is_refused(cameras, box):
    page = cameras("https://example.com/menu").phone(box.address + APP)
    button(page, SCAN["en-US"]).tap()
    expect(page.get_by_text("INVALID_SERVER_ID")).to_be_visible()
    expect(page.get_by_text("This isn’t a Server ID.")).to_be_visible()
    expect(address_field(page)).to_have_value("https://example.com/menu")
    assert lights(page) == 0
    screenshot(page, "localllm-scan-invalid")


def test_a_cancelled_scan_changes_nothing(cameras, box):
    page = cameras().phone(box.address + APP)
    address_field(page).fill("half of an ID")
    button(page, SCAN["en-US"]).tap()
    viewfinder = page.get_by_role("dialog", name=PROMPT["en-US"])
    button(viewfinder, "Cancel").tap()
    expect(page.locator("dialog")).to_have_count(0)
    assert lights(page) == 0
    expect(address_field(page)).to_have_value("half of an ID")
    expect(page.get_by_test_id("error")).to_have_count(0)
    expect(page.get_by_test_id("camera-problem")).to_have_count(0)


@pytest.mark.parametrize("allowed, sentence", [
    (False, "The camera isn’t allowed. Allow it for this app in the settings, or paste the Server ID."),
    (None, "There is no camera that this app can use. Paste the Server ID instead."),
])
def test_without_a_camera_a_server_id_can_be_pasted(cameras, phones, box, server_id, allowed, sentence):
    if allowed is None:
        page = phones(box.address + APP, permissions=["clipboard-read", "clipboard-write"])
    else:
        page = cameras(server_id).phone(
            box.address + APP, allowed=allowed, permissions=["clipboard-read", "clipboard-write"])
    button(page, SCAN["en-US"]).tap()
    expect(page.get_by_text(sentence)).to_be_visible()
    assert audit(page) == []
    screenshot(page, f"localllm-camera-{'refused' if allowed is False else 'missing'}")
    page.evaluate("text => navigator.clipboard.writeText(text)", server_id)
    button(page, "Paste").tap()
    expect(address_field(page)).to_have_value(server_id)
    button(page, "Connect").tap()
    expect(page.get_by_test_id("prompt")).to_be_visible()


def test_the_camera_goes_off_when_another_page_of_the_phone_connects(cameras, box, server_id):
    # Both pages show the phone's one connection.
    camera = cameras()
    page = camera.phone(box.address + APP)
    other = camera.phones.tab(page.context, box.address + APP)
    page.bring_to_front()
    button(page, SCAN["en-US"]).tap()
    expect(page.get_by_role("dialog", name=PROMPT["en-US"])).to_be_visible()
    other.get_by_test_id(f"host {server_id}").evaluate("row => row.click()")
    expect(page.get_by_test_id("prompt")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    wait_until(page, lambda: lights(page) == 0)


@pytest.mark.parametrize("width, height, scheme, language", [(375, 667, "light", "en-US"), (393, 852, "dark", "ko-KR")])
def test_the_viewfinder_speaks_the_language_of_the_phone(cameras, box, width, height, scheme, language):
    page = cameras().phone(
        box.address + APP, viewport={"width": width, "height": height}, color_scheme=scheme, locale=language)
    settle(page)
    screenshot(page, f"localllm-connect-{width}-{scheme}-{language}")
    button(page, SCAN[language]).tap()
    viewfinder = page.get_by_role("dialog", name=PROMPT[language])
    expect(viewfinder.get_by_text(PROMPT[language])).to_be_visible()
    settle(page)
    screenshot(page, f"localllm-viewfinder-{width}-{scheme}-{language}")
    assert audit(page) == []
