"""Fixtures and helpers of the browser tests: Chromium, the programs under test, and phones.

Every worker of pytest has one browser process, Chromium's headless shell, which needs less than half of the time that a whole Chromium
needs. The shell has no notifications: tests of these override the fixture `browser` with `whole_browser`. A phone is a browser context.
The tests of a module share a box, on which each test has phones and accounts of its own; a test that restarts or configures a box takes one
of its own.
"""

import atexit
import base64
import contextlib
import faulthandler
import functools
import gc
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
import traceback
import uuid
from urllib.parse import urlsplit

import pytest
from greenlet import greenlet
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from proxy import Proxy

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build" / "debug"
# The time in milliseconds that a page may take to show an element on a slow and busy machine. Only a failure waits this long.
TIMEOUT = 30_000
expect.set_options(timeout=TIMEOUT)
# The time in seconds that a whole test may take. Calls of the browser's own protocol have no limit.
TEST_LIMIT = 600
# True in `make soak`, which runs further forms of the tests: other sizes, languages and colour schemes, and faults that Swift tests show as well.
IS_SOAK = os.environ.get("SWITCHBOARD_SOAK") == "1"


class Program:
    """One of the servers, as a process."""

    def __init__(self, name: str, *arguments: str):
        self.command = [str(PROGRAMS / name), *arguments]
        self.port = "0"
        self.process = None

    def start(self) -> str:
        """Starts the program and returns the address that it prints. The address stays the same over restarts."""
        command = [*self.command, "--port", self.port]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("Listening on "), f"{command} printed {line!r}"
        self.address = line.removeprefix("Listening on ").strip()
        self.port = str(urlsplit(self.address).port)
        return self.address

    def stop(self, how=signal.SIGTERM):
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(how)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def restart(self, *pages: Page, how=signal.SIGTERM, meanwhile=lambda: None):
        """Ends the program, starts it again, and waits until the pages show the new process's tree."""
        for page in pages:
            page.evaluate("document.querySelector('.root').dataset.before = ''")
        self.stop(how)
        meanwhile()
        self.start()
        for page in pages:
            expect(page.locator("[data-before]")).to_have_count(0)


class Box(Program):
    """`switchboard serve` with an empty data folder."""

    def __init__(self, data: pathlib.Path, *arguments: str):
        super().__init__("switchboard", "serve", "--data", str(data), *database_options(), *arguments)
        self.data = data


