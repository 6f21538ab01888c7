"""A browser as remote control of a simulated host, which runs as a program of its own."""

import http.server
import json
import re
import subprocess
import threading

import pytest
from audit import ALL_BUT_CONTRAST, audit
from conftest import PROGRAMS, Program, enlarge, put_in_background, put_in_front, record, screenshot, sent
from playwright.sync_api import Page, expect

APP = "/apps/simbridge/"
PASSWORD = "correct horse"


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def field(page: Page, name: str):
    return page.get_by_label(name, exact=True)


def back(page: Page):
    page.locator(".back:visible").last.tap()


class Host:
    """`switchboard simbridge host` with simulated SIM cards."""

    def __init__(self, address: str, folder, user: str):
        folder.mkdir()
        self.data = folder / "data"
        secret = folder / "password"
        secret.write_text(PASSWORD + "\n")
        secret.chmod(0o600)
        self.command = [
            PROGRAMS / "switchboard", "simbridge", "host", "--relay", address + "/simbridge", "--user", user, "--name", "Pixel",
            "--password-file", secret, "--data", self.data]
        self.has_more = threading.Condition()
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=20)

    def sent(self) -> list[str]:
        """What the simulated network has taken."""
        return [json.loads(line)["body"] for line in (self.data / "simulated-sent.jsonl").read_text().splitlines()]

    def _read(self):
        for line in self.process.stdout:
            with self.has_more:
                self.lines.append(line)
                self.has_more.notify_all()

    def wait(self, pattern: str) -> re.Match:
        """Waits for a line that matches."""
        def found():
            return next((match for line in self.lines if (match := re.search(pattern, line))), None)
        with self.has_more:
            assert self.has_more.wait_for(found, 30), self.lines
            return found()

    def code(self) -> str:
        return self.wait(r"^\s*((?:\d ){5}\d)\s*$").group(1).replace(" ", "")

    def say(self, line: str):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)


@pytest.fixture
def hosts(box, tmp_path):
    """Makes hosts of accounts."""
    made: list[Host] = []

    def make(user: str) -> Host:
        made.append(Host(box.address, tmp_path / f"host-{user}", user))
        return made[-1]

    yield make
    for host in made:
        if host.process.poll() is None:
            host.stop()


def sign_up(page: Page, user: str = "ada"):
    button(page, "Create an account").tap()
    field(page, "Username").fill(user)
    expect(field(page, "Password")).to_have_attribute("autocomplete", "new-password")
    field(page, "Password").fill(PASSWORD)
    button(page, "Create Account").tap()


def register(page: Page, user: str = "ada"):
    expect(button(page, "Log In")).to_be_disabled()
    sign_up(page, user)
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()


def pair(page: Page, host: Host):
    # The sixth digit submits.
    field(page, "Pairing code").fill(host.code())
    expect(page.get_by_text("Paired Host: Pixel")).to_be_visible()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(page.get_by_text("Northern Mobile")).to_be_visible()


@pytest.fixture
def remote(phones, box, hosts):
    """A phone that is paired with a host, on its dashboard."""
    page = phones(box.address + APP)
    register(page)
    host = hosts("ada")
    pair(page, host)
    return page, host


def write(page: Page, text: str, to: str = "+1 555 0123"):
    button(page, "Send SMS").tap()
    field(page, "To").fill(to)
    field(page, "Message").fill(text)
    button(page, "Send").tap()


