"""A browser as the remote control of a simulated host, which runs as a program of its own."""

import http.server
import re
import threading

import pytest
from accounts import PASSWORD, BridgeUser, Host
from audit import ALL_BUT_CONTRAST, CONTRAST, audit
from conftest import (
    IS_SOAK, Box, bring_to_front, brightness, button, enlarge, field, go_back, lost_box, put_in_background, record, screenshot, sent, wait_until)
from playwright.sync_api import Page, expect

APP = "/apps/simbridge/"


@pytest.fixture
def hosts(tmp_path):
    """Starts hosts of accounts."""
    started: list[Host] = []

    def start(box: Box, user: str) -> Host:
        started.append(Host(box.address, tmp_path / f"host-{user}", user))
        return started[-1]

    yield start
    for host in started:
        host.stop()


@pytest.fixture
def open_remote(phones, box, hosts):
    """Starts a host of a new account, and opens the dashboard of a phone that is paired with it."""

    def open_remote(*received: str, box: Box = box, **options) -> tuple[Page, Host]:
        user = BridgeUser(box)
        host = hosts(box, user.name)
        context = phones.context(**options)
        user.pair(context, host)
        if received:
            # These texts came before the app is opened.
            host.say(*(f"receive 1 {text}" for text in received))
            user.wait_for_history(len(received))
        page = phones.tab(context, box.address + APP)
        expect(page.get_by_text(": Pixel")).to_be_visible()
        expect(page.get_by_text("Northern Mobile")).to_be_visible()
        return page, host

    return open_remote


def sign_up(page: Page, user: str):
    button(page, "Create an account").tap()
    field(page, "Username").fill(user)
    expect(field(page, "Password")).to_have_attribute("autocomplete", "new-password")
    field(page, "Password").fill(PASSWORD)
    button(page, "Create Account").tap()


def pair(page: Page, host: Host):
    # The sixth digit submits.
    field(page, "Pairing code").fill(host.code())
    expect(page.get_by_text("Paired Host: Pixel")).to_be_visible()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(page.get_by_text("Northern Mobile")).to_be_visible()


def write(page: Page, text: str, to: str = "+1 555 0123"):
    button(page, "Send SMS").tap()
    field(page, "To").fill(to)
    field(page, "Message").fill(text)
    button(page, "Send").tap()


def test_a_touch_anywhere_in_a_field_edits_it_and_the_eye_keeps_the_focus(phones, box):
    page = phones(box.address + APP)
    line = field(page, "Username").bounding_box()
    page.touchscreen.tap(line["x"] + 20, line["y"] - 8)
    expect(field(page, "Username")).to_be_focused()
    field(page, "Password").tap()
    page.keyboard.type("se")
    for name, kind, letter in (("Show password", None, "cre"), ("Hide password", "password", "t")):
        button(page, name).tap()
        expect(field(page, "Password")).to_be_focused()
        if kind:
            expect(field(page, "Password")).to_have_attribute("type", kind)
        else:
            expect(field(page, "Password")).not_to_have_attribute("type", "password")
        page.keyboard.type(letter)
    expect(field(page, "Password")).to_have_value("secret")


def test_texts_go_both_ways_and_stand_in_the_history(open_remote):
    page, host = open_remote()
    host.say("receive 1 +15550123 Shall we meet?")
    expect(page.get_by_text("Shall we meet?").last).to_be_visible()
    write(page, "At noon 🍋")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    expect(field(page, "Message")).to_have_value("")
    # The new message is the conversation now.
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()
    expect(field(page, "To")).to_have_count(0)
    expect(page.get_by_text("Shall we meet?").last).to_be_visible()
    # The sender of each text, for people who do not see on which side it stands.
    expect(page.get_by_role("group", name="You", exact=True)).to_contain_text("At noon 🍋")
    expect(page.get_by_role("group", name="+15550123", exact=True).first).to_contain_text("Shall we meet?")
    host.wait("Sent a text to …0123 by SIM 1")
    screenshot(page, "simbridge-conversation")
    go_back(page)
    expect(page.locator(".page")).to_have_count(1)
    screenshot(page, "simbridge-dashboard")
    button(page, "Log").tap()
    history = page.locator(".page:not(.covered) .list")
    expect(history.get_by_text("Text sent").last).to_be_visible()
    history.get_by_text("At noon 🍋").last.tap()
    expect(page.get_by_test_id("payload")).to_contain_text('"cmd" : "SEND_SMS"')