@functools.cache
def postgresql() -> str:
    """The address of a PostgreSQL cluster that ends with this process."""
    server = subprocess.Popen([ROOT / "Scripts" / "postgresql-for-tests"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)
    return server.stdout.readline().strip()


def database_options() -> list[str]:
    """A PostgreSQL database of its own, where the tests are to run on one."""
    if os.environ.get("SWITCHBOARD_TEST_POSTGRESQL") != "1":
        return []
    name = f"box_{uuid.uuid4().hex}"
    subprocess.run(["psql", "--quiet", "--command", f"CREATE DATABASE {name}", postgresql()], check=True)
    return ["--database", postgresql().replace("/postgres?", f"/{name}?")]


def pytest_addoption(parser):
    parser.addoption("--screenshots", action="store_true", help="Keep pictures of screens in .build/screenshots.")


def pytest_configure(config):
    config.addinivalue_line("markers", "soak: for `make soak` only")
    os.chdir(ROOT)
    global keeps_screenshots, terminal
    keeps_screenshots = config.getoption("--screenshots")
    # Pytest captures what tests write, and loses it with the process.
    terminal = os.fdopen(os.dup(2), "w")


def pytest_collection_modifyitems(config, items):
    if IS_SOAK:
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


def soak(*values):
    """Values of parameters for `make soak` only."""
    return pytest.param(*values, marks=pytest.mark.soak)


@pytest.fixture(autouse=True)
def limited():
    """Ends the process of a test that does not end by itself, so that another worker goes on with the other tests. Shows where it stands."""
    def end():
        faulthandler.dump_traceback(terminal)
        # Playwright runs the test in a greenlet, which is not among the threads while it waits.
        for fiber in gc.get_objects():
            if isinstance(fiber, greenlet) and fiber.gr_frame:
                traceback.print_stack(fiber.gr_frame, file=terminal)
        terminal.flush()
        os._exit(1)

    timer = threading.Timer(TEST_LIMIT, end)
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


@pytest.fixture(scope="session")
def launch():
    """Launches a browser: `launch(program, *arguments)`."""
    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute("data-id")
        yield lambda program, *arguments: playwright.chromium.launch(
            executable_path=shutil.which(program), args=["--no-sandbox", *arguments])


@pytest.fixture(scope="session")
def browser(launch):
    browser = launch("chromium-headless-shell")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_browser(launch):
    """Chromium as people have it, with notifications."""
    browser = launch("chromium")
    yield browser
    browser.close()


# A camera and a microphone that see and hear what a file contains. The shell asks nobody: its user allows every page both, or none.
FAKE_DEVICES = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


@pytest.fixture(scope="session")
def refusing_browser(launch):
    """A browser whose user refuses the camera and the microphone."""
    browser = launch("chromium-headless-shell", *FAKE_DEVICES, "--use-fake-ui-for-media-stream=deny")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def gallery():
    """The address of the gallery. Its pages keep nothing, so all tests of a worker share one."""
    program = Program("gallery")
    yield program.start()
    program.stop()


@pytest.fixture
def own_gallery():
    """A gallery that the test may restart."""
    program = Program("gallery")
    program.start()
    yield program
    program.stop()


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """The box of a module's tests."""
    box = Box(tmp_path_factory.mktemp("box") / "data")
    box.start()
    yield box
    box.stop()


@pytest.fixture
def own_box(tmp_path):
    """A box that the test may restart."""
    box = Box(tmp_path / "data")
    box.start()
    yield box
    box.stop()


@pytest.fixture(scope="session")
def gallery_proxy(gallery):
    proxy = Proxy(gallery)
    yield proxy
    proxy.close()


@pytest.fixture
def proxy(gallery_proxy, gallery):
    """A proxy in front of the gallery, always at the same address."""
    yield gallery_proxy
    gallery_proxy.reset(gallery)


@pytest.fixture
def box_proxy(box):
    """A proxy in front of the module's box."""
    proxy = Proxy(box.address)
    yield proxy
    proxy.close()


class Phones:
    """Makes phones: browser contexts of iPhone size, each with cookies of its own.

    A context that a test has used is cleared of cookies, permissions and routes and used again: its cache saves the next phone the load of
    all files.
    """

    def __init__(self, browser: Browser, unused: dict[tuple[Browser, str], list[BrowserContext]] | None = None):
        self.browser = browser
        self.unused = unused
        self.contexts: list[tuple[object, BrowserContext]] = []
        self.problems: list[str] = []

    def __call__(self, address: str | None = None, **options) -> Page:
        return self.tab(self.context(**options), address)

    def context(self, browser: Browser | None = None, **options) -> BrowserContext:
        """A phone without a page, of another browser if one is given."""
        browser = browser or self.browser
        options = {
            "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True,
            "color_scheme": "light", "locale": "en-US", "reduced_motion": "reduce",
        } | options
        kind = (browser, json.dumps(options, sort_keys=True))
        if self.unused is not None and self.unused.get(kind):
            context = self.unused[kind].pop()
        else:
            context = browser.new_context(**options)
            context.set_default_timeout(TIMEOUT)
        self.contexts.append((kind, context))
        return context

    def tab(self, context: BrowserContext, address: str | None = None) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._note)
        if address:
            log: list[str] = []
            page.on("console", lambda message: log.append(message.text))
            page.on("requestfailed", lambda request: log.append(f"{request.url}: {request.failure}"))
            page.goto(address)
            try:
                page.locator(".root").wait_for()
            except PlaywrightTimeout as error:
                raise AssertionError(f"The page shows no app. It logged {log}, and contains {page.content()}") from error
        return page

    def close(self):
        for kind, context in self.contexts:
            if self.unused is None:
                context.close()
                continue
            for page in context.pages:
                page.close()
            context.clear_cookies()
            context.clear_permissions()
            context.unroute_all()
            self.unused.setdefault(kind, []).append(context)

    def _note(self, message):
        # A lost connection is part of many tests, and the browser's own message about it.
        if message.type in ("error", "warning") and "WebSocket" not in message.text and "ERR_" not in message.text:
            self.problems.append(f"{message.type}: {message.text}")


