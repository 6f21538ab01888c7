"""Apps that are installed, and their notice while the box cannot be reached."""

import http.server
import json
import os
import pathlib
import shutil
import tempfile
import threading

import pytest
from audit import CONTRAST, audit
from conftest import PROGRAMS, ROOT, Box, Program, button, field, heading, screenshot, visit, wait_until
from playwright.sync_api import expect
from proxy import Proxy

PAGER = "/apps/pager2077/"


@pytest.fixture
def phones(new_phones):
    """Phones without a service worker."""
    return new_phones


@pytest.fixture
def proxy(gallery):
    """A proxy in front of the gallery, at an address of its own."""
    proxy = Proxy(gallery)
    yield proxy
    proxy.close()


@pytest.fixture
def gateway():
    """The address of a gateway whose server does not answer."""

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
def guarded_box(tmp_path):
    """A box that requires the access code from every browser, since it has a name."""
    box = Box(tmp_path / "data", "--allow-host", "box.test")
    box.start()
    yield box
    box.stop()


def controlled(page):
    """Waits until the service worker has taken over the page."""
    page.evaluate("""async () => {
        const { serviceWorker } = navigator
        if (!serviceWorker.controller) await new Promise(done => serviceWorker.addEventListener("controllerchange", done))
    }""")


def offline_notice(page):
    return page.get_by_role("heading", name="Switchboard cannot be reached", exact=True)


def cached(page) -> list[str]:
    """The paths of the files in the caches."""
    return page.evaluate("""async () => {
        const caches = await Promise.all((await self.caches.keys()).map(name => self.caches.open(name)))
        const cached = await Promise.all(caches.map(cache => cache.keys()))
        return cached.flat().map(request => new URL(request.url).pathname)
    }""")


def version(page) -> str:
    return page.locator("body").get_attribute("data-version")


def test_an_app_can_be_installed(phones, box, tmp_path):
    # Nothing can be installed from a private window, as which other contexts count.
    context = phones.browser.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    phones.contexts.append(("persistent", context))
    page = phones.tab(context, box.address + PAGER)
    controlled(page)
    browser = page.context.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Pager2077"
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert browser.send("Page.getAppId")["appId"] == box.address + PAGER


def test_only_files_of_the_page_are_cached(phones, box):
    page = phones(box.address + PAGER)
    controlled(page)
    page.reload()
    page.locator(".root").wait_for()
    files = f"/apps/static/{version(page)}"
    wait_until(page, lambda: {f"{files}/page.js", f"{files}/page.css", f"{files}/pager2077/PagerLCD.ttf"} <= set(cached(page)))
    paths = cached(page)
    assert {path for path in paths if not path.startswith(files)} == {f"{PAGER}icon-192.png"}
    assert page.evaluate("fetch('/health').then(answer => answer.status)") == 200
    assert cached(page) == paths


def test_the_offline_notice_tries_again_when_it_is_told_to(proxy, phones):
    page = phones(proxy.address)
    controlled(page)
    proxy.cut()
    page.clock.install()
    page.reload()
    expect(offline_notice(page)).to_be_visible()
    assert page.url == proxy.address
    button(page, "Try again").tap()
    expect(page.get_by_role("status")).to_have_text("Trying…")
    page.clock.run_for(1_000)
    expect(page.get_by_role("status")).to_have_text("Still no answer.")
    expect(button(page, "Try again")).to_be_focused()
    proxy.mend()
    button(page, "Try again").tap()
    expect(heading(page, "Gallery")).to_be_visible()


def test_other_addresses_of_an_absent_box_are_left_to_the_browser(proxy, phones):
    page = phones(proxy.address)
    controlled(page)
    proxy.cut()
    with pytest.raises(Exception, match="ERR_"):
        page.goto(proxy.address.removesuffix("apps/gallery/") + "health")


def test_a_box_that_does_not_answer_is_not_waited_for(proxy, phones):
    page = phones(proxy.address)
    controlled(page)
    proxy.drops_events = True
    # The worker waits for a tenth of its time.
    worker, = page.context.service_workers
    worker.evaluate("() => { const wait = setTimeout; self.setTimeout = (act, pause) => wait(act, pause / 10) }")
    page.reload()
    expect(offline_notice(page)).to_be_visible()
    proxy.cut()
    proxy.mend()
    # The page goes to the app on its own.
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_gateway_without_its_server_is_no_box(proxy, phones, gallery, gateway):
    page = phones(proxy.address)
    controlled(page)
    proxy.cut()
    proxy.lead_to(gateway)
    proxy.mend()
    page.reload()
    button(page, "Try again").tap()
    expect(page.get_by_role("status")).to_have_text("Still no answer.")
    proxy.cut()
    proxy.lead_to(gallery)
    proxy.mend()
    expect(heading(page, "Gallery")).to_be_visible()
    # The browser's own message about such an answer.
    phones.problems = [problem for problem in phones.problems if "502 (Bad Gateway)" not in problem]