def test_texts_go_both_ways_and_stand_in_the_history(remote):
    page, host = remote
    host.say("receive 1 +15550123 Shall we meet?")
    expect(page.get_by_text("Shall we meet?")).to_be_visible()
    write(page, "At noon 🍋")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    expect(field(page, "Message")).to_have_value("")
    # What was begun as a new message is the conversation now.
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()
    expect(field(page, "To")).to_have_count(0)
    expect(page.get_by_text("Shall we meet?").last).to_be_visible()
    # Who said what, for those who do not see on which side it stands.
    expect(page.get_by_role("group", name="You", exact=True)).to_contain_text("At noon 🍋")
    expect(page.get_by_role("group", name="+15550123", exact=True).first).to_contain_text("Shall we meet?")
    host.wait("Sent a text to …0123 by SIM 1")
    screenshot(page, "simbridge-conversation")
    back(page)
    expect(page.locator(".page")).to_have_count(1)
    screenshot(page, "simbridge-dashboard")
    # One row for the number, with the last text; reports are none.
    expect(page.get_by_test_id("conversations").get_by_role("button")).to_have_count(1)
    expect(page.get_by_text("Text sent")).to_have_count(0)
    button(page, "Log").tap()
    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    history = page.locator(".page:not(.covered) .list")
    expect(history.get_by_text("Text sent").last).to_be_visible()
    history.get_by_text("At noon 🍋").last.tap()
    expect(page.get_by_test_id("payload")).to_contain_text('"cmd" : "SEND_SMS"')
    button(page, "Done").tap()
    back(page)
    page.get_by_role("button", name="+15550123").last.tap()
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()


def many_texts(page: Page, host, box) -> list[str]:
    """Texts that came before the app started: then it has nothing but the first page of them."""
    texts = [f"Text {number}" for number in range(1, 171)]
    for text in texts:
        host.say(f"receive 1 +15550123 {text}")
    expect(page.get_by_text(texts[-1], exact=True)).to_be_visible()
    box.restart(page)
    return texts


def test_the_history_goes_on_as_far_as_one_scrolls(remote, box):
    page, host = remote
    texts = many_texts(page, host, box)
    expect(page.get_by_text("online", exact=True)).to_be_visible()
    record(page)
    button(page, "Log").tap()
    expect(page.locator(".page:not(.covered) .list").get_by_text(texts[-1], exact=True)).to_be_visible()
    rows = page.locator(".page:not(.covered) .list .row")
    spinner = page.get_by_label("Loading older messages")
    expect(spinner).to_have_count(1)
    shown = page.locator(".page:not(.covered) .list").get_by_text(re.compile(r"^Text \d+$"))
    # The rest of the page is about SIM cards.
    assert 40 < shown.count() <= 50
    assert not sent(page, "appear"), "nobody has seen the end yet"
    screenshot(page, "simbridge-history-page")
    # By keys: the focus moves to the last row, and what comes next with it.
    while spinner.count():
        there = rows.count()
        rows.nth(-2).get_by_role("button").focus()
        expect(rows).not_to_have_count(there)
    assert shown.all_inner_texts() == texts[::-1]
    told = len(sent(page, "appear"))
    assert told == 3
    page.locator(".page:not(.covered) .list").evaluate("el => el.scrollTo(0, 0)")
    rows.last.scroll_into_view_if_needed()
    host.say("receive 1 +15550123 Text 171")
    expect(page.get_by_text("Text 171", exact=True).last).to_be_attached()
    assert shown.all_inner_texts() == ["Text 171", *texts[::-1]]
    assert len(sent(page, "appear")) == told


def test_a_conversation_goes_on_as_far_as_one_scrolls_up(remote, box):
    page, host = remote
    texts = many_texts(page, host, box)
    record(page)
    page.get_by_text(texts[-1], exact=True).tap()
    scroll = page.locator(".page:not(.covered) .scroll")
    shown = scroll.get_by_text(re.compile(r"^Text \d+$"))
    # What the dashboard shows is there before the first page is.
    expect(shown.nth(40)).to_be_attached()
    expect(shown.last).to_be_in_viewport()
    there = shown.count()
    assert there <= 50, "nobody has seen the first of them yet"
    first = shown.first.inner_text()
    scroll.evaluate("el => el.scrollTo(0, 0)")
    expect(shown).not_to_have_count(there)
    # One reads on where one was, and goes on from there.
    expect(scroll.get_by_text(first, exact=True)).to_be_in_viewport()
    expect(shown.first).not_to_be_in_viewport()
    host.say("receive 1 +15550123 Text 171")
    expect(shown.last).to_have_text("Text 171")
    expect(scroll.get_by_text(first, exact=True)).to_be_in_viewport()
    while page.get_by_label("Loading older messages").count():
        scroll.evaluate("el => el.scrollTo(0, 0)")
    assert shown.all_inner_texts() == [*texts, "Text 171"]
    assert sent(page, "appear")


