"""A friend who cannot be reached: what the sender sees, and what SETTINGS say about a phone without a push service."""

import http.server
import json
import re
import threading

import pytest
from accounts import PagerUser
from conftest import screenshot
from handset import APP, choose, press
from playwright.sync_api import expect

# Chromium's push service cannot be reached. The keys are those of RFC 8291, section 5.
SUBSCRIPTION = {
    "expirationTime": None,
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
PUSH_MANAGER = """subscription => {
    const own = key => ({ endpoint: subscription.endpoint, options: { applicationServerKey: key }, toJSON: () => subscription,
                          unsubscribe: async () => true })
    let current = null
    PushManager.prototype.getSubscription = async () => current
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (!subscription) throw new DOMException("refused by the test", "AbortError")
        return current = own(applicationServerKey)
    }
}"""


class PushService:
    """A push service of the box's operator, which answers as it is told."""

    def __init__(self):
        self.status = 201
        self.encodings = []
        service = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                service.encodings.append(self.headers["Content-Encoding"])
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def browser(whole_browser):
    return whole_browser


@pytest.fixture
def push_service(monkeypatch):
    service = PushService()
    monkeypatch.setenv("PAGER2077_WEB_PUSH_ALLOW_ORIGIN", service.origin)
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture
def open_phone(push_service, own_box, new_phones):
    """Opens the pager of a user on a new phone, with or without a push service."""

    def open_phone(user, permission="granted", has_push=True, **options):
        context = new_phones.context(**options)
        if permission == "granted":
            context.grant_permissions(["notifications"])
        subscription = SUBSCRIPTION | {"endpoint": f"{push_service.origin}/{user.name}"} if has_push else None
        context.add_init_script(f"({PUSH_MANAGER})({json.dumps(subscription)})")
        user.sign_in(context)
        page = new_phones.tab(context, own_box.address + APP)
        if permission == "denied":
            page.context.new_cdp_session(page).send("Browser.setPermission", {
                "permission": {"name": "notifications"}, "setting": "denied", "origin": own_box.address})
            page.reload()
        return page

    return open_phone


def expect_setting(page, name, detail):
    expect(page.get_by_role("button", name=name)).to_have_text(re.compile(f"{name} *{detail} *$"))


LOOKS = [(375, "light", "en-US"), (393, "dark", "en-US"), (375, "dark", "ko-KR"), (393, "light", "ko-KR")]
WORDS = {
    "en-US": ("SETTINGS", "NOTIFICATIONS", "OFF", "NO PUSH", "FRIENDS", "NO WAY TO REACH", "CALL", "END", "MESSAGE"),
    "ko-KR": ("설정", "알림", "끔", "푸시 없음", "친구", "호출할 방법 없음", "통화", "종료", "메시지"),
}


@pytest.mark.parametrize("width, scheme, language", LOOKS)
def test_a_friend_without_a_phone_cannot_be_reached(own_box, open_phone, width, scheme, language):
    settings, notifications, off, no_push, friends, unreachable, call, end, message = WORDS[language]
    ada, bob = PagerUser(own_box, "Ada"), PagerUser(own_box, "Bob")
    ada.befriend(bob)
    page = open_phone(
        ada, has_push=False, viewport={"width": width, "height": 667 if width == 375 else 852}, color_scheme=scheme, locale=language)
    look = f"{width}-{scheme}-{language}"
    page.get_by_role("button", name=settings).first.tap()
    expect_setting(page, notifications, no_push)
    screenshot(page, f"pager-settings-no-push-{look}")
    choose(page, notifications)
    expect_setting(page, notifications, off)
    screenshot(page, f"pager-settings-off-{look}")
    press(page, end)
    page.get_by_role("button", name=friends, exact=True).first.tap()
    page.get_by_role("button", name="Bob").tap()
    page.get_by_label(message, exact=True).fill("WAKE UP")
    press(page, call)
    expect(page.get_by_test_id("delivery")).to_have_text(unreachable)
    screenshot(page, f"pager-delivery-unreachable-{look}")