MANY = [f"Text {number}" for number in range(1, 171)]


def test_the_history_goes_on_as_far_as_one_scrolls(open_remote):
    page, host = open_remote(*(f"+15550123 {text}" for text in MANY))
    record(page)
    button(page, "Log").tap()
    log = page.locator(".page:not(.covered) .list")
    expect(log.get_by_text(MANY[-1], exact=True)).to_be_visible()
    rows = log.locator(".row")
    spinner = page.get_by_label("Loading older messages")
    expect(spinner).to_have_count(1)
    shown = log.get_by_text(re.compile(r"^Text \d+$"))
    # The rest of the first page is about SIM cards.
    assert 40 < shown.count() <= 50
    assert not sent(page, "appear"), "the end is not in sight yet"
    # With keys, the focus moves to the last row, and more rows load.
    while spinner.count():
        count = rows.count()
        rows.nth(-2).get_by_role("button").focus()
        expect(rows).not_to_have_count(count)
    assert shown.all_inner_texts() == MANY[::-1]
    requests = len(sent(page, "appear"))
    assert requests == 3
    log.evaluate("el => el.scrollTo(0, 0)")
    rows.last.scroll_into_view_if_needed()
    host.say("receive 1 +15550123 Text 171")
    expect(log.get_by_text("Text 171", exact=True)).to_be_attached()
    assert shown.all_inner_texts() == ["Text 171", *MANY[::-1]]
    assert len(sent(page, "appear")) == requests


def test_a_conversation_keeps_its_place_while_older_texts_come(open_remote):
    page, host = open_remote(*(f"+15550123 {text}" for text in MANY))
    page.get_by_test_id("conversations").get_by_text(MANY[-1], exact=True).tap()
    scroll = page.locator(".page:not(.covered) .scroll")
    shown = scroll.get_by_text(re.compile(r"^Text \d+$"))
    expect(shown.nth(40)).to_be_attached()
    expect(shown.last).to_be_in_viewport()
    count = shown.count()
    assert count <= 50, "the first of them is not in sight yet"
    first = shown.first.inner_text()
    scroll.evaluate("el => el.scrollTo(0, 0)")
    expect(shown).not_to_have_count(count)
    expect(scroll.get_by_text(first, exact=True)).to_be_in_viewport()
    expect(shown.first).not_to_be_in_viewport()
    host.say("receive 1 +15550123 Text 171")
    expect(shown.last).to_have_text("Text 171")
    expect(scroll.get_by_text(first, exact=True)).to_be_in_viewport()


def test_an_incoming_call_takes_the_whole_screen_on_any_page(open_remote):
    page, host = open_remote()
    button(page, "Settings").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    host.say("ring 2 +4930123")
    call = page.get_by_test_id("incoming-call")
    expect(call.get_by_role("heading", name="+4930123")).to_be_visible()
    expect(call.get_by_text("SIM 2 Coastal Wireless")).to_be_visible()
    box = call.bounding_box()
    size = page.viewport_size
    assert box["width"] >= size["width"] and box["height"] >= size["height"] * 0.8, box
    button(page, "Answer on the host").tap()
    expect(call.get_by_text("Waiting for an answer on Pixel…")).to_be_visible()
    host.say("answer")
    expect(call.get_by_text("The call is taking place on Pixel.")).to_be_visible()
    expect(call.get_by_text(re.compile(r"^0:0[1-9]$"))).to_be_visible()
    button(page, "Hang Up").tap()
    expect(call).to_have_count(0)
    expect(page.get_by_text("Device ID")).to_be_visible()
    # Everything is in sight on a phone on its side too, where there is little height.
    page.set_viewport_size({"width": 667, "height": 375})
    host.say("ring 1 +44123")
    for name in ("Answer on the host", "Decline", "Hide"):
        expect(button(page, name)).to_be_in_viewport(ratio=1)
    screenshot(page, "simbridge-incoming-call-landscape")