def test_a_call_can_be_hung_up_after_the_box_was_restarted(remote, box):
    page, _ = remote
    button(page, "Make Call").tap()
    field(page, "Phone number").fill("+15550123")
    button(page, "Call").tap()
    expect(page.get_by_text("Active", exact=True).last).to_be_visible()
    box.restart(page)
    # On the screen where one was.
    button(page, "Hang Up").tap()
    expect(page.get_by_text("Ended", exact=True).last).to_be_visible()


def test_an_incoming_call_takes_the_whole_screen_on_any_page(remote):
    page, host = remote
    button(page, "Settings").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    host.say("ring 2 +4930123")
    call = page.get_by_test_id("incoming-call")
    expect(call.get_by_role("heading", name="+4930123")).to_be_visible()
    expect(call.get_by_text("SIM 2 Coastal Wireless")).to_be_visible()
    box = call.bounding_box()
    size = page.viewport_size
    assert box["width"] >= size["width"] and box["height"] >= size["height"] * 0.8, box
    # On its side too, where there is little height.
    page.set_viewport_size({"width": 667, "height": 375})
    for name in ("Answer on the host", "Decline", "Hide"):
        expect(button(page, name)).to_be_in_viewport(ratio=1)
    screenshot(page, "simbridge-incoming-call-landscape")
    page.set_viewport_size(size)
    button(page, "Answer on the host").tap()
    expect(call.get_by_text("Waiting for an answer on Pixel…")).to_be_visible()
    host.say("answer")
    expect(call.get_by_text("The call is taking place on Pixel.")).to_be_visible()
    expect(call.get_by_text(re.compile(r"^0:0[1-9]$"))).to_be_visible()
    button(page, "Hang Up").tap()
    expect(call).to_have_count(0)
    expect(page.get_by_text("Device ID")).to_be_visible()
    host.say("ring 1 +44123")
    button(page, "Decline").tap()
    expect(call).to_have_count(0)
    back(page)
    expect(page.get_by_text("Declined call")).to_be_visible()
    host.say("ring 1 +33123")
    expect(button(page, "Decline")).to_be_visible()
    host.say("hangup")
    expect(page.get_by_text("Missed call")).to_be_visible()
    screenshot(page, "simbridge-missed-call")


