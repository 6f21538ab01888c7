"""The display and its keys on small phones, with a keyboard up and on their side."""

import time

import pytest
from conftest import screenshot
from playwright.sync_api import Page, expect
from test_pager import APP, begin, choose, people, press, send  # noqa: F401

SMALL, LARGE = (375, 667), (393, 852)
# Of an iPhone, in points.
KEYBOARD = {SMALL: 260, LARGE: 336, (667, 375): 200}


def resize(page: Page, size: tuple[int, int], keyboard: bool = False):
    """The size of the phone's screen, and what a keyboard leaves of it."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height - (KEYBOARD[size] if keyboard else 0)})


# What can be tapped or typed into.
CONTROLS = ".root :is(.button, input, textarea)"


def boxes(page: Page) -> list[str]:
    """The names of the controls that are not wholly on the screen, or that stand on another."""
    expect(page.locator(CONTROLS).first).to_be_visible()
    return page.evaluate("""controls => {
        const shown = [...document.querySelectorAll(controls)]
            .filter(el => el.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
            .map(el => ({ name: el.ariaLabel || el.textContent, box: el.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 2)
        const view = { right: innerWidth, bottom: window.visualViewport.height }
        return shown.filter(({ box }) => box.left < -1 || box.right > view.right + 1 || box.bottom > view.bottom + 1
            || shown.some(({ box: other }) => other !== box && box.left < other.right - 1 && other.left < box.right - 1
                && box.top < other.bottom - 1 && other.top < box.bottom - 1))
            .map(({ name }) => name)
    }""", CONTROLS)


def settle_keys(page: Page, size: tuple[int, int], call: str = "CALL"):
    """Waits until the keys are where they belong: below the display, or beside it on a phone that lies on its side."""
    deadline = time.monotonic() + 30
    width, height = size
    while True:
        key = page.get_by_role("button", name=call, exact=True).bounding_box()
        if key and (key["x"] > width / 2 and key["y"] < height / 3 if width > height else key["y"] > height / 3):
            return
        assert time.monotonic() < deadline, key
        page.wait_for_timeout(50)


def back(page: Page):
    page.evaluate("""() => new Promise(done => {
        addEventListener('popstate', done, { once: true })
        history.back()
    })""")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-US", "ko-KR"])
def test_a_keyboard_takes_the_place_of_the_keys(phones, box, scheme, language):
    words = {"en-US": ("CALL", "NAME", "END: SKIP"), "ko-KR": ("통화", "이름", "종료: 건너뛰기")}[language]
    call, name, skip = words
    page = phones(box.address + APP, viewport={"width": 375, "height": 667}, color_scheme=scheme, locale=language)
    page.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
    key = page.get_by_role("button", name=call, exact=True)
    for size in (SMALL, LARGE, (667, 375)):
        resize(page, size)
        settle_keys(page, size, call)
        assert not boxes(page), size
        screenshot(page, f"pager-look-welcome-{size[0]}-{scheme}-{language}")
    resize(page, SMALL)
    key.tap()
    field = page.get_by_label(name, exact=True)
    for size in (SMALL, LARGE, (667, 375)):
        resize(page, size)
        field.tap()
        resize(page, size, keyboard=True)
        expect(key).to_have_count(0)
        field.fill("ADA")
        assert not boxes(page), size
        screenshot(page, f"pager-look-typing-{size[0]}-{scheme}-{language}")
        expect(field).to_be_focused()
        if size[0] < size[1]:
            expect(page.get_by_text(skip)).to_be_visible()
        resize(page, size)
        expect(key).to_be_visible()
        field.blur()


def test_a_chat_can_be_read_and_answered_above_a_keyboard(people):
    ada, bob = people
    ada.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
    for text in ("ONE", "TWO", "THREE"):
        send(ada, text)
        expect(ada.get_by_text(text, exact=True)).to_be_visible()
    message = ada.get_by_label("MESSAGE", exact=True)
    message.blur()
    for size in (SMALL, LARGE, (667, 375)):
        resize(ada, size)
        message.tap()
        resize(ada, size, keyboard=True)
        expect(ada.get_by_role("button", name="7")).to_have_count(0)
        screenshot(ada, f"pager-look-chat-{size[0]}")
        assert not boxes(ada), size
        message.press_sequentially(f"ABOVE {size[0]}")
        ada.keyboard.press("Enter")
        expect(ada.get_by_text(f"ABOVE {size[0]}", exact=True)).to_be_visible()
        resize(ada, size)
        expect(ada.get_by_role("button", name="END", exact=True)).to_be_visible()
        settle_keys(ada, size)
        screenshot(ada, f"pager-look-chat-keys-{size[0]}")
        assert not boxes(ada), size
        message.blur()


def test_the_browsers_way_back_is_END(phones, box):
    page = phones(box.address + APP)
    begin(page, "Ada")
    choose(page, "SETTINGS")
    choose(page, "NAME")
    expect(page.get_by_text("NEW NAME")).to_be_visible()
    back(page)
    expect(page.get_by_role("heading", name="SETTINGS")).to_be_visible()
    back(page)
    expect(page.get_by_text("CALL: SELECT")).to_be_visible()
    expect(page.get_by_role("heading", name="PAGER2077")).to_be_visible()
