"""Pages for a friend whose app is closed: by Web Push, by ntfy, or not at all; and what SETTINGS say about the phone."""

import base64
import json
import re
from urllib.parse import urlsplit

import pytest
from accounts import PagerUser
from audit import audit
from conftest import bring_to_front, screenshot, soak, wait_until
from handset import APP, choose, open_chat, press, send, wait_for_menu
from playwright.sync_api import expect
from proxy import Proxy
from pushes import Pushes, PushService, deny_notifications, has_worker

# Chromium's push service cannot be reached. This one has a new key pair for each subscription; `pushKeys` has the secrets of the last.
PUSH_MANAGER = """endpoint => {
    const encode = bytes => new Uint8Array(bytes).toBase64({ alphabet: "base64url", omitPadding: true })
    let current = null
    PushManager.prototype.getSubscription = async () => current
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (!endpoint) throw new DOMException("refused by the test", "AbortError")
        const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])
        const keys = {
            p256dh: encode(await crypto.subtle.exportKey("raw", pair.publicKey)), auth: encode(crypto.getRandomValues(new Uint8Array(16))) }
        window.pushKeys = {
            ...keys, server: encode(applicationServerKey), private: await crypto.subtle.exportKey("jwk", pair.privateKey) }
        return current = {
            endpoint, options: { applicationServerKey }, toJSON: () => ({ endpoint, expirationTime: null, keys }),
            unsubscribe: async () => true }
    }
}"""

# RFC 8188, RFC 8291 and RFC 8292 as a browser and its push service read them: verifies the sender's token and decrypts the body.
READ_PUSH = """async ([authorization, body, keys]) => {
    const decode = text => Uint8Array.fromBase64(text, { alphabet: "base64url" })
    const text = word => new TextEncoder().encode(word)
    const join = (...parts) => new Uint8Array(parts.flatMap(part => [...part]))
    const derive = async (salt, secret, info, length) => new Uint8Array(await crypto.subtle.deriveBits(
        { name: "HKDF", hash: "SHA-256", salt, info }, await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]), length * 8))
    const [, token, key] = authorization.match(/^vapid t=([^,]+), k=(.+)$/)
    const [head, claims, signature] = token.split(".")
    const signer = await crypto.subtle.importKey("raw", decode(key), { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"])
    const isSigned = await crypto.subtle.verify(
        { name: "ECDSA", hash: "SHA-256" }, signer, decode(signature), text(`${head}.${claims}`))
    const bytes = decode(body)
    const [salt, sender, record] = [bytes.slice(0, 16), bytes.slice(21, 21 + bytes[20]), bytes.slice(21 + bytes[20])]
    const curve = { name: "ECDH", namedCurve: "P-256" }
    const own = await crypto.subtle.importKey("jwk", keys.private, curve, false, ["deriveBits"])
    const theirs = await crypto.subtle.importKey("raw", sender, curve, false, [])
    const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, own, 256))
    const secret = await derive(
        decode(keys.auth), shared, join(text("WebPush: info"), [0], decode(keys.p256dh), sender), 32)
    const content = await crypto.subtle.importKey(
        "raw", await derive(salt, secret, join(text("Content-Encoding: aes128gcm"), [0]), 16), "AES-GCM", false, ["decrypt"])
    const nonce = await derive(salt, secret, join(text("Content-Encoding: nonce"), [0]), 12)
    const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce }, content, record))
    const { aud } = JSON.parse(new TextDecoder().decode(decode(claims)))
    // The last byte is the delimiter of the only record.
    return { isSigned, key, aud, end: plain.at(-1), text: new TextDecoder().decode(plain.slice(0, -1)) }
}"""


@pytest.fixture
def browser(whole_browser):
    return whole_browser


@pytest.fixture
def push_service(monkeypatch):
    service = PushService(201)
    monkeypatch.setenv("PAGER2077_WEB_PUSH_ALLOW_ORIGIN", service.origin)
    yield service
    service.close()


