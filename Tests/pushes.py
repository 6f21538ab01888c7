"""Push services of the tests, and the service workers that get their pushes."""

import http.server
import json
import threading
from email.message import Message
from urllib.parse import urlsplit

from conftest import wait_until

# Counts the notifications that Chromium has taken. It may drop one whose `getNotifications` is called before.
COUNT = """() => {
    if (self.taken !== undefined) return
    self.taken = 0
    const { prototype } = ServiceWorkerRegistration
    const show = prototype.showNotification
    prototype.showNotification = async function (...all) { await show.apply(this, all); self.taken += 1 }
}"""


class Pushes:
    """Delivers pushes to the service workers of a context, and records their reports.

    With `answers_reports` the reports do not reach the box.
    """

    def __init__(self, context, address, answers_reports=True):
        self.context = context
        parts = urlsplit(address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.scope = address
        self.reports = []
        self.registrations = {}
        # A page of its own, which is none of the app's.
        self.browser = context.new_cdp_session(context.new_page())
        self.browser.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self.browser.send("ServiceWorker.enable")
        if answers_reports:
            context.route("**/api/pushes/**", self._report)

    def _note(self, event):
        for registration in event["registrations"]:
            self.registrations[registration["scopeURL"]] = registration["registrationId"]

    def _report(self, route):
        headers = route.request.all_headers()
        self.reports.append((route.request.method, urlsplit(route.request.url).path, headers.get("cookie")))
        route.fulfill(status=204)

    @property
    def worker(self):
        return next(worker for worker in self.context.service_workers if self.scope_of(worker) == self.scope)

    @staticmethod
    def scope_of(worker) -> str:
        return worker.evaluate("self.registration.scope")

    def deliver(self, payload):
        """Delivers a push, and waits for its notification."""
        data = payload if isinstance(payload, str) else json.dumps(payload)
        page = self.context.pages[0]
        wait_until(page, lambda: self.scope in self.registrations)
        worker = self.worker
        worker.evaluate(COUNT)
        count = worker.evaluate("() => self.taken")
        self.browser.send("ServiceWorker.deliverPushMessage", {
            "origin": self.origin, "registrationId": self.registrations[self.scope], "data": data})
        wait_until(page, lambda: worker.evaluate("() => self.taken") > count)

    def shown(self) -> list:
        """Title, text and tag of the notifications on the screen."""
        return self.worker.evaluate("""async () => (await self.registration.getNotifications())
            .map(({ title, body, tag }) => [title, body, tag]).sort()""")

    def expect_shown(self, *notifications):
        wait_until(self.context.pages[0], lambda: self.shown() == sorted(list(each) for each in notifications))

    def tap(self, tag: str) -> list:
        """Taps a notification. Returns the addresses of the pages that the worker opens, which Chromium does only after a finger's tap."""
        return self.worker.evaluate("""async tag => {
            const opened = []
            Clients.prototype.openWindow = async address => { opened.push(address) }
            const [notification] = await self.registration.getNotifications({ tag })
            const event = new NotificationEvent("notificationclick", { notification })
            let work
            Object.defineProperty(event, "waitUntil", { value: promise => { work = promise } })
            self.dispatchEvent(event)
            await work
            return opened
        }""", tag)


def has_worker(page):
    """Waits until the service worker of the page's own path has taken it over."""
    page.wait_for_function("""async () => (await navigator.serviceWorker.getRegistration())?.active?.state === "activated"
        && (await navigator.serviceWorker.getRegistration()).scope === location.origin + location.pathname
        && navigator.serviceWorker.controller !== null""")



def deny_notifications(phones, page):
    """Denies notifications to the origin of the page, as the user does in the browser's settings."""
    parts = urlsplit(page.url)
    info = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    phones.browser.new_browser_cdp_session().send("Browser.setPermission", {
        "permission": {"name": "notifications"}, "setting": "denied", "origin": f"{parts.scheme}://{parts.netloc}",
        "browserContextId": info["browserContextId"]})


class PushService:
    """A push service of the box's operator on loopback. Keeps what it accepts."""

    def __init__(self, status: int):
        self.pushes: list[tuple[str, Message, bytes]] = []
        service = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.pushes.append((self.path, self.headers, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
