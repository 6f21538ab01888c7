"""Notifications: pushes in the service worker, their taps, permission and subscription."""

import base64
import json
import signal

import pytest
from conftest import bring_to_front, button, visit, wait_until
from playwright.sync_api import expect
from pushes import COUNT, Pushes, deny_notifications, has_worker

PAGER = "/apps/pager2077/"

# A push service: Chromium's own cannot be reached. It keeps one subscription for each app, as browsers do.
PUSH_SERVICE = """() => {
    const place = `push service ${location.pathname}`
    const refuse = name => { throw new DOMException("refused by the test", name) }
    class Subscription {
        constructor({ endpoint, key }) {
            this.endpoint = endpoint
            this.options = { userVisibleOnly: true, applicationServerKey: Uint8Array.from(key).buffer }
        }
        toJSON() { return { endpoint: this.endpoint, expirationTime: null, keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } } }
        async unsubscribe() { localStorage.removeItem(place); return true }
    }
    PushManager.prototype.getSubscription = async () => {
        const kept = localStorage.getItem(place)
        return kept && Notification.permission === "granted" ? new Subscription(JSON.parse(kept)) : null
    }
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (Notification.permission !== "granted" || !userVisibleOnly) refuse("NotAllowedError")
        if (localStorage.getItem("no push service")) refuse("AbortError")
        const kept = JSON.parse(localStorage.getItem(place))
        if (kept && String(kept.key) !== String(applicationServerKey)) refuse("InvalidStateError")
        const count = Number(localStorage.getItem("subscriptions") ?? 0) + (kept ? 0 : 1)
        localStorage.setItem("subscriptions", count)
        const subscription = kept ?? { endpoint: `https://push.test/${count}`, key: [...applicationServerKey] }
        localStorage.setItem(place, JSON.stringify(subscription))
        return new Subscription(subscription)
    }
}"""

@pytest.fixture
def browser(whole_browser):
    return whole_browser


@pytest.fixture
def phones(new_phones):
    """Phones without service workers and notifications of other tests."""
    return new_phones


def open_phone(phones, address, *permissions, context=None):
    """A phone with a push service, on the gallery's page Phone."""
    context = context or phones.context()
    if permissions:
        context.grant_permissions(list(permissions))
    context.add_init_script(f"({PUSH_SERVICE})()")
    page = phones.tab(context, address)
    has_worker(page)
    visit(page, "Phone")
    return page


@pytest.fixture
def page(phones, gallery):
    return open_phone(phones, gallery, "notifications")


@pytest.fixture
def pushes(page, gallery):
    return Pushes(page.context, gallery)


def show(page):
    """Shows a notification of the page."""
    page.evaluate(COUNT)
    count = page.evaluate("() => self.taken")
    button(page, "Show").tap()
    wait_until(page, lambda: page.evaluate("() => self.taken") > count)


def row(page, name):
    return page.get_by_test_id(name)


PUSH = {"title": "Ada", "body": "WAKE UP", "tag": "chat-1", "shown": "/api/pushes/a/shown", "opened": "/api/pushes/a/opened"}


def test_a_push_is_shown_and_reported(pushes):
    pushes.deliver(PUSH)
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))
    wait_until(pushes.context.pages[0], lambda: pushes.reports)
    assert pushes.reports == [("POST", "/api/pushes/a/shown", None)]
    icon = pushes.worker.evaluate("async () => (await self.registration.getNotifications())[0].icon")
    own = pushes.context.request.get(pushes.scope + "icon-192.png").body()
    assert base64.b64decode(icon.removeprefix("data:image/png;base64,")) == own


def test_one_notification_is_shown_for_each_tag(page, pushes):
    pushes.deliver(PUSH)
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))
    pushes.deliver(PUSH | {"body": "NOW", "shown": "/api/pushes/b/shown"})
    pushes.deliver(PUSH | {"title": "Bob", "tag": "chat-2"})
    pushes.expect_shown(("Ada", "NOW", "chat-1"), ("Bob", "WAKE UP", "chat-2"))
    # A notification of the page takes the place of a push, and the other way round.
    pushes.deliver(PUSH | {"tag": "gallery"})
    pushes.expect_shown(("Ada", "NOW", "chat-1"), ("Bob", "WAKE UP", "chat-2"), ("Ada", "WAKE UP", "gallery"))
    show(page)
    pushes.expect_shown(
        ("Ada", "NOW", "chat-1"), ("Bob", "WAKE UP", "chat-2"), ("From the page", "A local notification", "gallery"))
    pushes.deliver(PUSH | {"tag": "gallery"})
    pushes.expect_shown(("Ada", "NOW", "chat-1"), ("Bob", "WAKE UP", "chat-2"), ("Ada", "WAKE UP", "gallery"))
    # Any page of the app removes it.
    button(page, "Remove").tap()
    pushes.expect_shown(("Ada", "NOW", "chat-1"), ("Bob", "WAKE UP", "chat-2"))


