"""The pager's app in a browser. The other side of a chat calls the service itself."""

import base64
import signal
import subprocess

import pytest
from accounts import PagerUser
from conftest import Finger, bring_to_front, brightness, button, center, enlarge, lost_box, notice, put_in_background, screenshot
from handset import (  # noqa: F401
    APP, choose, friends, open_chat, open_pager, press, register, send, type_code, wait_for_menu)
from playwright.sync_api import expect
from proxy import Proxy


def test_the_whole_story_on_a_slow_line_with_the_box_killed_in_the_middle(phones, own_box):
    proxy = Proxy(own_box.address)
    proxy.delay = 0.15
    ada, bob = (phones(proxy.address + APP) for _ in range(2))
    register(ada, "Ada")
    register(bob, "Bob")
    choose(bob, "MY HEX")
    code = bob.get_by_test_id("code").inner_text()
    press(bob, "END")
    choose(ada, "ADD FRIEND")
    type_code(ada, code)
    press(ada, "CALL")
    expect(ada.get_by_text("REQUEST SENT")).to_be_visible()
    choose(bob, "FRIEND REQUESTS")
    choose(bob, "Ada")
    choose(bob, "ACCEPT")
    expect(bob.get_by_text("NOW FRIENDS")).to_be_visible()
    expect(bob.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    press(bob, "END", "END")
    choose(ada, "Bob")
    expect(ada.get_by_text("NO MESSAGES")).to_be_visible()
    send(ada, "CALL ME 2077")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    expect(bob.get_by_label("1 UNREAD")).to_be_visible()
    message = ada.get_by_label("MESSAGE", exact=True)
    press(ada, "4", "4")
    expect(message).to_have_value("H")

    def type_on():
        # The box has the beginning of the draft. This is typed while nobody is there.
        message.press("End")
        message.press_sequentially("I")

    own_box.restart(ada, bob, how=signal.SIGKILL, meanwhile=type_on)
    for page in (ada, bob):
        expect(page.get_by_label("CONNECTED")).to_be_visible()
    expect(message).to_have_value("HI")
    press(ada, "CALL")
    expect(bob.get_by_label("2 UNREAD")).to_be_visible()
    choose(bob, "MESSAGES")
    choose(bob, "Ada")
    expect(bob.get_by_text("HI", exact=True)).to_be_visible()
    send(bob, "ON MY WAY")
    expect(ada.get_by_text("ON MY WAY")).to_be_visible()
    for page in (ada, bob):
        for text in ("CALL ME 2077", "HI", "ON MY WAY"):
            expect(page.get_by_text(text, exact=True)).to_have_count(1)
    screenshot(ada, "pager-chat")
    proxy.close()


def test_a_message_over_a_broken_connection_arrives_once(open_pager, friends, box_proxy):
    ada, bob = friends
    page = open_pager(ada, box_proxy.address)
    box_proxy.delay = 0.3
    open_chat(page, "Bob")
    message = page.get_by_label("MESSAGE", exact=True)
    message.fill("SLOWLY")
    box_proxy.cut()
    message.press_sequentially(" BUT SURELY")
    expect(notice(page)).to_have_class("shown")
    expect(page.get_by_label("CONNECTING")).to_be_visible()
    box_proxy.mend()
    expect(notice(page)).to_have_class("")
    expect(page.get_by_label("CONNECTED")).to_be_visible()
    expect(message).to_have_value("SLOWLY BUT SURELY")
    press(page, "CALL")
    expect(page.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    assert bob.messages(ada) == ["SLOWLY BUT SURELY"]


def test_own_message_scrolls_into_view_and_a_friends_does_not(open_pager, friends):
    ada, bob = friends
    for number in range(20):
        ada.send(bob, f"PAGE {number}")
    page = open_pager(bob)
    open_chat(page, "Ada")
    history = page.locator(".scroll").filter(has=page.get_by_text("PAGE 19", exact=True)).last
    # The second one scrolls to the same place as the first.
    for text in ("MY OWN WORDS", "AND MORE OF THEM"):
        history.evaluate("el => el.scrollTo(0, 0)")
        expect(page.get_by_text("PAGE 0", exact=True)).to_be_in_viewport()
        ada.send(bob, f"BEFORE {text}")
        expect(page.get_by_text(f"BEFORE {text}", exact=True)).to_have_count(1)
        expect(page.get_by_text(f"BEFORE {text}", exact=True)).not_to_be_in_viewport()
        send(page, text)
        expect(page.get_by_text(text, exact=True)).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()


def test_the_code_on_the_display_can_be_scanned(open_pager, box, tmp_path):
    ada, bob = PagerUser(box, "Ada"), PagerUser(box, "Bob")
    page = open_pager(ada)
    choose(page, "MY HEX")
    symbol = page.get_by_label("QR CODE OF MY HEX").bounding_box()
    picture = tmp_path / "code.png"
    page.screenshot(path=picture, clip={
        "x": symbol["x"] - 24, "y": symbol["y"] - 24, "width": symbol["width"] + 48, "height": symbol["height"] + 48})
    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True)
    assert read.stdout.strip() == f"{box.address}{APP}#add={ada.code}", read.stderr
    other = open_pager(bob)
    other.goto(read.stdout.strip())
    expect(other.get_by_label("HEX", exact=True)).to_have_value(ada.code)
    press(other, "CALL")
    expect(other.get_by_text("REQUEST SENT")).to_be_visible()


def test_a_notification_that_is_tapped_leads_to_the_chat(open_pager, friends):
    ada, bob = friends
    page = open_pager(bob)
    put_in_background(page)
    ada.send(bob, "WAKE UP")
    expect(page.locator("body")).to_have_attribute("data-notice", "📟 Ada: WAKE UP")
    bring_to_front(page)
    page.evaluate("window.lastNotification.onclick()")
    expect(page.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    expect(page.get_by_text("WAKE UP")).to_be_visible()


def test_a_keyboard_is_as_good_as_the_keys(open_pager, friends):
    ada, bob = friends
    page = open_pager(ada)
    chosen = page.locator(".sel")
    expect(chosen).to_contain_text("MESSAGES")
    for digit, line in (("8", "FRIENDS"), ("8", "ADD FRIEND"), ("2", "FRIENDS")):
        page.keyboard.press(digit)
        expect(chosen).to_contain_text(line)
    page.keyboard.press("6")
    expect(page.get_by_role("heading", name="FRIENDS", exact=True)).to_be_visible()
    page.keyboard.press("4")
    expect(page.get_by_role("heading", name="PAGER2077")).to_be_visible()
    # Typed letters go into the only field without a tap on it, also a digit twice.
    page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("ADD FRIEND")
    page.keyboard.press("Enter")
    expect(page.get_by_label("HEX", exact=True)).to_be_visible()
    page.keyboard.type("2299dead")
    expect(page.get_by_label("HEX", exact=True)).to_have_value("2299DEAD")
    page.keyboard.press("Escape")
    open_chat(page, "Bob")
    # Letters from the keys, and a real keyboard's own in the field.
    press(page, "4", "4")
    message = page.get_by_label("MESSAGE", exact=True)
    expect(message).to_have_value("H")
    message.focus()
    page.keyboard.press("End")
    page.keyboard.type("ello Bob 24")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hello Bob 24", exact=True)).to_be_visible()
    # The outcome is read out.
    expect(page.locator(".announcements")).to_have_attribute("data-last", "SENT - WAITING FOR REPLY")
    assert bob.messages(ada) == ["Hello Bob 24"]


def test_a_held_key_types_its_digit_alone(open_pager, friends):
    ada, _ = friends
    page = open_pager(ada)
    open_chat(page, "Bob")
    message = page.get_by_label("MESSAGE", exact=True)
    key = page.get_by_role("button", name="5", exact=True)
    finger = Finger(page)
    finger.down(*center(key))
    expect(message).to_have_value("5")
    finger.up()
    key.tap()
    expect(message).to_have_value("5J")
    assert "5J" == message.input_value()


def test_return_of_a_keyboard_on_the_screen_sends(open_pager, friends):
    ada, bob = friends
    page = open_pager(ada)
    open_chat(page, "Bob")
    message = page.get_by_label("MESSAGE", exact=True)
    message.focus()
    # Such a keyboard inserts the line feed, and names no place of a key.
    page.keyboard.insert_text("FROM A PHONE")
    page.keyboard.insert_text("\n")
    expect(message).to_have_value("")
    expect(page.get_by_text("FROM A PHONE", exact=True)).to_be_visible()
    expect(page.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    assert bob.messages(ada) == ["FROM A PHONE"]


@pytest.fixture
def one_registration(monkeypatch):
    monkeypatch.setenv("PAGER2077_REGISTRATIONS_PER_MINUTE", "1")


def test_a_phone_that_used_up_its_rate_limit_holds_up_no_other(one_registration, own_box, phones):
    for name in ["Ada", "Bob"]:
        register(phones(own_box.address + APP), name)


# Looks


# Texts that end before they are over.
TRUNCATED = """() => [...document.querySelectorAll('.root *')]
    .filter(el => !el.children.length && el.textContent.trim() && el.checkVisibility({ visibilityProperty: true }))
    .filter(el => el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).textOverflow === 'ellipsis')
    .map(el => el.textContent)"""


def test_large_text_fits_a_small_display(open_pager, box):
    page = open_pager(PagerUser(box, "Ada"), viewport={"width": 375, "height": 667})
    enlarge(page, 24)
    assert not page.evaluate(TRUNCATED)
    expect(page.get_by_text("FRIEND REQUESTS")).to_be_visible()
    choose(page, "ADD FRIEND")
    page.get_by_label("HEX", exact=True).fill("DEADBEEF")
    press(page, "CALL")
    expect(page.get_by_text("USER NOT FOUND")).to_be_visible()
    assert not page.evaluate(TRUNCATED)
    # What does not fit can be scrolled to, and nothing is drawn over something else.
    page.get_by_label("HEX", exact=True).scroll_into_view_if_needed()
    field, banner = (page.get_by_label("HEX", exact=True).bounding_box(), page.get_by_test_id("banner").bounding_box())
    assert field["y"] + field["height"] <= banner["y"] + 1
    hint = page.get_by_text("END: BACK").bounding_box()
    assert banner["y"] + banner["height"] <= hint["y"] + 1


GLASS = {"light": "rgb(181, 199, 125)", "dark": "rgb(158, 219, 140)"}
CASING = "rgb(51, 51, 51)"
# The colors of a column of pixels, one for each point.
PIXELS = """async ([picture, x, from, to]) => {
    const bytes = Uint8Array.from(atob(picture), sign => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")
    canvas.drawImage(bitmap, 0, 0)
    const { data } = canvas.getImageData(x, from, 1, to - from)
    return Array.from({ length: to - from }, (_, y) => data[4 * y] + data[4 * y + 1] + data[4 * y + 2])
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_display_is_lit_and_the_casing_is_black(phones, box, scheme):
    page = phones(box.address + APP, color_scheme=scheme)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    images = page.evaluate("[...document.querySelectorAll('.root *')].map(el => getComputedStyle(el).backgroundImage)")
    assert any(GLASS[scheme] in image for image in images)
    assert any(CASING in image for image in images)
    assert brightness(page) < 0.55
    page.evaluate("document.querySelector('.root').style.visibility = 'hidden'")
    # What is seen where the app draws nothing, for instance while the page is pulled.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == CASING


def test_the_home_indicator_is_seen_on_black_plastic(phones, box):
    page = phones(box.address + APP, viewport={"width": 375, "height": 667}, device_scale_factor=1)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    place = page.get_by_role("link", name="Home").bounding_box()
    bottom = round(place["y"] + place["height"])
    picture = base64.b64encode(page.screenshot()).decode()
    column = page.evaluate(PIXELS, [picture, round(place["x"] + place["width"] / 2), bottom - 22, bottom - 10])
    # The indicator, and the casing above it.
    assert column[11] - column[0] > 300


def test_the_ring_around_a_key_is_as_round_as_the_key(phones, box):
    page = phones(box.address + APP)
    page.keyboard.press("Tab")
    key = button(page, "5")
    key.focus()
    shape = key.evaluate("el => [...el.querySelectorAll('*')].map(part => getComputedStyle(part).borderRadius).find(it => it !== '0px')")
    assert page.evaluate("getComputedStyle(document.activeElement).borderRadius") == shape


def test_a_lost_box_is_not_connected(open_pager, friends):
    ada, _ = friends
    page = open_pager(ada)
    expect(page.get_by_label("CONNECTED", exact=True)).to_be_visible()
    with lost_box(page):
        expect(page.get_by_label("CONNECTED", exact=True)).to_be_hidden()
        expect(page.get_by_label("CONNECTING", exact=True)).to_be_visible()
    expect(page.get_by_label("CONNECTED", exact=True)).to_be_visible()