def test_links_numbers_and_codes_of_a_text_can_be_tapped(remote):
    page, host = remote
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.say("receive 1 +15550123 Your code is 481516. Help: https://example.com/help or +44 20 7946 0123")
    page.get_by_text(re.compile("Your code is 481516")).tap()
    expect(page.get_by_role("link", name="example.com")).to_have_attribute("href", "https://example.com/help")
    expect(page.get_by_text("SIM 1", exact=True).last).to_be_visible()
    button(page, "Copy 481516").tap()
    expect(button(page, "Copied 481516")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "481516"
    screenshot(page, "simbridge-details")
    button(page, "Call +44 20 7946 0123").tap()
    expect(field(page, "Phone number")).to_have_value("+44 20 7946 0123")


def test_a_new_message_begins_with_nobody_once_the_last_one_was_sent(remote):
    page, _ = remote
    write(page, "At noon")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    back(page)
    button(page, "Send SMS").tap()
    expect(page.get_by_role("heading", name="New message")).to_be_visible()
    expect(field(page, "To")).to_have_value("")
    expect(page.locator(".page:not(.covered)").get_by_text("At noon")).to_have_count(0)


def test_large_text_breaks_no_word_of_the_dashboard(remote):
    page, host = remote
    host.say("receive 1 +15550123 Shall we meet?")
    expect(page.get_by_text("Shall we meet?")).to_be_visible()
    page.set_viewport_size({"width": 375, "height": 667})
    enlarge(page, 24)
    for words in ("Northern", "SMS", "SIM 1"):
        lines = page.get_by_text(words).first.evaluate("""(el, word) => {
            const range = document.createRange()
            const text = document.createTreeWalker(el, NodeFilter.SHOW_TEXT).nextNode()
            range.setStart(text, 0)
            range.setEnd(text, word.length)
            return range.getClientRects().length
        }""", words)
        assert lines == 1, words


def test_a_call_is_made_and_hung_up(remote):
    page, host = remote
    button(page, "Make Call").tap()
    for digit in "15550123":
        button(page, digit).tap()
    expect(field(page, "Phone number")).to_have_value("15550123")
    screenshot(page, "simbridge-dialer")
    button(page, "Call").tap()
    expect(page.get_by_text("Active", exact=True).last).to_be_visible()
    button(page, "Hang Up").tap()
    expect(page.get_by_text("Ended", exact=True).last).to_be_visible()


def test_a_text_that_does_not_go_says_why_and_a_host_that_leaves_is_offline(remote):
    page, host = remote
    host.say("fail refused")
    write(page, "Hello")
    expect(page.get_by_text(re.compile("^Not sent: "))).to_be_visible()
    expect(button(page, "Send again")).to_be_visible()
    host.say("fail none")
    button(page, "Send again").tap()
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    host.stop()
    back(page)
    expect(page.get_by_text("offline", exact=True)).to_be_visible()
    expect(page.get_by_text("Host Offline")).to_be_visible()


def test_a_text_in_the_background_is_a_notification(remote):
    page, host = remote
    put_in_background(page)
    host.say("receive 1 +15550123 Wake up")
    expect(page.locator("body")).to_have_attribute("data-notice", "+15550123: Wake up")


def test_a_notification_that_is_tapped_while_the_box_restarts_leads_to_its_conversation(remote, box):
    page, host = remote
    put_in_background(page)
    host.say("receive 1 +15550123 Wake up")
    expect(page.locator("body")).to_have_attribute("data-notice", "+15550123: Wake up")
    box.restart(page, meanwhile=lambda: page.evaluate("window.notice.onclick()"))
    put_in_front(page)
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()


def test_ten_texts_for_a_host_that_was_killed_arrive_once_and_in_order(remote):
    page, host = remote
    host.kill()
    expect(page.get_by_text("offline", exact=True)).to_be_visible()
    texts = [f"Text {number}" for number in range(10)]
    write(page, texts[0])
    for text in texts[1:]:
        expect(field(page, "Message")).to_have_value("")
        field(page, "Message").fill(text)
        button(page, "Send").tap()
    expect(page.get_by_text(texts[-1], exact=True).last).to_be_visible()
    host.start()
    expect(page.get_by_text("Sent", exact=True)).to_have_count(len(texts))
    assert host.sent() == texts


def test_nothing_is_lost_when_the_box_is_restarted(remote, box):
    page, host = remote
    button(page, "Send SMS").tap()
    field(page, "To").fill("+1 555 0123")
    field(page, "Message").fill("half a th")
    page.wait_for_function("document.querySelector('#pill').className === ''")
    box.restart(page, meanwhile=lambda: field(page, "Message").fill("half a thou"))
    expect(field(page, "To")).to_have_value("+1 555 0123")
    expect(field(page, "Message")).to_have_value("half a thou")
    field(page, "Message").fill("half a thought")
    button(page, "Send").tap()
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()


@pytest.fixture
def elsewhere(tmp_path):
    """Another box. Its address is spelled in another way than the first box's, as that of another machine would be."""
    program = Program("switchboard", "serve", "--data", str(tmp_path / "elsewhere"))
    program.start()
    program.address = program.address.replace("localhost", "127.0.0.1")
    yield program
    program.stop()


def test_a_relay_elsewhere_is_used_where_the_box_allows_it(phones, elsewhere, tmp_path):
    relay = elsewhere.address + "/simbridge"
    box = Program("switchboard", "serve", "--data", str(tmp_path / "data"), "--allow-server", relay)
    page = phones(box.start() + APP)
    # Named is one path of one port.
    for address in [elsewhere.address, relay.replace("127.0.0.1", "localhost"), relay + "/../pager2077", relay + "2"]:
        field(page, "Server URL").fill(address)
        field(page, "Username").fill("ada")
        field(page, "Password").fill(PASSWORD)
        button(page, "Log In").tap()
        expect(page.get_by_text(
            f"This box isn’t allowed to connect to {address}. Its operator can allow it with --allow-server.")).to_be_visible()
    field(page, "Server URL").fill(relay + "/")
    sign_up(page)
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    host = Host(elsewhere.address, tmp_path / "host", "ada")
    try:
        pair(page, host)
        write(page, "Far away")
        expect(page.get_by_text("Sent", exact=True)).to_be_visible()
        assert host.sent() == ["Far away"]
        host.say("receive 1 +15550123 Not so far")
        expect(page.get_by_text("Not so far").last).to_be_visible()
    finally:
        host.stop()

    # The box has changed its mind.
    box.stop()
    del box.command[-2:]
    box.start()
    expect(page.get_by_text(f"This box does not connect to {relay}.")).to_be_visible()
    box.stop()


class Detour(http.server.BaseHTTPRequestHandler):
    """Sends whoever comes somewhere else."""

    def do_POST(self):
        self.send_response(307)
        self.send_header("Location", self.server.target + self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_):
        pass


def test_a_server_that_is_allowed_leads_nowhere_else(phones, elsewhere, tmp_path):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Detour) as detour:
        detour.target = elsewhere.address + "/simbridge"
        threading.Thread(target=detour.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{detour.server_address[1]}"
        box = Program("switchboard", "serve", "--data", str(tmp_path / "data"), "--allow-server", address)
        page = phones(box.start() + APP)
        field(page, "Server URL").fill(address)
        field(page, "Username").fill("ada")
        field(page, "Password").fill(PASSWORD)
        button(page, "Log In").tap()
        expect(page.get_by_text("This server isn’t a SimBridge relay. Check the address.")).to_be_visible()
        box.stop()
        detour.shutdown()


@pytest.fixture
def authenticator():
    """Gives a page a platform authenticator whose owner is there."""

    def add(page: Page):
        screen = page.context.new_cdp_session(page)
        screen.send("WebAuthn.enable")
        made = screen.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True}})

        def recognise(is_owner: bool):
            screen.send("WebAuthn.setUserVerified", {"authenticatorId": made["authenticatorId"], "isUserVerified": is_owner})

        return recognise

    return add