@pytest.fixture
def ntfy(monkeypatch):
    """An ntfy server. To be named before `own_box`."""
    server = PushService(200)
    monkeypatch.setenv("PAGER2077_NTFY_URL", server.origin)
    yield server
    server.close()


@pytest.fixture
def own_box(push_service, own_box):
    """A box that was started with the push service in its settings."""
    return own_box


@pytest.fixture
def open_phone(push_service, own_box, new_phones):
    """Opens the pager of a user on a new phone, with or without a push service; `address` is the one that the phone knows the box by."""

    def open_phone(user, has_push=True, address=own_box.address, **options):
        context = new_phones.context(**options)
        context.grant_permissions(["notifications"])
        endpoint = f"{push_service.origin}/{user.name}" if has_push else None
        context.add_init_script(f"({PUSH_MANAGER})({json.dumps(endpoint)})")
        user.sign_in(context, address)
        return new_phones.tab(context, address + APP)

    return open_phone


def expect_setting(page, name, detail):
    expect(page.get_by_role("button", name=name)).to_have_text(re.compile(f"{name} *{detail} *$"))


def is_paged(sender, recipient) -> bool:
    """True once a push service has accepted the notification of the only message."""
    [message] = sender.call("GET", f"messages/{recipient.id}")["messages"]
    return message.get("delivery") == "accepted"


def link_of(page):
    """The address of the topic."""
    return page.get_by_test_id("ntfy-address")


LOOKS = [(375, "light", "en-US"), soak(393, "dark", "en-US"), soak(375, "dark", "ko-KR"), soak(393, "light", "ko-KR")]
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


