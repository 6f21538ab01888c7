"""What browser tests share: Chromium, the programs under test, and phones.

One browser process for all tests, a context of its own for each phone, a server for each story that changes one.
"""

import base64
import os
import pathlib
import shutil
import signal
import subprocess
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build" / "debug"
# What a page may take to show something, on a slow and busy machine. Nothing waits this long unless it fails.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


class Program:
    """One of our servers as a process, until the test is over."""

    def __init__(self, name: str, *arguments: str):
        self.command = [str(PROGRAMS / name), *arguments]
        self.port = "0"
        self.process = None

    def start(self) -> str:
        """Starts it and returns the address that it prints first; it keeps that, however often it is started."""
        command = [*self.command, "--port", self.port]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("Listening on "), f"{command} said {line!r}"
        self.address = line.removeprefix("Listening on ").strip()
        self.port = str(urlsplit(self.address).port)
        return self.address

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def restart(self, *pages: Page, how=signal.SIGTERM, meanwhile=lambda: None):
        """Ends it, starts it again, and waits until the pages show what the new one has to show."""
        for page in pages:
            page.evaluate("document.querySelector('.root').dataset.before = ''")
        self.stop(how)
        meanwhile()
        self.start()
        for page in pages:
            expect(page.locator("[data-before]")).to_have_count(0)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute("data-id")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def gallery():
    """The address of the gallery. Its pages keep nothing, so all tests share one."""
    program = Program("gallery")
    yield program.start()
    program.stop()


@pytest.fixture
def box(tmp_path):
    """A box of its own, with an empty data folder."""
    program = Program("switchboard", "serve", "--data", str(tmp_path / "data"))
    program.start()
    yield program
    if program.process.poll() is None:
        program.stop()


class Phones:
    """Makes phones: browsers of iPhone size, each with cookies of its own."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.problems: list[str] = []

    def __call__(self, address: str | None = None, **options) -> Page:
        options = {
            "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True,
            "color_scheme": "light", "locale": "en-US", "reduced_motion": "reduce",
        } | options
        context = self.browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        return self.tab(context, address)

    def tab(self, context: BrowserContext, address: str | None = None) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._note)
        if address:
            page.goto(address)
            page.locator(".root").wait_for()
        return page

    def _note(self, message):
        # A lost connection is part of many stories, and the browser's own word for it.
        if message.type in ("error", "warning") and "WebSocket" not in message.text and "ERR_" not in message.text:
            self.problems.append(f"{message.type}: {message.text}")


@pytest.fixture
def phones(browser):
    """Makes phones; fails the test when a page complained of anything."""
    phones = Phones(browser)
    yield phones
    for context in phones.contexts:
        context.close()
    assert not phones.problems


@pytest.fixture
def phone(phones, gallery):
    """A phone with the gallery open."""
    return phones(gallery)


def visit(page: Page, title: str):
    """Goes from the list of the gallery to one of its pages."""
    page.get_by_role("button", name=title, exact=True).tap()
    expect(heading(page, title)).to_be_visible()
    settle(page)


def put_in_background(page: Page):
    """Nobody looks at the page any more. A notification that it shows stands in `data-notice` of its body, and is `window.notice`."""
    page.evaluate("""() => {
        window.Notification = class {
            constructor(title, { body }) {
                document.body.dataset.notice = `${title}: ${body}`
                window.notice = this
            }
            close() {}
        }
        window.Notification.permission = "granted"
        Object.defineProperty(document, "hidden", { value: true, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
    }""")


def put_in_front(page: Page):
    """The user looks at the page again."""
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: false, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
    }""")


def heading(page: Page, title: str) -> Locator:
    """The title in the bar of the page on top."""
    return page.get_by_role("heading", name=title, exact=True, level=1)


@pytest.fixture
def open_page(phones, gallery):
    """Opens a page of the gallery on a phone of its own."""

    def open_page(title: str, address: str | None = None, **options) -> Page:
        page = phones(address or gallery, **options)
        visit(page, title)
        return page

    return open_page


def settle(page: Page):
    """Waits until everything that moves, and will stop, has stopped."""
    page.evaluate("""async () => {
        await new Promise(requestAnimationFrame)
        const ends = animation => animation.effect.getComputedTiming().endTime !== Infinity
        await Promise.allSettled(document.getAnimations().filter(ends).map(animation => animation.finished))
    }""")


class Finger:
    """One finger on the screen. Playwright has only its taps."""

    def __init__(self, page: Page):
        self.page = page
        self.screen = page.context.new_cdp_session(page)

    def down(self, x: float, y: float):
        self.place = (x, y)
        self._say("touchStart")

    def move(self, x: float, y: float, steps: int = 8):
        from_x, from_y = self.place
        for step in range(1, steps + 1):
            self.place = (from_x + (x - from_x) * step / steps, from_y + (y - from_y) * step / steps)
            self._say("touchMove")

    def up(self):
        self._say("touchEnd")

    def drag(self, start: tuple[float, float], end: tuple[float, float]):
        """From one place to another, and no further: what is dragged has no momentum."""
        self.down(*start)
        self.move(*end)
        self.page.wait_for_timeout(100)
        self.up()

    def _say(self, what: str):
        places = [] if what == "touchEnd" else [{"x": self.place[0], "y": self.place[1]}]
        self.screen.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": places})


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def enlarge(page: Page, size: int = 20):
    """What the settings of a browser do: `size` px where the default is 16."""
    page.evaluate("size => { document.documentElement.style.fontSize = `${size}px` }", size)


def screenshot(page: Page, name: str):
    """Keeps a picture of the screen in `.build/screenshots`, for people to look at."""
    settle(page)
    folder = ROOT / ".build" / "screenshots"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


def brightness(page: Page) -> float:
    """How bright the screen is in the mean: 0 is black, 1 is white."""
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
    }""", base64.b64encode(page.screenshot()).decode())


def broken_words(page: Page) -> list[str]:
    """The words of Korean that stand on two lines, of all that is shown."""
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


def caret(field: Locator) -> int:
    return field.evaluate("el => el.selectionStart")


def put_caret(field: Locator, place: int):
    field.evaluate("(el, place) => el.setSelectionRange(place, place)", place)


def record(page: Page):
    """From now on, what the page sends is kept for `sent`."""
    page.evaluate("""() => {
        window.sent = []
        const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (text) { window.sent.push(JSON.parse(text)); send.call(this, text) }
    }""")


def sent(page: Page, event: str) -> list[dict]:
    return [frame for frame in page.evaluate("window.sent") if frame.get("e") == event]


def pytest_configure():
    os.chdir(ROOT)