def test_a_notification_of_the_page_outlives_it(page, pushes):
    show(page)
    pushes.expect_shown(("From the page", "A local notification", "gallery"))
    page.close()
    assert pushes.shown() == [["From the page", "A local notification", "gallery"]]


@pytest.mark.parametrize("payload", ["", "{", "[]", "null", '{"title":1,"body":[],"tag":{},"badge":-1,"shown":"//evil.test/"}'])
def test_an_unreadable_push_shows_the_name_of_the_app(pushes, payload):
    pushes.deliver(payload)
    pushes.expect_shown(("Gallery", "", "push"))
    # The worker still handles the next one.
    pushes.deliver(PUSH)
    pushes.expect_shown(("Gallery", "", "push"), ("Ada", "WAKE UP", "chat-1"))


def test_a_tap_leads_to_the_open_page(page, pushes):
    pushes.deliver(PUSH)
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))
    assert pushes.tap("chat-1") == []
    expect(row(page, "lastTap")).to_have_text("chat-1")
    assert pushes.shown() == []
    wait_until(page, lambda: len(pushes.reports) == 2)
    assert pushes.reports[1] == ("POST", "/api/pushes/a/opened", None)


def test_a_tap_without_a_page_opens_the_app_with_the_tag(phones, own_gallery):
    page = open_phone(phones, own_gallery.address, "notifications")
    pushes = Pushes(page.context, own_gallery.address)
    page.close()
    pushes.deliver(PUSH | {"tag": "chat-1 #&ü"})
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1 #&ü"))
    address, = pushes.tap("chat-1 #&ü")
    # The app, and the box too, began after the tap.
    own_gallery.restart(how=signal.SIGKILL)
    page = phones.tab(pushes.context, pushes.origin + address)
    assert page.url == own_gallery.address
    visit(page, "Phone")
    expect(row(page, "lastTap")).to_have_text("chat-1 #&ü")


def test_a_push_is_shown_while_the_box_is_unreachable(phones, proxy):
    page = open_phone(phones, proxy.address, "notifications")
    pushes = Pushes(page.context, proxy.address)
    page.close()
    # Not even refused: the box is in another network.
    proxy.drops_events = True
    pushes.deliver(PUSH | {"shown": "/health"})
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))


def test_a_tap_while_the_box_is_unreachable_leads_to_the_app_later(phones, proxy):
    page = open_phone(phones, proxy.address, "notifications")
    pushes = Pushes(page.context, proxy.address)
    pushes.deliver(PUSH)
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))
    proxy.cut()
    page.reload()
    expect(page.get_by_role("heading", name="Switchboard cannot be reached", exact=True)).to_be_visible()
    assert pushes.tap("chat-1") == []
    wait_until(page, lambda: "#notification=chat-1" in page.url)
    proxy.mend()
    button(page, "Try again").tap()
    expect(row(page, "lastTap")).to_have_text("chat-1")


def test_an_address_that_pretends_a_broken_tag_opens_the_app(phones, gallery):
    page = phones(f"{gallery}#notification=%E0%A4%A")
    assert page.url == gallery
    visit(page, "Phone")
    expect(row(page, "lastTap")).to_have_text("none")
    expect(row(page, "opened")).to_have_text("nothing")


def test_permission_that_is_given_later_gives_an_address(phones, gallery):
    page = open_phone(phones, gallery)
    expect(row(page, "permission")).to_have_text("undecided")
    expect(row(page, "pushAddress")).to_have_text("none")
    page.context.grant_permissions(["notifications"])
    # In the browser's own settings, while another page is in front.
    bring_to_front(page)
    expect(row(page, "permission")).to_have_text("granted")
    expect(row(page, "pushAddress")).to_have_text("https://push.test/1")
    # Another page of the app has the same subscription.
    other = phones.tab(page.context, gallery)
    visit(other, "Phone")
    expect(row(other, "pushAddress")).to_have_text("https://push.test/1")
    other.close()
    page.context.clear_permissions()
    bring_to_front(page)
    expect(row(page, "pushAddress")).to_have_text("none")


def test_a_denied_permission_gives_no_address(phones, gallery):
    context = phones.context()
    page = open_phone(phones, gallery, context=context)
    deny_notifications(phones, page)
    bring_to_front(page)
    expect(row(page, "permission")).to_have_text("denied")
    button(page, "Ask").tap()
    expect(row(page, "permission")).to_have_text("denied")
    expect(row(page, "pushAddress")).to_have_text("none")
    button(page, "Show").tap()
    pushes = Pushes(context, gallery)
    button(page, "Count").tap()
    expect(row(page, "count")).to_have_text("1")
    assert pushes.shown() == []