def test_the_lock_opens_for_the_owner_only(phones, box, hosts, authenticator):
    page = phones(box.address + "/")
    recognise = authenticator(page)
    page.goto(box.address + APP)
    expect(button(page, "Log In")).to_be_visible()
    sign_up(page)
    button(page, "Turn on").tap()
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    host = hosts("ada")
    pair(page, host)
    button(page, "Settings").tap()
    expect(page.get_by_role("switch", name="Unlock with face or finger")).to_be_checked()
    # Another start of the app: it does not have the token.
    box.restart()
    expect(page.get_by_text("SimBridge is locked")).to_be_visible()
    screenshot(page, "simbridge-locked")
    assert not audit(page)
    recognise(False)
    button(page, "Unlock").tap()
    expect(page.get_by_text("Couldn’t verify your identity. Try again.")).to_be_visible()
    recognise(True)
    button(page, "Unlock").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    back(page)
    expect(page.get_by_text("Paired Host: Pixel")).to_be_visible()
    # A second page, by the same cookie: nothing opens it but its owner, and nothing is above its lock.
    other = page.context.new_page()
    other.goto(box.address + APP)
    expect(other.get_by_text("SimBridge is locked")).to_be_visible()
    page.bring_to_front()
    host.say("receive 1 +15550123 Code 481516")
    expect(page.get_by_text("Code 481516")).to_be_visible()
    host.say("ring 1 +15550123")
    expect(button(page, "Decline")).to_be_visible()
    assert "5550123" not in other.content() and "481516" not in other.content()
    # One of the pages shows a notification, which must not tell the other one anything.
    for each in (page, other):
        put_in_background(each)
    host.say("receive 1 +15550123 Code 990099")

    def notices() -> list[str]:
        return [each.locator("body").get_attribute("data-notice") or "" for each in (page, other)]

    for _ in range(300):
        if any(notices()):
            break
        page.wait_for_timeout(100)
    assert any(notices()) and set(notices()) <= {"", "SimBridge: New message"}, notices()
    other.close()
    put_in_front(page)
    button(page, "Decline").tap()
    button(page, "Settings").tap()
    page.get_by_role("switch", name="Unlock with face or finger").tap()
    expect(page.get_by_role("switch", name="Unlock with face or finger")).not_to_be_checked()


