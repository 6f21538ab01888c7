"""Two people page each other, each with a browser of their own."""

import zlib

import pytest
from audit import audit
from conftest import enlarge, put_in_background, screenshot
from line import Line
from playwright.sync_api import Page, expect

APP = "/apps/pager2077/"
# Letters of a code on the keys: how often which.
PRESSES = {"A": ("2", 2), "B": ("2", 3), "C": ("2", 4), "D": ("3", 2), "E": ("3", 3), "F": ("3", 4)}

# Screens beyond those of the menu: which key leads there from the first line, and their titles.
FURTHER = {"FRIENDS": ("#", "REMOVE Bob?"), "FRIEND REQUESTS": ("Enter", "Eve"), "SETTINGS": ("Enter", "NAME")}


def key(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def press(page: Page, *names: str):
    for name in names:
        key(page, name).tap()


def choose(page: Page, line: str):
    """Taps a line of a list."""
    page.get_by_role("button", name=line).first.tap()


def begin(page: Page, name: str):
    """The first minute of a pager, to its menu."""
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    press(page, "CALL")
    page.get_by_label("NAME", exact=True).fill(name)
    press(page, "CALL")
    expect(page.get_by_text("MY HEX")).to_be_visible()
    expect(page.get_by_label("CONNECTED")).to_be_visible()


def code_of(page: Page) -> str:
    choose(page, "MY HEX")
    code = page.get_by_test_id("code").inner_text()
    press(page, "END")
    return code


def type_code(page: Page, code: str):
    """Types a code with the keys, as one did in the nineties."""
    for letter in code:
        name, times = PRESSES.get(letter, (letter, 1))
        before = page.get_by_label("HEX", exact=True).input_value()
        for _ in range(times):
            press(page, name)
        expect(page.get_by_label("HEX", exact=True)).to_have_value(before + letter)
        page.keyboard.press("ArrowRight")


def befriend(ada: Page, bob: Page):
    code = code_of(bob)
    choose(ada, "ADD FRIEND")
    type_code(ada, code)
    press(ada, "CALL")
    expect(ada.get_by_text("REQUEST SENT")).to_be_visible()
    choose(bob, "FRIEND REQUESTS")
    choose(bob, "Ada")
    choose(bob, "ACCEPT")
    expect(bob.get_by_text("NOW FRIENDS")).to_be_visible()
    expect(ada.get_by_role("button", name="Bob")).to_be_visible()
    expect(bob.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    press(bob, "END", "END")


def open_chat(page: Page, friend: str):
    """From the list of friends."""
    choose(page, friend)
    expect(page.get_by_label("MESSAGE", exact=True)).to_be_visible()


def send(page: Page, text: str):
    page.get_by_label("MESSAGE", exact=True).fill(text)
    press(page, "CALL")


@pytest.fixture
def people(phones, box):
    """Ada, who looks at her chat with Bob, and Bob, who is on his menu."""
    ada, bob = (phones(box.address + APP) for _ in range(2))
    begin(ada, "Ada")
    begin(bob, "Bob")
    befriend(ada, bob)
    open_chat(ada, "Bob")
    return ada, bob


def test_a_page_from_one_phone_appears_on_the_other_at_once(people):
    ada, bob = people
    expect(ada.get_by_text("NO MESSAGES")).to_be_visible()
    send(ada, "CALL ME 2077")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    expect(bob.get_by_label("1 UNREAD")).to_be_visible()
    choose(bob, "MESSAGES")
    choose(bob, "Ada")
    expect(bob.get_by_text("CALL ME 2077")).to_be_visible()
    expect(ada.get_by_label("READ")).to_be_visible()
    send(bob, "ON MY WAY")
    expect(ada.get_by_text("ON MY WAY")).to_be_visible()
    screenshot(ada, "pager-chat")


def test_nothing_is_lost_when_the_box_is_restarted_in_the_middle(people, box):
    ada, bob = people
    send(ada, "BEFORE")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    press(ada, "4", "4")
    expect(ada.get_by_label("MESSAGE", exact=True)).to_have_value("H")

    def type_on():
        # Some of it is kept already, some is typed while nobody is there.
        ada.get_by_label("MESSAGE", exact=True).press("End")
        ada.get_by_label("MESSAGE", exact=True).press_sequentially("I")

    # The pages come back by themselves, with a new tree, as the person they are and where they were.
    box.restart(*people, meanwhile=type_on)
    for page in people:
        expect(page.get_by_label("CONNECTED")).to_be_visible()
    expect(bob.get_by_text("MY HEX")).to_be_visible()
    expect(ada.get_by_text("BEFORE")).to_be_visible()
    expect(ada.get_by_label("MESSAGE", exact=True)).to_have_value("HI")
    send(ada, "AFTER")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    choose(bob, "MESSAGES")
    expect(bob.get_by_role("button", name="Ada")).to_be_visible()
    choose(bob, "Ada")
    expect(bob.get_by_text("AFTER")).to_be_visible()
    expect(bob.get_by_text("BEFORE")).to_have_count(1)


def test_on_a_slow_line_that_breaks_a_page_arrives_once(phones, box):
    line = Line(box.address)
    ada, bob = phones(line.address + APP), phones(box.address + APP)
    begin(ada, "Ada")
    begin(bob, "Bob")
    befriend(ada, bob)
    line.delay = 0.3
    open_chat(ada, "Bob")
    ada.get_by_label("MESSAGE", exact=True).fill("SLOWLY")
    line.cut()
    ada.get_by_label("MESSAGE", exact=True).press_sequentially(" BUT SURELY")
    # The page says that it is on its way back, and then no more.
    expect(ada.locator("#pill")).to_have_class("shown")
    expect(ada.get_by_test_id("connection")).to_have_css("opacity", "0.2")
    line.mend()
    expect(ada.locator("#pill")).to_have_class("")
    expect(ada.get_by_test_id("connection")).to_have_css("opacity", "1")
    expect(ada.get_by_label("MESSAGE", exact=True)).to_have_value("SLOWLY BUT SURELY")
    press(ada, "CALL")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    choose(bob, "MESSAGES")
    choose(bob, "Ada")
    expect(bob.get_by_text("SLOWLY BUT SURELY")).to_have_count(1)
    line.close()


def test_a_page_in_the_background_is_a_notification(people):
    ada, bob = people
    put_in_background(bob)
    send(ada, "WAKE UP")
    expect(bob.locator("body")).to_have_attribute("data-notice", "📟 Ada: WAKE UP")


def test_the_first_minute_passes_the_audit(phones, box):
    page = phones(box.address + APP)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    assert not audit(page)
    screenshot(page, "pager-welcome")
    page.keyboard.press("Enter")
    expect(page.get_by_text("NAME SHOWN TO FRIENDS")).to_be_visible()
    assert not audit(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("MY HEX")).to_be_visible()
    assert not audit(page)


# Words that end before they are over, and what stands on something else.
CUT = """() => [...document.querySelectorAll('.root *')]
    .filter(el => !el.children.length && el.textContent.trim() && el.checkVisibility({ visibilityProperty: true }))
    .filter(el => el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).textOverflow === 'ellipsis')
    .map(el => el.textContent)"""


def test_large_text_fits_the_glass_of_a_small_phone(phones, box):
    page = phones(box.address + APP, viewport={"width": 375, "height": 667})
    begin(page, "Ada")
    enlarge(page, 24)
    assert not page.evaluate(CUT)
    expect(page.get_by_text("FRIEND REQUESTS")).to_be_visible()
    choose(page, "ADD FRIEND")
    page.get_by_label("HEX", exact=True).fill("DEADBEEF")
    press(page, "CALL")
    expect(page.get_by_text("USER NOT FOUND")).to_be_visible()
    assert not page.evaluate(CUT)
    # What does not fit can be scrolled to, and nothing is drawn over something else.
    page.get_by_label("HEX", exact=True).scroll_into_view_if_needed()
    field, banner = (page.get_by_label("HEX", exact=True).bounding_box(), page.get_by_test_id("banner").bounding_box())
    assert field["y"] + field["height"] <= banner["y"] + 1
    hint = page.get_by_text("END: BACK").bounding_box()
    assert banner["y"] + banner["height"] <= hint["y"] + 1


def test_the_way_home_is_seen_on_black_plastic(phones, box):
    page = phones(box.address + APP, viewport={"width": 375, "height": 667}, device_scale_factor=1)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    place = page.get_by_role("link", name="Home").bounding_box()

    def brightness(y: float) -> int:
        pixel = page.screenshot(clip={"x": place["x"] + place["width"] / 2, "y": y, "width": 1, "height": 1})
        # The picture is in pieces: length, name, content, checksum.
        packed, at = b"", 8
        while at < len(pixel):
            length = int.from_bytes(pixel[at:at + 4])
            if pixel[at + 4:at + 8] == b"IDAT":
                packed += pixel[at + 8:at + 8 + length]
            at += 12 + length
        return sum(zlib.decompress(packed)[1:4])

    bottom = place["y"] + place["height"]
    assert brightness(bottom - 11) - brightness(bottom - 22) > 300


def test_every_screen_passes_the_audit_and_can_be_used_with_a_keyboard(people, phones, box):
    ada, _ = people
    send(ada, "HELLO")
    expect(ada.get_by_text("SENT - WAITING FOR REPLY")).to_be_visible()
    assert not audit(ada)
    eve = phones(box.address + APP)
    begin(eve, "Eve")
    press(ada, "END", "END")
    code = code_of(ada)
    choose(eve, "ADD FRIEND")
    type_code(eve, code)
    press(eve, "CALL")
    expect(eve.get_by_text("REQUEST SENT")).to_be_visible()

    chosen = ada.locator(".sel")
    for line in ("MESSAGES", "FRIENDS", "ADD FRIEND", "FRIEND REQUESTS", "MY HEX", "SETTINGS"):
        while line not in chosen.text_content():
            before = chosen.text_content()
            ada.keyboard.press("ArrowDown")
            expect(chosen).not_to_have_text(before)
        ada.keyboard.press("Enter")
        expect(ada.get_by_role("heading", name=line)).to_be_visible()
        expect(ada.get_by_text("PLEASE WAIT", exact=True)).to_have_count(0)
        assert not audit(ada), line
        screenshot(ada, "pager-" + line.lower().replace(" ", "-"))
        if line in FURTHER:
            key, heading = FURTHER[line]
            ada.keyboard.press(key)
            expect(ada.get_by_role("heading", name=heading, exact=True)).to_be_visible()
            assert not audit(ada), heading
            ada.keyboard.press("Escape")
        ada.keyboard.press("Escape")
        expect(ada.get_by_text("CALL: SELECT")).to_be_visible()
        expect(ada.get_by_role("heading", name="PAGER2077")).to_be_visible()
