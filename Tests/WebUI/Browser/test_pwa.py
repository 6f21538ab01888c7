"""Apps that are installed, and what they show while their box cannot be reached."""

import http.server
import json
import os
import pathlib
import shutil
import tempfile
import threading
import time

import pytest
from audit import audit
from conftest import PATIENCE, PROGRAMS, ROOT, Program, heading, screenshot
from line import Line
from playwright.sync_api import expect

PAGER = "/apps/pager2077/"


@pytest.fixture
def line(gallery):
    line = Line(gallery)
    yield line
    line.close()


@pytest.fixture
def proxy():
    """The address of a server that has nobody to ask."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(502)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("localhost", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def asking_box(tmp_path):
    """A box that asks every browser for the access code, since it has a name."""
    program = Program("switchboard", "serve", "--allow-host", "box.test", "--data", str(tmp_path / "data"))
    program.start()
    yield program
    if program.process.poll() is None:
        program.stop()


def controlled(page):
    """Waits until the service worker has taken over the page."""
    page.evaluate("""async () => {
        const { serviceWorker } = navigator
        if (!serviceWorker.controller) await new Promise(done => serviceWorker.addEventListener("controllerchange", done))
    }""")


def notice(page):
    return page.get_by_role("heading", name="Switchboard cannot be reached", exact=True)


def retry(page):
    return page.get_by_role("button", name="Try again", exact=True)


def kept(page) -> list[str]:
    """Paths of what is in the caches."""
    return page.evaluate("""async () => {
        const caches = await Promise.all((await self.caches.keys()).map(name => self.caches.open(name)))
        const kept = await Promise.all(caches.map(cache => cache.keys()))
        return kept.flat().map(request => new URL(request.url).pathname)
    }""")


def wait_until(page, fact):
    deadline = time.monotonic() + PATIENCE / 1000
    while not fact():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


def version(page) -> str:
    return page.locator("body").get_attribute("data-version")


@pytest.mark.parametrize("path, name", [("/", "Switchboard"), (PAGER, "Pager2077")])
def test_an_app_can_be_installed(phones, box, path, name, tmp_path):
    # Nothing can be installed from a private window, as which the contexts of other stories count.
    context = phones.browser.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    phones.contexts.append(context)
    page = phones.tab(context, box.address + path)
    controlled(page)
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == name
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert browser.send("Page.getAppId")["appId"] == box.address + path


def test_an_icon_is_the_same_drawing_in_every_format(phones, box):
    page = phones(box.address)
    pixel = """async ([address, x, y]) => {
        const image = new Image()
        image.src = address
        await image.decode()
        const canvas = new OffscreenCanvas(512, 512).getContext("2d")
        canvas.drawImage(image, 0, 0, 512, 512)
        return [...canvas.getImageData(x * 8, y * 8, 1, 1).data]
    }"""
    # Places on the square of 64: a plug, the cable, beside it, the corner.
    for x, y, color in [(16, 24, [255] * 4), (32, 32, [255] * 4), (32, 50, [0x22, 0x47, 0x7F, 255]), (0, 0, [0] * 4)]:
        for name in ["icon.svg", "icon-192.png", "icon-512.png"]:
            assert page.evaluate(pixel, [f"/{name}", x, y]) == color, (name, x, y)
    for name in ["mask-512.png", "touch-180.png"]:
        assert page.evaluate(pixel, [f"/{name}", 0, 0]) == [0x22, 0x47, 0x7F, 255]


def test_only_files_of_the_page_are_kept(phones, box):
    page = phones(box.address + PAGER)
    controlled(page)
    page.reload()
    page.locator(".root").wait_for()
    files = f"/apps/static/{version(page)}"
    wait_until(page, lambda: {f"{files}/page.js", f"{files}/page.css", f"{files}/pager2077/PagerLCD.ttf"} <= set(kept(page)))
    paths = kept(page)
    assert all(path.startswith(files) for path in paths)
    assert page.evaluate("fetch('/health').then(answer => answer.status)") == 200
    assert kept(page) == paths


@pytest.mark.parametrize("way", ["alone", "tap"])
def test_a_box_that_is_off_is_said_to_be_until_it_is_back(phones, box, way):
    page = phones(box.address + PAGER)
    controlled(page)
    box.stop()
    page.reload()
    expect(notice(page)).to_be_visible()
    assert page.url == box.address + PAGER
    if way == "tap":
        page.clock.install()
        page.reload()
        retry(page).tap()
        expect(page.get_by_role("status")).to_have_text("Trying…")
        page.clock.run_for(1_000)
        expect(page.get_by_role("status")).to_have_text("Still no answer.")
        expect(retry(page)).to_be_focused()
    box.start()
    if way == "tap":
        retry(page).tap()
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()


def test_other_addresses_of_a_box_that_is_off_are_the_browsers_business(phones, box):
    page = phones(box.address)
    controlled(page)
    box.stop()
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        page.goto(box.address + "/health")


def test_a_line_that_leads_nowhere_is_not_waited_for(line, phones):
    page = phones(line.address)
    controlled(page)
    line.loses_events = True
    # The worker waits for a second where it would for ten.
    worker, = page.context.service_workers
    worker.evaluate("() => { const wait = setTimeout; self.setTimeout = (act, pause) => wait(act, pause / 10) }")
    page.reload()
    expect(notice(page)).to_be_visible()
    line.cut()
    line.mend()
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_proxy_without_its_box_is_no_box(line, phones, gallery, proxy):
    page = phones(line.address)
    controlled(page)
    line.cut()
    line.lead_to(proxy)
    line.mend()
    page.reload()
    retry(page).tap()
    expect(page.get_by_role("status")).to_have_text("Still no answer.")
    line.cut()
    line.lead_to(gallery)
    line.mend()
    expect(heading(page, "Gallery")).to_be_visible()
    # The browser's own words for such an answer.
    phones.problems = [problem for problem in phones.problems if "502 (Bad Gateway)" not in problem]


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_the_notice_can_be_read(line, phones, locale):
    page = phones(line.address, locale=locale)
    controlled(page)
    line.cut()
    page.reload()
    title = "Switchboard cannot be reached" if locale == "en-US" else "Switchboard에 연결할 수 없습니다"
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert page.locator("html").get_attribute("lang") == locale[:2]
    assert page.locator("img").evaluate("image => image.naturalWidth > 0")
    # Nobody draws it but the browser: it follows at once.
    for width, height in [(375, 667), (430, 932)]:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ["light", "dark"]:
            page.emulate_media(color_scheme=scheme)
            assert audit(page) == []
            screenshot(page, f"offline-{locale[:2]}-{scheme}-{width}")


@pytest.fixture
def release(gallery):
    """A gallery of another release: the same program with another style sheet. Below `.build` for the sake of a hard link."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=ROOT / ".build"))
    program = Program("gallery")
    try:
        os.link((PROGRAMS / "gallery").resolve(), folder / "gallery")
        resources = "Switchboard_WebRenderer.resources"
        shutil.copytree(PROGRAMS / resources, folder / resources)
        with (folder / resources / "Resources/page.css").open("a") as sheet:
            sheet.write("html { --release: next; }\n")
        program.command[0] = str(folder / "gallery")
        program.start()
        yield program
    finally:
        if program.process:
            program.stop()
        shutil.rmtree(folder)


