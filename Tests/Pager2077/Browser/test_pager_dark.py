"""The pager in the dark: black plastic at any time, a display that is lit from behind."""

import pytest
from conftest import brightness
from playwright.sync_api import expect

GLASS = {"light": "rgb(181, 199, 125)", "dark": "rgb(158, 219, 140)"}
CASING = "rgb(51, 51, 51)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_display_is_lit_and_the_casing_is_black(phones, box, scheme):
    page = phones(f"{box.address}/apps/pager2077/", color_scheme=scheme)
    expect(page.get_by_text("A PAGER FOR FRIENDS")).to_be_visible()
    images = page.evaluate("[...document.querySelectorAll('.root *')].map(el => getComputedStyle(el).backgroundImage)")
    assert any(GLASS[scheme] in image for image in images)
    assert any(CASING in image for image in images)
    assert brightness(page) < 0.55
    page.evaluate("document.querySelector('.root').style.visibility = 'hidden'")
    # What is seen where the app draws nothing, for instance while the page is pulled.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == CASING
