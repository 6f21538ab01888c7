"""The display and its keys on small phones, above a keyboard, and on phones on their side."""

import pytest
from conftest import button, field, screenshot, wait_until
from handset import APP, friends, open_chat, open_pager  # noqa: F401
from playwright.sync_api import Page, expect

SMALL, LARGE, SIDEWAYS = (375, 667), (393, 852), (667, 375)
# The heights of an iPhone's keyboard, in points.
KEYBOARD = {SMALL: 260, LARGE: 336, SIDEWAYS: 200}
CONTROLS = ".root :is(.button, input, textarea)"
# A phone's screen stays as it is while its keyboard makes the page smaller.
FIX_SCREEN = "for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })"


def resize(page: Page, size: tuple[int, int], keyboard: bool = False):
    """Sets the size of the phone's screen, less what a keyboard takes of it."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height - (KEYBOARD[size] if keyboard else 0)})


def misplaced(page: Page) -> list[str]:
    """The names of the controls that are partly off the screen or overlap others."""
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


def wait_for_keys(page: Page, size: tuple[int, int], call: str = "CALL"):
    """Waits until the keys are below the display, or beside it on a phone on its side."""
    width, height = size

    def is_in_place() -> bool:
        key = button(page, call).bounding_box()
        return bool(key) and (key["x"] > width / 2 and key["y"] < height / 3 if width > height else key["y"] > height / 3)

    wait_until(page, is_in_place)


@pytest.mark.parametrize("language, scheme", [("en-US", "light"), ("ko-KR", "dark")])
def test_a_keyboard_takes_the_place_of_the_keys(phones, box, language, scheme):
    call, name, skip = {"en-US": ("CALL", "NAME", "END: SKIP"), "ko-KR": ("통화", "이름", "종료: 건너뛰기")}[language]
    page = phones(box.address + APP, viewport={"width": 375, "height": 667}, color_scheme=scheme, locale=language)
    page.evaluate(FIX_SCREEN)
    for size in (SMALL, LARGE, SIDEWAYS):
        resize(page, size)
        wait_for_keys(page, size, call)
        assert not misplaced(page), size
        screenshot(page, f"pager-look-welcome-{size[0]}-{scheme}-{language}")
    resize(page, SMALL)
    wait_for_keys(page, SMALL, call)
    button(page, call).tap()
    for size in (SMALL, LARGE, SIDEWAYS):
        resize(page, size)
        field(page, name).tap()
        resize(page, size, keyboard=True)
        expect(button(page, call)).to_have_count(0)
        field(page, name).fill("ADA")
        assert not misplaced(page), size
        screenshot(page, f"pager-look-typing-{size[0]}-{scheme}-{language}")
        expect(field(page, name)).to_be_focused()
        if size[0] < size[1]:
            expect(page.get_by_text(skip)).to_be_visible()
        resize(page, size)
        expect(button(page, call)).to_be_visible()
        field(page, name).blur()


def test_a_chat_can_be_read_and_answered_above_a_keyboard(open_pager, friends):
    ada, bob = friends
    for text in ("ONE", "TWO", "THREE"):
        bob.send(ada, text)
    page = open_pager(ada)
    page.evaluate(FIX_SCREEN)
    open_chat(page, "Bob")
    message = field(page, "MESSAGE")
    message.blur()
    for size in (SMALL, LARGE, SIDEWAYS):
        resize(page, size)
        message.tap()
        resize(page, size, keyboard=True)
        expect(page.get_by_role("button", name="7")).to_have_count(0)
        screenshot(page, f"pager-look-chat-{size[0]}")
        assert not misplaced(page), size
        message.press_sequentially(f"ABOVE {size[0]}")
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"ABOVE {size[0]}", exact=True)).to_be_visible()
        resize(page, size)
        expect(button(page, "END")).to_be_visible()
        wait_for_keys(page, size)
        screenshot(page, f"pager-look-chat-keys-{size[0]}")
        assert not misplaced(page), size
        message.blur()
