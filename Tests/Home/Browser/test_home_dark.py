"""The home screen in the dark."""

import pytest
from conftest import brightness, screenshot
from playwright.sync_api import expect

# Of the wallpaper, at its top.
SKY = {"light": "rgb(219, 237, 255)", "dark": "rgb(13, 26, 56)"}
GROUP = {"light": "rgb(255, 255, 255)", "dark": "rgb(44, 44, 46)"}
TEXT = {"light": "rgb(0, 0, 0)", "dark": "rgb(255, 255, 255)"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screen_and_its_settings_are_as_dark_as_the_phone(phones, box, scheme):
    page = phones(box.address, color_scheme=scheme)
    sky = page.evaluate("[...document.querySelectorAll('.root *')].map(el => getComputedStyle(el).backgroundImage)")
    assert any(SKY[scheme] in image for image in sky)
    expect(page.get_by_text("Pager2077", exact=True)).to_have_css("color", TEXT[scheme])
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7
    screenshot(page, f"home-{scheme}")
    page.get_by_role("button", name="Settings", exact=True).tap()
    expect(page.locator("dialog .group").first).to_have_css("background-color", GROUP[scheme])
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7