@pytest.fixture(scope="session")
def unused_contexts():
    """The contexts of earlier tests, by their browser and options."""
    return {}


@pytest.fixture
def phones(browser, unused_contexts):
    """Makes phones. Fails the test when a page logged an error or a warning."""
    phones = Phones(browser, unused_contexts)
    yield phones
    phones.close()
    assert not phones.problems


@pytest.fixture
def new_phones(browser):
    """Makes phones like `phones`, whose caches are empty."""
    phones = Phones(browser)
    yield phones
    phones.close()
    assert not phones.problems


@pytest.fixture
def phone(phones, gallery):
    """A phone that shows the gallery's list."""
    return phones(gallery)


@pytest.fixture
def open_page(phones, gallery):
    """Opens a page of the gallery on a new phone."""

    def open_page(title: str, address: str | None = None, **options) -> Page:
        page = phones(address or gallery, **options)
        visit(page, title)
        return page

    return open_page


# Finding things


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def field(page: Page | Locator, name: str) -> Locator:
    return page.get_by_label(name, exact=True)


def heading(page: Page | Locator, name: str) -> Locator:
    """The title in the navigation bar of the top page."""
    return page.get_by_role("heading", name=name, exact=True, level=1)


def notice(page: Page) -> Locator:
    """The notice about the connection."""
    return page.locator("#pill")


def visit(page: Page, title: str):
    """Opens a page of the gallery from its list."""
    button(page, title).tap()
    expect(heading(page, title)).to_be_visible()
    settle(page)


def go_back(page: Page):
    """Taps the back button, and waits until the page has left."""
    count = page.locator(".page").count()
    page.locator(".page:not(.covered) .back").last.tap()
    expect(page.locator(".page")).to_have_count(count - 1)
    settle(page)


# Waiting


def settle(page: Page):
    """Waits for two frames, and for the end of all animations that end."""
    page.evaluate("""async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        const ends = animation => animation.effect.getComputedTiming().endTime !== Infinity
        await Promise.allSettled(document.getAnimations().filter(ends).map(animation => animation.finished))
    }""")