def is_next(page) -> bool:
    return page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--release')") == "next"


def test_a_newer_box_is_shown_with_its_own_files_at_once(line, phones, release):
    page = phones(line.address)
    controlled(page)
    page.reload()
    page.locator(".root").wait_for()
    old = version(page)
    # Away from the box, so that only the way back meets the new one.
    page.goto("about:blank")
    line.cut()
    line.lead_to(release.address)
    line.mend()
    page.goto(line.address)
    page.locator(".root").wait_for()
    assert version(page) != old and is_next(page)
    wait_until(page, lambda: kept(page) and not any(old in path for path in kept(page)))
    line.cut()
    page.reload()
    expect(notice(page)).to_be_visible()


def test_a_page_that_is_open_turns_to_a_newer_box_and_keeps_what_was_typed(line, open_page, release):
    page = open_page("TextField", line.address)
    controlled(page)
    line.cut()
    page.get_by_label("Plain", exact=True).press_sequentially("half a sen")
    line.lead_to(release.address)
    line.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("button", name="TextField", exact=True).tap()
    expect(page.get_by_label("Plain", exact=True)).to_have_value("half a sen")
    assert is_next(page)
    assert page.evaluate("sessionStorage.getItem('lost')") is None


def test_without_tls_an_app_from_elsewhere_does_without(phones, gallery):
    page = phones()
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(gallery)
    expect(heading(page, "Gallery")).to_be_visible()


def test_the_access_code_is_asked_for_by_the_box_itself(phones, asking_box, tmp_path):
    page = phones()
    page.goto(asking_box.address)
    code = (tmp_path / "data" / "access-code.secret").read_text().strip()
    page.get_by_label("Access code").fill(code)
    page.get_by_role("button", name="Continue").tap()
    page.locator(".root").wait_for()
    controlled(page)
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_label("Access code")).to_be_visible()
    asking_box.stop()
    page.reload()
    expect(notice(page)).to_be_visible()
    # The browser's own words for being asked.
    phones.problems = [problem for problem in phones.problems if "401 (Unauthorized)" not in problem]