def test_a_subscription_that_ends_is_replaced(page, pushes):
    expect(row(page, "pushAddress")).to_have_text("https://push.test/1")
    page.evaluate("localStorage.removeItem(`push service ${location.pathname}`)")
    pushes.worker.evaluate("""async () => {
        const event = new ExtendableEvent("pushsubscriptionchange")
        Object.defineProperty(event, "waitUntil", { value: promise => promise })
        self.dispatchEvent(event)
    }""")
    expect(row(page, "pushAddress")).to_have_text("https://push.test/2")


def test_a_subscription_that_ended_while_no_page_was_open_is_replaced(page):
    expect(row(page, "pushAddress")).to_have_text("https://push.test/1")
    page.evaluate("localStorage.removeItem(`push service ${location.pathname}`)")
    page.reload()
    expect(row(page, "pushAddress")).to_have_text("https://push.test/2")


def test_a_subscription_for_another_key_is_replaced(page):
    expect(row(page, "pushAddress")).to_have_text("https://push.test/1")
    page.evaluate("""() => {
        const place = `push service ${location.pathname}`
        localStorage.setItem(place, JSON.stringify({ ...JSON.parse(localStorage.getItem(place)), key: [4, 1, 2] }))
    }""")
    # The app requests its address again.
    button(page, "Ask").tap()
    expect(row(page, "pushAddress")).to_have_text("https://push.test/2")


def test_without_a_push_service_there_is_no_address(phones, gallery):
    context = phones.context()
    context.add_init_script("localStorage.setItem('no push service', '1')")
    page = open_phone(phones, gallery, "notifications", context=context)
    expect(row(page, "permission")).to_have_text("granted")
    expect(row(page, "pushAddress")).to_have_text("none")


def test_a_page_without_a_worker_shows_its_own_notifications(phones, gallery):
    page = phones()
    page.context.grant_permissions(["notifications"])
    # As on a page without TLS.
    page.add_init_script("""
        delete Navigator.prototype.serviceWorker
        class Shown extends Notification {
            constructor(title, { body, tag }) { super(title, { body, tag }); document.body.dataset.notice = `${title}: ${body}`; window.last = this }
        }
        window.Notification = Shown
    """)
    page.goto(gallery)
    visit(page, "Phone")
    expect(row(page, "permission")).to_have_text("granted")
    expect(row(page, "pushAddress")).to_have_text("none")
    button(page, "Show").tap()
    expect(page.locator("body")).to_have_attribute("data-notice", "From the page: A local notification")
    page.evaluate("window.last.onclick()")
    expect(row(page, "lastTap")).to_have_text("gallery")


def test_the_badge_is_set_by_the_page_and_by_a_push(page, pushes):
    record = "() => { self.badges = []; navigator.setAppBadge = async count => { self.badges.push(count) } }"
    page.evaluate(record)
    pushes.worker.evaluate(record)
    button(page, "Badge 0").tap()
    button(page, "Badge 1").tap()
    wait_until(page, lambda: page.evaluate("() => self.badges") == [1, 2])
    pushes.deliver(PUSH | {"badge": 7})
    wait_until(page, lambda: pushes.worker.evaluate("() => self.badges") == [7])


def test_each_app_has_a_worker_of_its_own(phones, own_box):
    context = phones.context()
    context.grant_permissions(["notifications"])
    home = phones.tab(context, own_box.address)
    has_worker(home)
    pager = phones.tab(context, own_box.address + PAGER)
    has_worker(pager)
    root = own_box.address.rstrip("/") + "/"
    scopes = pager.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).map(each => each.scope).sort()")
    assert scopes == [root, root + PAGER.lstrip("/")]
    pushes = Pushes(context, root + PAGER.lstrip("/"))
    pushes.deliver("")
    pushes.expect_shown(("Pager2077", "", "push"))
    pushes.scope = root
    assert pushes.shown() == []
    # Each shows the offline page.
    own_box.stop()
    for page in (home, pager):
        page.reload()
        expect(page.get_by_role("heading", name="Switchboard cannot be reached", exact=True)).to_be_visible()


def test_a_forgotten_phone_shows_no_notifications(phones, own_box):
    # `phones` would close its own context. Chromium sometimes never closes one whose page was just replaced, so this one ends with the browser.
    context = phones.browser.new_context(has_touch=True, locale="en-US")
    context.grant_permissions(["notifications"])
    pager = phones.tab(context, own_box.address + PAGER)
    has_worker(pager)
    pushes = Pushes(context, own_box.address.rstrip("/") + PAGER)
    pushes.deliver(PUSH)
    pushes.expect_shown(("Ada", "WAKE UP", "chat-1"))
    pager.close()
    home = phones.tab(context, own_box.address)
    button(home, "Settings").tap()
    button(home, "Forget this phone").tap()
    with home.expect_navigation():
        button(home.locator("dialog.confirm"), "Forget this phone").tap()
    expect(button(home, "Settings")).to_be_visible()
    pushes.expect_shown()
