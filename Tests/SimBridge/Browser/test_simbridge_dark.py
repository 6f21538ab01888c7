"""SimBridge in the dark."""

import pytest
from conftest import brightness
from playwright.sync_api import expect

# The surface, what is written on it, and the primary colour.
PALETTE = {
    "light": ["rgb(255, 251, 254)", "rgb(28, 27, 31)", "rgb(25, 118, 210)"],
    "dark": ["rgb(28, 27, 31)", "rgb(230, 225, 229)", "rgb(144, 202, 249)"],
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_screen_has_the_palette_of_the_phone_s_appearance(phones, box, scheme):
    page = phones(f"{box.address}/apps/simbridge/", color_scheme=scheme)
    expect(page.get_by_role("textbox").first).to_be_visible()
    surface, ink, primary = PALETTE[scheme]
    used = page.evaluate("""() => [...document.querySelectorAll(".root *")].map(el => {
        const { backgroundColor, color } = getComputedStyle(el)
        return [backgroundColor, color]
    })""")
    backgrounds = {background for background, _ in used}
    assert {surface, ink, primary} <= backgrounds | {color for _, color in used}
    # The light ink is the dark surface: only backgrounds tell the schemes apart.
    assert surface in backgrounds
    assert PALETTE["dark" if scheme == "light" else "light"][0] not in backgrounds
    assert brightness(page) < 0.3 if scheme == "dark" else brightness(page) > 0.7