def test_links_numbers_and_codes_of_a_text_can_be_tapped(open_remote):
    page, _ = open_remote("+15550123 Your code is 481516. Help: https://example.com/help or +44 20 7946 0123")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_test_id("conversations").get_by_text(re.compile("Your code is 481516")).tap()
    expect(page.get_by_role("link", name="example.com")).to_have_attribute("href", "https://example.com/help")
    button(page, "Copy 481516").tap()
    expect(button(page, "Copied 481516")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "481516"
    screenshot(page, "simbridge-details")
    button(page, "Call +44 20 7946 0123").tap()
    expect(field(page, "Phone number")).to_have_value("+44 20 7946 0123")
    screenshot(page, "simbridge-dialer")


def test_large_text_breaks_no_word_of_the_dashboard(open_remote):
    page, _ = open_remote("+15550123 Shall we meet?", viewport={"width": 375, "height": 667})
    expect(page.get_by_text("Shall we meet?").last).to_be_visible()
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


@pytest.mark.soak
def test_ten_texts_for_a_host_that_was_killed_arrive_once_and_in_order(open_remote):
    page, host = open_remote()
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


def test_a_call_and_a_draft_survive_a_restart_of_the_box(open_remote, own_box):
    page, _ = open_remote(box=own_box)
    button(page, "Send SMS").tap()
    field(page, "To").fill("+1 555 0123")
    field(page, "Message").fill("half a thought")
    go_back(page)
    button(page, "Make Call").tap()
    field(page, "Phone number").fill("+15550123")
    button(page, "Call").tap()
    expect(page.get_by_text("Active", exact=True).last).to_be_visible()
    own_box.restart(page)
    # On the screen that was open.
    button(page, "Hang Up").tap()
    expect(page.get_by_text("Ended", exact=True).last).to_be_visible()
    go_back(page)
    button(page, "Send SMS").tap()
    expect(field(page, "To")).to_have_value("+1 555 0123")
    expect(field(page, "Message")).to_have_value("half a thought")


def test_a_notification_tapped_while_the_box_restarts_leads_to_its_conversation(open_remote, own_box):
    page, host = open_remote(box=own_box)
    put_in_background(page)
    host.say("receive 1 +15550123 Wake up")
    expect(page.locator("body")).to_have_attribute("data-notice", "+15550123: Wake up")
    own_box.restart(page, meanwhile=lambda: page.evaluate("window.lastNotification.onclick()"))
    bring_to_front(page)
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()


@pytest.fixture
def elsewhere(tmp_path):
    """Another box. Its address is spelled in another way than the first box's, as that of another machine would be."""
    program = Box(tmp_path / "elsewhere")
    program.start()
    program.address = program.address.replace("localhost", "127.0.0.1")
    yield program
    program.stop()


class Redirect(http.server.BaseHTTPRequestHandler):
    """Sends every request to another server."""

    def do_POST(self):
        self.send_response(307)
        self.send_header("Location", self.server.target + self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_):
        pass


@pytest.fixture
def redirect(elsewhere):
    """The address of a server that redirects to the other box's relay."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirect) as server:
        server.target = elsewhere.address + "/simbridge"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_relay_elsewhere_is_used_where_the_box_allows_it(phones, elsewhere, redirect, hosts, tmp_path):
    relay = elsewhere.address + "/simbridge"
    box = Box(tmp_path / "data", "--allow-server", redirect, "--allow-server", relay)
    page = phones(box.start() + APP)

    def log_in(address: str):
        field(page, "Server URL").fill(address)
        field(page, "Username").fill("ada")
        field(page, "Password").fill(PASSWORD)
        button(page, "Log In").tap()

    # The policy allows one path of one port.
    for address in [elsewhere.address, relay.replace("127.0.0.1", "localhost"), relay + "2"]:
        log_in(address)
        expect(page.get_by_text(
            f"This box isn’t allowed to connect to {address}. Its operator can allow it with --allow-server.")).to_be_visible()
    log_in(relay + "/../pager2077")
    expect(page.get_by_text("The path of the address has characters that it cannot have.")).to_be_visible()
    # A server that is allowed leads nowhere else.
    log_in(redirect)
    expect(page.get_by_text("This server isn’t a SimBridge relay. Check the address.")).to_be_visible()
    field(page, "Server URL").fill(relay + "/")
    sign_up(page, "ada")
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    host = hosts(elsewhere, "ada")
    pair(page, host)
    write(page, "Far away")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    assert host.sent() == ["Far away"]

    # The operator has withdrawn the permission.
    box.stop()
    del box.command[-2:]
    box.start()
    expect(page.get_by_text(f"This box isn’t allowed to connect to {relay}. Its operator can allow it with --allow-server.")).to_be_visible()
    box.stop()


def add_authenticator(page: Page):
    """Gives the page a platform authenticator. Returns a function that sets whether it recognizes the user."""
    screen = page.context.new_cdp_session(page)
    screen.send("WebAuthn.enable")
    added = screen.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "isUserVerified": True,
        "automaticPresenceSimulation": True}})

    def recognize(is_owner: bool):
        screen.send("WebAuthn.setUserVerified", {"authenticatorId": added["authenticatorId"], "isUserVerified": is_owner})

    return recognize


def test_the_lock_opens_for_the_owner_only(phones, own_box, hosts):
    page = phones(own_box.address + "/")
    recognize = add_authenticator(page)
    page.goto(own_box.address + APP)
    expect(button(page, "Log In")).to_be_visible()
    sign_up(page, "ada")
    button(page, "Turn on").tap()
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    host = hosts(own_box, "ada")
    pair(page, host)
    button(page, "Settings").tap()
    expect(page.get_by_role("switch", name="Unlock with face or finger")).to_be_checked()
    # After a restart the app does not have the token.
    own_box.restart()
    expect(page.get_by_text("SimBridge is locked")).to_be_visible()
    screenshot(page, "simbridge-locked")
    assert not audit(page)
    recognize(False)
    button(page, "Unlock").tap()
    expect(page.get_by_text("Couldn’t verify your identity. Try again.")).to_be_visible()
    recognize(True)
    button(page, "Unlock").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    go_back(page)
    expect(page.get_by_text("Paired Host: Pixel")).to_be_visible()
    # A second page with the same cookie: only its owner opens it, and nothing stands above its lock.
    other = page.context.new_page()
    other.goto(own_box.address + APP)
    expect(other.get_by_text("SimBridge is locked")).to_be_visible()
    page.bring_to_front()
    host.say("receive 1 +15550123 Code 481516")
    expect(page.get_by_text("Code 481516").last).to_be_visible()
    host.say("ring 1 +15550123")
    expect(button(page, "Decline")).to_be_visible()
    assert "5550123" not in other.content() and "481516" not in other.content()
    # One of the pages shows a notification, which must not reveal content to the other page.
    for tab in (page, other):
        put_in_background(tab)
    host.say("receive 1 +15550123 Code 990099")

    def notifications() -> set[str]:
        return {tab.locator("body").get_attribute("data-notice") for tab in (page, other)} - {None}

    wait_until(page, notifications)
    assert notifications() == {"SimBridge: New text message"}
    other.close()
    bring_to_front(page)
    button(page, "Decline").tap()
    button(page, "Settings").tap()
    page.get_by_role("switch", name="Unlock with face or finger").tap()
    expect(page.get_by_role("switch", name="Unlock with face or finger")).not_to_be_checked()


# Looks

# The surface, the text on it, and the primary color.
PALETTE = {
    "light": ["rgb(255, 251, 254)", "rgb(28, 27, 31)", "rgb(25, 118, 210)"],
    "dark": ["rgb(28, 27, 31)", "rgb(230, 225, 229)", "rgb(144, 202, 249)"],
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screen_has_the_palette_of_the_scheme(phones, box, scheme):
    page = phones(box.address + APP, color_scheme=scheme)
    expect(page.get_by_role("textbox").first).to_be_visible()
    surface, text, primary = PALETTE[scheme]
    used = page.evaluate("""() => [...document.querySelectorAll(".root *")].map(el => {
        const { backgroundColor, color } = getComputedStyle(el)
        return [backgroundColor, color]
    })""")
    backgrounds = {background for background, _ in used}
    assert {surface, text, primary} <= backgrounds | {color for _, color in used}
    # The text of the light scheme has the color of the dark surface: only backgrounds tell the schemes apart.
    assert surface in backgrounds
    assert PALETTE["dark" if scheme == "light" else "light"][0] not in backgrounds
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7


SMALL, LARGE = {"width": 375, "height": 667}, {"width": 430, "height": 932}


def check(page: Page, name: str, options: dict | None = None):
    """Audits a small phone in the light, and in `make soak` a large one in the dark, where only size and contrast can differ."""
    assert not audit(page, options), name
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], name
    screenshot(page, f"simbridge-{name}-small")
    if not IS_SOAK:
        return
    page.set_viewport_size(LARGE)
    page.emulate_media(color_scheme="dark")
    if options is None:
        assert not audit(page, CONTRAST), name
    assert page.evaluate("document.documentElement.scrollWidth") <= LARGE["width"], name
    screenshot(page, f"simbridge-{name}-large-dark")
    page.set_viewport_size(SMALL)
    page.emulate_media(color_scheme="light")


def test_every_screen_passes_the_audit_and_fits(phones, box, hosts):
    page = phones(box.address + APP, viewport=SMALL)
    user = BridgeUser(box)
    host = hosts(box, user.name)
    expect(button(page, "Log In")).to_be_visible()
    check(page, "login")
    field(page, "Username").fill(user.name)
    field(page, "Password").fill("wrong")
    button(page, "Log In").tap()
    expect(page.get_by_text("Incorrect username or password. Try again.")).to_be_visible()
    check(page, "login-error")
    button(page, "Create an account").tap()
    field(page, "Password").fill("password1")
    button(page, "Create Account").tap()
    expect(page.get_by_text(re.compile("^This password is too easy to guess"))).to_be_visible()
    check(page, "sign-up")
    # The account is there already, with this password.
    field(page, "Password").fill(PASSWORD)
    button(page, "Create Account").tap()
    expect(page.get_by_role("heading", name="Pair with a host")).to_be_visible()
    check(page, "pair")
    pair(page, host)
    host.say("receive 1 +15550123 Shall we meet in the park, or is it too cold for that already?")
    expect(page.get_by_text("Shall we meet").last).to_be_visible()
    check(page, "dashboard")
    write(page, "At noon, with the dog. It is never too cold for him 🍋")
    expect(page.get_by_text("Sent", exact=True)).to_be_visible()
    check(page, "compose")
    go_back(page)
    button(page, "Make Call").tap()
    expect(button(page, "Call")).to_be_visible()
    check(page, "dialer")
    field(page, "Phone number").fill("+15550123")
    button(page, "Call").tap()
    expect(page.get_by_text("Active", exact=True).last).to_be_visible()
    check(page, "call")
    button(page, "Hang Up").tap()
    expect(page.get_by_text("Ended", exact=True).last).to_be_visible()
    go_back(page)
    host.say("ring 2 +4930123")
    expect(button(page, "Decline")).to_be_visible()
    check(page, "incoming-call")
    host.say("answer")
    expect(button(page, "Hang Up")).to_be_visible()
    check(page, "incoming-call-answered")
    button(page, "Hang Up").tap()
    expect(button(page, "Hang Up")).to_have_count(0)
    host.say("ring 1 +4930124")
    expect(button(page, "Decline")).to_be_visible()
    host.say("hangup")
    expect(page.get_by_text("Missed call").last).to_be_visible()
    host.say("receive 1 BANK Your code is 481516. Do not tell anybody: https://example.com/help")
    expect(page.get_by_text("Your code is 481516").last).to_be_visible()
    check(page, "conversations")
    page.get_by_role("button", name="+15550123").last.tap()
    expect(page.get_by_text("Outgoing call").last).to_be_visible()
    check(page, "conversation")
    go_back(page)
    page.get_by_role("button", name="BANK").last.tap()
    expect(button(page, "Copy 481516")).to_be_visible()
    check(page, "details")
    go_back(page)
    button(page, "Log").tap()
    expect(page.get_by_text("Outgoing call").last).to_be_visible()
    check(page, "log")
    page.get_by_text("Outgoing call").last.tap()
    expect(page.get_by_test_id("payload")).to_be_visible()
    check(page, "payload")
    button(page, "Done").tap()
    button(page, "Recent events").tap()
    check(page, "events")
    go_back(page)
    button(page, "Settings").tap()
    expect(page.get_by_text("Device ID")).to_be_visible()
    check(page, "settings")
    button(page, "Change Password").tap()
    expect(field(page, "New password")).to_be_visible()
    check(page, "password")
    button(page, "Cancel").tap()
    button(page, "Log Out").tap()
    expect(page.get_by_text("Log out?")).to_be_visible()
    # The dialog has the system's colors.
    check(page, "logout", ALL_BUT_CONTRAST)


def test_own_text_scrolls_into_view(open_remote):
    texts = [f"Text {number}" for number in range(30)]
    page, _ = open_remote(*(f"+15550123 {text}" for text in texts))
    page.get_by_test_id("conversations").get_by_text(texts[-1], exact=True).tap()
    expect(page.get_by_role("heading", name="+15550123")).to_be_visible()
    scroll = page.locator(".page:not(.covered) .scroll")
    expect(scroll.get_by_text(texts[-1], exact=True)).to_be_in_viewport()
    scroll.hover()
    page.mouse.wheel(0, -1200)
    expect(scroll.get_by_text(texts[-1], exact=True)).not_to_be_in_viewport()
    field(page, "Message").fill("My own words")
    button(page, "Send").tap()
    expect(scroll.get_by_text("My own words")).to_be_in_viewport()


def test_a_lost_box_is_not_connected(open_remote):
    page, _ = open_remote()
    status = page.get_by_test_id("status").locator("visible=true")
    for words in ("Connected", "online"):
        expect(status.get_by_text(words, exact=True).locator("visible=true")).to_have_count(1)
    with lost_box(page):
        for words in ("Connected", "online"):
            expect(status.get_by_text(words, exact=True).locator("visible=true")).to_have_count(0)
        expect(status.get_by_text("Connecting…", exact=True).locator("visible=true")).to_have_count(1)
        screenshot(page, "simbridge-lost-box")
    expect(status.get_by_text("Connected", exact=True).locator("visible=true")).to_have_count(1)


def test_the_account_is_deleted_in_the_app(open_remote):
    page, host = open_remote("Hello")
    button(page, "Settings").tap()
    button(page, "Delete Account…").tap()
    expect(page.get_by_text("You cannot undo this.")).to_be_visible()
    assert not audit(page, ALL_BUT_CONTRAST) and not audit(page, CONTRAST)
    screenshot(page, "simbridge-delete-account")
    field(page, "Password").fill(PASSWORD)
    button(page, "Delete Account").tap()
    expect(page.get_by_text("This account has been deleted")).to_be_visible()
    # The screen has its whole size again: the sheet went with the screen below.
    expect(page.locator("html")).not_to_have_class(re.compile(r"\breceded\b"))
    # The host ends by itself, and has forgotten its login.
    assert host.process.wait(timeout=20) != 0
    assert not (host.data / "host.json").exists()


def test_the_demonstration_needs_no_account(phones, box):
    page = phones(box.address + APP)
    button(page, "Try a Demonstration").tap()
    expect(page.get_by_text("Phone at home").first).to_be_visible()
    expect(page.get_by_text("Example Mobile")).to_be_visible()
    assert not audit(page, ALL_BUT_CONTRAST)
    screenshot(page, "simbridge-demonstration")
    button(page, "Leave").tap()
    expect(button(page, "Log In")).to_be_visible()
