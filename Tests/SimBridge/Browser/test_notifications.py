"""SimBridge's settings of notifications."""

import json

import pytest
from audit import audit
from conftest import REFUSE_PUSH, button, screenshot, soak, wait_until
from playwright.sync_api import expect
from pushes import PushService
from test_simbridge import hosts, open_remote  # noqa: F401


@pytest.mark.parametrize("width, scheme", [(375, "light"), soak(393, "dark")])
def test_the_user_chooses_what_notifications_show(open_remote, width, scheme):  # noqa: F811
    page, _ = open_remote(viewport={"width": width, "height": 852}, color_scheme=scheme)
    page.context.grant_permissions(["notifications"])
    page.evaluate(REFUSE_PUSH)
    button(page, "Settings").tap()
    switch = page.get_by_role("switch", name="Notify when SimBridge is closed")
    expect(switch).not_to_be_checked()
    switch.scroll_into_view_if_needed()
    screenshot(page, f"simbridge-notifications-off-{scheme}")
    switch.tap()
    expect(switch).to_be_checked()
    choices = page.get_by_role("button", name="New text message")
    expect(choices).to_have_count(2)
    text = page.get_by_role("button", name="Sender and text")
    text.tap()
    text.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    screenshot(page, f"simbridge-notifications-on-{scheme}")
    assert not audit(page)
    switch.tap()
    expect(text).to_have_count(0)


@pytest.fixture
def ntfy(monkeypatch):
    """An ntfy server. To be named before `own_box`."""
    server = PushService(200)
    monkeypatch.setenv("SIMBRIDGE_NTFY_URL", server.origin)
    yield server
    server.close()


WORDS = {
    "en-US": (
        "Settings", "Notify when SimBridge is closed", "Notify through the ntfy app", "Notifications reach the ntfy app.",
        "Copy address", "Address copied"),
    "ko-KR": ("설정", "SimBridge를 닫아도 알림 받기", "ntfy 앱으로 알림 받기", "ntfy 앱으로 알림이 옵니다.", "주소 복사", "주소를 복사했습니다"),
}


@pytest.mark.parametrize("width, scheme, language", [
    (375, "light", "en-US"), soak(393, "dark", "en-US"), soak(375, "dark", "ko-KR"), soak(393, "light", "ko-KR")])
def test_a_phone_without_a_push_service_is_notified_by_ntfy(
        ntfy, own_box, open_remote, phones, width, scheme, language):  # noqa: F811
    settings, closed, through_ntfy, reached, copy, copied = WORDS[language]
    page, host = open_remote(
        box=own_box, locale=language, viewport={"width": width, "height": 667 if width == 375 else 852}, color_scheme=scheme)
    page.context.grant_permissions(["notifications", "clipboard-write"])
    page.evaluate(REFUSE_PUSH)
    button(page, settings).tap()
    page.get_by_role("switch", name=closed).tap()
    switch = page.get_by_role("switch", name=through_ntfy)
    expect(switch).not_to_be_checked()
    switch.scroll_into_view_if_needed()
    look = f"{width}-{scheme}-{language}"
    screenshot(page, f"simbridge-ntfy-off-{look}")
    switch.tap()
    expect(page.get_by_text(reached)).to_be_visible()
    link = page.get_by_test_id("ntfy-address")
    address = link.inner_text()
    assert address.startswith(ntfy.origin + "/simbridge-") and link.get_attribute("href") == address
    button(page, copy).tap()
    expect(button(page, copied)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    link.scroll_into_view_if_needed()
    screenshot(page, f"simbridge-ntfy-on-{look}")
    assert not audit(page)
    context = page.context
    page.close()

    host.say("receive 1 +15550123 Shall we meet?")
    with phones.tab(context) as waiting:
        wait_until(waiting, lambda: ntfy.pushes)
    [(path, _, body)] = ntfy.pushes
    push = json.loads(body)
    assert path == "/" and push["topic"] == address.removeprefix(ntfy.origin + "/")
    assert (push["title"], push["message"]) == ("SimBridge", "New text message" if language == "en-US" else "새 문자 메시지")