def wait_until(page: Page, condition):
    """Waits for something that only Python can see."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while not condition():
        assert time.monotonic() < deadline
        # Lets Playwright handle events meanwhile.
        page.wait_for_timeout(10)


def tap_until(target: Locator, condition):
    """Taps a button again and again: it may be replaced under the finger."""
    def is_done():
        try:
            target.tap(timeout=1000)
        except PlaywrightTimeout:
            pass
        return condition()

    wait_until(target.page, is_done)


# The connection and the background


def cut(proxy: Proxy, page: Page):
    """Cuts the connection, and waits until the page reports it."""
    proxy.cut()
    expect(notice(page)).to_have_text("Reconnecting…")


def mend(proxy: Proxy, page: Page):
    """Restores the connection. The browser notifies the page, which reconnects at once."""
    proxy.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(notice(page)).to_have_text("")


SHOW_AWAY = """async isAway => {
    const file = performance.getEntriesByType("resource").find(entry => entry.name.endsWith("/pill.js")).name
    const pill = await import(file)
    pill.showAway(isAway)
}"""


@contextlib.contextmanager
def lost_box(page: Page):
    """Shows the page without its box, as a lost connection does."""
    page.evaluate(SHOW_AWAY, True)
    expect(notice(page)).to_have_text("Reconnecting…")
    yield
    page.evaluate(SHOW_AWAY, False)


# Browsers log an error when a private window asks its push service.
REFUSE_PUSH = "() => { PushManager.prototype.subscribe = async () => { throw new DOMException('no push service', 'AbortError') } }"


def put_in_background(page: Page):
    """Hides the page. A notification that it shows is written to `data-notice` of its body; `window.lastNotification` can be tapped."""
    page.evaluate(REFUSE_PUSH)
    page.evaluate("""() => {
        window.Notification = { permission: "granted" }
        ServiceWorkerRegistration.prototype.showNotification = async (title, { body, data }) => {
            document.body.dataset.notice = `${title}: ${body}`
            // As the service worker reports a tap.
            const tap = () => new MessageEvent("message", { data: { tapped: data.tag } })
            window.lastNotification = { onclick: () => navigator.serviceWorker.dispatchEvent(tap()) }
        }
        Object.defineProperty(document, "hidden", { value: true, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
    }""")


def bring_to_front(page: Page):
    """Shows a page again that was put in the background."""
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: false, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
    }""")


def record(page: Page):
    """Records every frame that the page sends from now on, for `sent`."""
    page.evaluate("""() => {
        window.sent = []
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (text) { if (typeof text === "string") window.sent.push(JSON.parse(text)); send.call(this, text) }
    }""")


def sent(page: Page, event: str) -> list[dict]:
    """The recorded frames of one kind of event."""
    return [frame for frame in page.evaluate("window.sent") if frame.get("e") == event]


# Fingers and fields


class Finger:
    """One finger on the screen. Playwright itself only taps."""

    def __init__(self, page: Page):
        self.page = page
        self.screen = page.context.new_cdp_session(page)

    def down(self, x: float, y: float):
        self.place = (x, y)
        self._dispatch("touchStart")

    def move(self, x: float, y: float, steps: int = 8):
        from_x, from_y = self.place
        for step in range(1, steps + 1):
            self.place = (from_x + (x - from_x) * step / steps, from_y + (y - from_y) * step / steps)
            self._dispatch("touchMove")

    def up(self):
        self._dispatch("touchEnd")

    def drag(self, start: tuple[float, float], end: tuple[float, float]):
        """Drags from one place to another and rests there, so that nothing is flung."""
        self.down(*start)
        self.move(*end)
        # The page measures speed over a tenth of a second.
        self.page.wait_for_timeout(100)
        self.up()

    def _dispatch(self, kind: str):
        places = [] if kind == "touchEnd" else [{"x": self.place[0], "y": self.place[1]}]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


def center(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def caret(field: Locator) -> int:
    return field.evaluate("el => el.selectionStart")


def put_caret(field: Locator, place: int):
    field.evaluate("(el, place) => el.setSelectionRange(place, place)", place)


# Looks


def enlarge(page: Page, size: int = 20):
    """Sets the browser's text size to `size` px; the default is 16."""
    page.evaluate("size => { document.documentElement.style.fontSize = `${size}px` }", size)


keeps_screenshots = False


def screenshot(page: Page, name: str):
    """Saves a picture of the screen in `.build/screenshots`, if the option is set."""
    if not keeps_screenshots:
        return
    # Symbols come from a file of their own.
    page.wait_for_load_state("networkidle")
    settle(page)
    folder = ROOT / ".build" / "screenshots"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


def brightness(page: Page) -> float:
    """The mean brightness of the screen: 0 is black, 1 is white."""
    settle(page)
    return page.evaluate("""async picture => {
        const bytes = Uint8Array.from(atob(picture), sign => sign.charCodeAt(0))
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
        const canvas = new OffscreenCanvas(64, 64).getContext("2d")
        canvas.drawImage(bitmap, 0, 0, 64, 64)
        const { data } = canvas.getImageData(0, 0, 64, 64)
        let sum = 0
        for (let at = 0; at < data.length; at += 4) sum += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]
        return sum / (data.length / 4) / 255
    }""", base64.b64encode(page.screenshot(scale="css")).decode())


def broken_words(page: Page) -> list[str]:
    """The Korean words on the screen that are broken over two lines."""
    return page.evaluate("""() => [...document.querySelectorAll(".text, .title, .large, .message, p, h1, h2")].flatMap(el => {
        if (!el.checkVisibility({ visibilityProperty: true })) return []
        const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT)
        const words = []
        while (texts.nextNode()) {
            for (const { 0: word, index } of texts.currentNode.data.matchAll(/[가-힣]{2,}/g)) {
                const range = document.createRange()
                range.setStart(texts.currentNode, index)
                range.setEnd(texts.currentNode, index + word.length)
                if (new Set([...range.getClientRects()].map(rect => Math.round(rect.top))).size > 1) words.push(word)
            }
        }
        return words
    })""")