@pytest.mark.parametrize("locale, language, title", [
    ("en-US", "en", "Switchboard cannot be reached"), ("ko-KR", "ko", "Switchboard에 연결할 수 없습니다"),
    ("zh-TW", "zh-Hant", "無法連線到 Switchboard"),
])
def test_the_offline_notice_can_be_read(proxy, phones, locale, language, title):
    page = phones(proxy.address, locale=locale)
    controlled(page)
    proxy.cut()
    page.reload()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("img").evaluate("image => image.naturalWidth > 0")
    for scheme, (width, height), options in [("light", (375, 667), None), ("dark", (430, 932), CONTRAST)]:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert audit(page, options) == []
        screenshot(page, f"offline-{language}-{scheme}")


@pytest.fixture
def release(gallery):
    """A gallery of another release: the same program with another style sheet. It is below `.build` for a hard link."""
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


def test_a_newer_release_is_shown_with_its_own_files_at_once(proxy, phones, release):
    page = phones(proxy.address)
    controlled(page)
    page.reload()
    page.locator(".root").wait_for()
    old = version(page)
    # The page is left, so that only the return meets the new release.
    page.goto("about:blank")
    proxy.cut()
    proxy.lead_to(release.address)
    proxy.mend()
    page.goto(proxy.address)
    page.locator(".root").wait_for()
    assert version(page) != old and is_next(page)
    wait_until(page, lambda: cached(page) and not any(old in path for path in cached(page)))
    proxy.cut()
    page.reload()
    expect(offline_notice(page)).to_be_visible()


def test_an_open_page_turns_to_a_newer_release_and_keeps_typed_text(proxy, phones, release):
    page = phones(proxy.address)
    visit(page, "TextField")
    controlled(page)
    proxy.cut()
    field(page, "Plain").press_sequentially("half a sen")
    proxy.lead_to(release.address)
    proxy.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    button(page, "TextField").tap()
    expect(field(page, "Plain")).to_have_value("half a sen")
    assert is_next(page)
    assert page.evaluate("sessionStorage.getItem('lost')") is None


def test_an_app_does_without_a_service_worker(phones, gallery):
    page = phones()
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.goto(gallery)
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_scanned_code_admits_and_leaves_no_trace(phones, guarded_box):
    page = phones()
    code = (guarded_box.data / "access-code.secret").read_text().strip()
    code = f"{code[:5]}-{code[5:]}"
    traces = []
    page.on("request", lambda request: traces.append(request.url + (request.header_value("referer") or "")))
    page.goto(f"{guarded_box.address}/access#code={code}")
    page.locator(".root").wait_for()
    assert page.url == f"{guarded_box.address}/"
    cookies = page.context.cookies()
    # The same phone scans once more.
    page.goto("about:blank")
    page.goto(f"{guarded_box.address}/access#code={code}")
    page.locator(".root").wait_for()
    assert page.url == f"{guarded_box.address}/"
    assert [cookie["value"] for cookie in page.context.cookies()] == [cookie["value"] for cookie in cookies]
    page.go_back()
    assert page.url == "about:blank"
    assert not [trace for trace in traces if code in trace.split("#")[0]]
    # A wrong one is refused like a typed one, and is not sent again.
    page.context.clear_cookies()
    page.goto(f"{guarded_box.address}/access#code=WRONG-CODES")
    expect(page.get_by_role("alert")).to_contain_text("not the access code")
    assert "#" not in page.url
    phones.problems = [problem for problem in phones.problems if "401 (Unauthorized)" not in problem]


def test_the_access_code_form_is_not_cached(phones, guarded_box):
    page = phones()
    page.goto(guarded_box.address)
    code = (guarded_box.data / "access-code.secret").read_text().strip()
    page.get_by_label("Access code").fill(code)
    button(page, "Continue").tap()
    page.locator(".root").wait_for()
    controlled(page)
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_label("Access code")).to_be_visible()
    guarded_box.stop()
    page.reload()
    expect(offline_notice(page)).to_be_visible()
    # The browser's own message about the 401 reply.
    phones.problems = [problem for problem in phones.problems if "401 (Unauthorized)" not in problem]
