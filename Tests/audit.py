"""The audit of accessibility that every screen passes."""

from axe_playwright_python.base import AXE_SCRIPT
from conftest import settle
from playwright.sync_api import Page

# Apple's own colours, blue on white and the secondary label, are fainter than WCAG asks for. Contrast counts for those who
# ask for more of it, as on an iPhone.
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
ALL_BUT_CONTRAST = {"rules": {"color-contrast": {"enabled": False}}}


def audit(page: Page, options: dict | None = None) -> list[str]:
    """What the rules of axe find fault with."""
    settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(options)", (options or {}) | {"resultTypes": ["violations"]})
    return [f"{rule['id']}: {node['html']}" for rule in found["violations"] for node in rule["nodes"]]