# What is told apart by the scheme does not depend on the size, nor the other way round: each is seen once.
@pytest.mark.parametrize("size, scheme", [((375, 667), "light"), ((430, 932), "dark")])
def test_every_screen_passes_the_audit_and_fits(phones, box, hosts, size, scheme):
    page = phones(box.address + APP, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)

    def check(name: str, options: dict | None = None):
        assert not audit(page, options), name
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        screenshot(page, f"simbridge-{name}-{size[0]}-{scheme}")

    expect(button(page, "Log In")).to_be_visible()
    check("login")
    field(page, "Username").fill("ada")
    field(page, "Password").fill("wrong")
    button(page, "Log In").tap()
    expect(page.get_by_text("Incorrect username or password. Try again.")).to_be_visible()
    check("login-error")
    button(page, "Create an account").tap()
    field(page, "Password").fill("password1")
    button(page, "Create Account").tap()
    expect(page.get_by_text(re.compile("^This password is one of the first"))).to_be_visible()
    check("sign-up")
    field(page, "Password").fill(PASSWORD)
    button(page, "Create Account").tap()
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    check("pair")
    host = hosts("ada")
    pair(page, host)
    host.say("receive 1 +15550123 Shall we meet in the park, or is it too cold for that already?")
    expect(page.get_by_text("Shall we meet")).to_be_visible()
    check("dashboard")
    write(page, "At noon, with the dog. It is never too cold for him 🍋")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    check("compose")
    back(page)
    button(page, "Make Call").tap()
    expect(button(page, "Call")).to_be_visible()
    check("dialer")
    field(page, "Phone number").fill("+15550123")
    button(page, "Call").tap()
    expect(page.get_by_text("Active", exact=True).last).to_be_visible()
    check("call")
    button(page, "Hang Up").tap()
    expect(page.get_by_text("Ended", exact=True).last).to_be_visible()
    back(page)
    host.say("ring 2 +4930123")
    expect(button(page, "Decline")).to_be_visible()
    check("incoming-call")
    host.say("answer")
    expect(button(page, "Hang Up")).to_be_visible()
    check("incoming-call-answered")
    button(page, "Hang Up").tap()
    expect(button(page, "Hang Up")).to_have_count(0)
    host.say("ring 1 +4930124")
    expect(button(page, "Decline")).to_be_visible()
    host.say("hangup")
    expect(page.get_by_text("Missed call")).to_be_visible()
    host.say("receive 1 BANK Your code is 481516. Do not tell anybody: https://example.com/help")
    expect(page.get_by_text("Your code is 481516")).to_be_visible()
    check("conversations")
    page.get_by_role("button", name="+15550123").last.tap()
    expect(page.get_by_text("Outgoing call").last).to_be_visible()
    check("conversation")
    back(page)
    page.get_by_role("button", name="BANK").last.tap()
    expect(button(page, "Copy 481516")).to_be_visible()
    check("details")
    back(page)
    button(page, "Log").tap()
    expect(page.get_by_text("Outgoing call").last).to_be_visible()
    check("log")
    page.get_by_text("Outgoing call").last.tap()
    expect(page.get_by_test_id("payload")).to_be_visible()
    check("payload")
    button(page, "Done").tap()
    button(page, "Recent events").tap()
    check("events")
    back(page)
    button(page, "Settings").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    check("settings")
    button(page, "Change Password").tap()
    expect(field(page, "New password")).to_be_visible()
    check("password")
    button(page, "Cancel").tap()
    button(page, "Log Out").tap()
    expect(page.get_by_text("Log out?")).to_be_visible()
    # The dialog has the system's colours.
    check("logout", ALL_BUT_CONTRAST)