def test_a_friend_whose_app_is_closed_is_paged_and_reads_it(own_box, new_phones, open_phone, push_service):
    ada, bob = PagerUser(own_box, "Ada"), PagerUser(own_box, "Bob")
    ada.befriend(bob)
    closed = open_phone(bob)
    wait_for_menu(closed)
    choose(closed, "SETTINGS")
    expect_setting(closed, "NOTIFICATIONS", "ON")
    has_worker(closed)
    keys, app = closed.evaluate("window.pushKeys"), closed.url
    pushes = Pushes(closed.context, app, answers_reports=False)
    closed.close()

    page = open_phone(ada)
    wait_for_menu(page)
    open_chat(page, "Bob")
    send(page, "WAKE UP")
    delivery = page.get_by_test_id("delivery")
    expect(delivery).to_have_text("PAGED")
    [(path, headers, body)] = push_service.pushes
    assert (path, headers["Content-Encoding"], headers["Urgency"]) == ("/Bob", "aes128gcm", "high")
    assert b"WAKE UP" not in body
    push = pushes.worker.evaluate(READ_PUSH, [headers["Authorization"], base64.urlsafe_b64encode(body).decode(), keys])
    assert (push["isSigned"], push["key"], push["aud"], push["end"]) == (True, keys["server"], push_service.origin, 2)

    # The browser hands the push to the worker, which reports to the box; then Bob taps the notification.
    pushes.deliver(push["text"])
    pushes.expect_shown(("📟 Ada", "WAKE UP", f"chat-{ada.id}"))
    expect(delivery).to_have_text("BEEPED")
    address, = pushes.tap(f"chat-{ada.id}")
    expect(delivery).to_have_text("OPENED")
    read = new_phones.tab(pushes.context, pushes.origin + address)
    expect(read.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    expect(read.get_by_text("WAKE UP", exact=True)).to_be_visible()
    expect(delivery).to_have_text("READ")
    assert len(push_service.pushes) == 1


def test_a_friend_whose_phone_is_gone_without_a_word_is_paged(own_box, new_phones, open_phone, push_service):
    ada, bob = PagerUser(own_box, "Ada"), PagerUser(own_box, "Bob")
    ada.befriend(bob)
    proxy = Proxy(own_box.address)
    page = open_phone(bob, address=proxy.address)
    wait_for_menu(page)
    choose(page, "SETTINGS")
    expect_setting(page, "NOTIFICATIONS", "ON")
    # The box does not hear that the page is closed.
    proxy.stall()
    context = page.context
    page.close()
    ada.send(bob, "WAKE UP")
    with new_phones.tab(context) as waiting:
        wait_until(waiting, lambda: push_service.pushes)
        wait_until(waiting, lambda: is_paged(ada, bob))
    proxy.close()


NTFY_WORDS = {
    "en-US": ("SETTINGS", "NOTIFICATIONS", "ON", "OFF", "NO PUSH", "TURN ON", "TURN OFF", "COPY ADDRESS", "COPIED", "END"),
    "ko-KR": ("설정", "알림", "켬", "끔", "푸시 없음", "켜기", "끄기", "주소 복사", "복사했습니다", "종료"),
}


@pytest.mark.parametrize("width, scheme, language", LOOKS)
def test_a_phone_without_a_push_service_is_paged_by_ntfy(ntfy, own_box, new_phones, open_phone, width, scheme, language):
    settings, notifications, on, off, no_push, turn_on, turn_off, copy, copied, end = NTFY_WORDS[language]
    ada, bob = PagerUser(own_box, "Ada"), PagerUser(own_box, "Bob")
    ada.befriend(bob)
    page = open_phone(
        bob, has_push=False, viewport={"width": width, "height": 667 if width == 375 else 852}, color_scheme=scheme, locale=language)
    look = f"{width}-{scheme}-{language}"
    page.context.grant_permissions(["notifications", "clipboard-write"])
    page.get_by_role("button", name=settings).first.tap()
    expect_setting(page, notifications, no_push)
    expect_setting(page, "NTFY", off)
    screenshot(page, f"pager-settings-ntfy-{look}")
    choose(page, "NTFY")
    expect(page.get_by_role("button", name=turn_on)).to_be_visible()
    screenshot(page, f"pager-ntfy-off-{look}")
    choose(page, turn_on)
    link = link_of(page)
    expect(link).to_be_visible()
    address = link.inner_text()
    assert address.startswith(ntfy.origin + "/pager-") and link.get_attribute("href") == address
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    choose(page, copy)
    expect(page.get_by_text(copied)).to_be_visible()
    screenshot(page, f"pager-ntfy-on-{look}")
    assert not audit(page)
    press(page, end)
    expect_setting(page, "NTFY", on)
    expect_setting(page, notifications, on)
    context, app = page.context, page.url
    page.close()

    ada.send(bob, "WAKE UP")
    with new_phones.tab(context) as waiting:
        wait_until(waiting, lambda: ntfy.pushes)
        wait_until(waiting, lambda: is_paged(ada, bob))
    [(path, _, body)] = ntfy.pushes
    assert path == "/" and json.loads(body) == {
        "topic": address.removeprefix(ntfy.origin + "/"), "title": "📟 Ada", "message": "WAKE UP", "priority": 4}

    page = new_phones.tab(context, app)
    page.get_by_role("button", name=settings).first.tap()
    choose(page, "NTFY")
    expect(link_of(page)).to_have_text(address)
    choose(page, turn_off)
    expect(page.get_by_role("button", name=turn_on)).to_be_visible()
    expect(link_of(page)).to_have_count(0)
    press(page, end)
    expect_setting(page, notifications, no_push)


def test_blocked_notifications_are_said_to_be_blocked(own_box, new_phones, open_phone):
    page = open_phone(PagerUser(own_box, "Ada"))
    wait_for_menu(page)
    choose(page, "SETTINGS")
    expect_setting(page, "NOTIFICATIONS", "ON")
    deny_notifications(new_phones, page)
    bring_to_front(page)
    expect_setting(page, "NOTIFICATIONS", "BLOCKED")
    expect(page.get_by_text("ALLOW NOTIFICATIONS FOR THIS APP IN THE SETTINGS OF YOUR PHONE OR BROWSER")).to_be_visible()
    choose(page, "NOTIFICATIONS")
    expect(page.get_by_text("BLOCKED BY THIS PHONE")).to_be_visible()
