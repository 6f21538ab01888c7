"""The accessibility audit that every screen passes."""

import time
import warnings

from axe_playwright_python.base import AXE_SCRIPT
from conftest import settle
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
    """An audit in the light and in the dark, where only contrast can differ. The page is in `scheme` before and after."""
    other = "dark" if scheme == "light" else "light"
    faults = audit(page)
    page.emulate_media(color_scheme=other)
    faults += audit(page, CONTRAST)
    page.emulate_media(color_scheme=scheme)
    return faults
