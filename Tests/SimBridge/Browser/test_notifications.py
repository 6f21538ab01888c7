"""SimBridge's settings of notifications."""

import pytest
from audit import audit
from conftest import REFUSE_PUSH, button, screenshot
from playwright.sync_api import expect
from test_simbridge import hosts, open_remote  # noqa: F401


@pytest.mark.parametrize("width, scheme", [(375, "light"), (393, "dark")])
def test_the_user_chooses_what_notifications_show(open_remote, width, scheme):  # noqa: F811
    page, _ = open_remote(viewport={"width": width, "height": 852}, color_scheme=scheme)
    page.context.grant_permissions(["notifications"])
    page.evaluate(REFUSE_PUSH)
    button(page, "Settings").tap()
    switch = page.get_by_role("switch", name="Notify when SimBridge is closed")
    expect(switch).not_to_be_checked()
    switch.scroll_into_view_if_needed()
    screenshot(page, f"simbridge-notifications-off-{scheme}")
    switch.tap()
    expect(switch).to_be_checked()
    choices = page.get_by_role("button", name="New text message")
    expect(choices).to_have_count(2)
    text = page.get_by_role("button", name="Sender and text")
    text.tap()
    text.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    screenshot(page, f"simbridge-notifications-on-{scheme}")
    assert not audit(page)
    switch.tap()
    expect(text).to_have_count(0)
