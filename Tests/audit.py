"""The accessibility audit that every screen passes."""

import time
import warnings

from axe_playwright_python.base import AXE_SCRIPT
from conftest import IS_SOAK, settle
from playwright.sync_api import Page

# Apple's own colors, such as blue on white, have less contrast than WCAG asks for. Contrast is audited for people who ask for more.
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
ALL_BUT_CONTRAST = {"rules": {"color-contrast": {"enabled": False}}}


# Seconds that a fault has to last. On an overloaded machine axe once reported contrast that was right a moment later. The cause is unknown:
# such a report becomes a warning of the test run.
PERSISTENCE = 5


def audit(page: Page, options: dict | None = None) -> list[str]:
    """The violations that axe finds and that stay, each with its element."""
    faults = first = violations(page, options)
    deadline = time.monotonic() + PERSISTENCE
    while faults and time.monotonic() < deadline:
        page.wait_for_timeout(100)
        faults = violations(page, options)
    if first and not faults:
        warnings.warn(f"Reported for a moment only: {first}")
    return faults


def violations(page: Page, options: dict | None) -> list[str]:
    """The violations that axe finds now, each with its element."""
    settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(options)", (options or {}) | {"resultTypes": ["violations"]})
    return [f"{rule['id']}: {node['html']}" for rule in found["violations"] for node in rule["nodes"]]


def audit_both_schemes(page: Page, scheme: str = "light") -> list[str]:
    """An audit in `scheme`, in which the page is before and after; in `make soak` also in the other one, where only contrast can differ."""
    faults = audit(page)
    if not IS_SOAK:
        return faults
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    faults += audit(page, CONTRAST)
    page.emulate_media(color_scheme=scheme)
    return faults


# Controls

CONTROLS = """[...document.querySelectorAll(
    '.page:not(.covered) :is(button, a[href], input, textarea, [role=button], [role=link])')].filter(el =>
    !el.disabled && !el.closest('[aria-hidden=true]') && el.checkVisibility({ visibilityProperty: true }))"""
# With the area around them that takes taps: that of a field is a layer behind it. What only the keyboard shows is not tapped. Links in texts are
# as high as their lines, as on a phone (WCAG exempts them), and fields of searches as low as Apple's.
SMALL = f"""but => {{
const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
const isOnTop = el => !dialog || dialog.contains(el)
return {CONTROLS}.filter(el => !el.matches(`.unseen, .home, .text > .link, [enterkeyhint=search], ${{but}}`)).filter(isOnTop).filter(el => {{
    const around = getComputedStyle(el, '::after')
    const within = around.content !== 'none' && around.position === 'absolute'
    const area = el.matches('.field') && el.closest('.layers')?.querySelector(':scope > .layer [data-on~=tap]') || el
    const size = side => Math.max(area.getBoundingClientRect()[side], within ? parseFloat(around[side]) : 0)
    return size('width') < 43.9 || size('height') < 43.9
}}).map(el => el.outerHTML.slice(0, 150))
}}"""
WATCH_FOCUS = """() => {
    const isWatched = window.focused
    window.focused = []
    if (!isWatched) document.addEventListener('focusin', ({ target }) => {
        const { left, top, bottom } = target.getBoundingClientRect()
        const scrolled = target.closest('.list')?.scrollTop ?? 0
        window.focused.push({ target, left, top: top + scrolled, bottom: bottom + scrolled })
    })
}"""
UNREACHED = f"() => {CONTROLS}.filter(el => !focused.some(({{ target }}) => target === el)).map(el => el.outerHTML.slice(0, 150))"
# Up to the return of the focus to its first element.
PLACES = """() => {
    const end = focused.findIndex(({ target }, n) => n > 0 && target === focused[0].target)
    return focused.slice(0, end < 0 ? undefined : end).map(({ left, top, bottom }) => ({ left, top, bottom }))
}"""


def small_targets(page: Page, but: str = ".none") -> list[str]:
    """The controls that are too small for a finger, but those that a selector finds."""
    return page.evaluate(SMALL, but)


def walk(page) -> list[dict]:
    """Goes through the page with the Tab key, from the title round to it again. Returns the places of the focus in order."""
    page.evaluate(WATCH_FOCUS)
    for _ in range(page.evaluate(f"() => {CONTROLS}.length + 6")):
        page.keyboard.press("Tab")
    return page.evaluate(PLACES)


def unreached(page: Page) -> list[str]:
    """The controls to which `walk` did not lead."""
    return page.evaluate(UNREACHED)
