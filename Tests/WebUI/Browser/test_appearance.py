"""Light and dark."""

import pytest
from conftest import brightness
from playwright.sync_api import expect

BLACK, WHITE = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
LOOKS = {
    "light": {"text": BLACK, "list": "rgb(242, 242, 247)", "group": WHITE, "tint": "rgb(0, 122, 255)"},
    "dark": {"text": WHITE, "list": BLACK, "group": "rgb(28, 28, 30)", "tint": "rgb(10, 132, 255)"},
}


# What the first element with a background of its own is painted with, from the inside.
BACKGROUND = """el => [el, ...el.querySelectorAll('*')].map(inner => getComputedStyle(inner).backgroundColor)
    .find(color => color !== 'rgba(0, 0, 0, 0)')"""


def expect_look(page, look):
    expect(page.locator(".row .text").first).to_have_css("color", look["text"])
    expect(page.locator(".list").first).to_have_css("background-color", look["list"])
    expect(page.locator(".group").first).to_have_css("background-color", look["group"])


def test_a_phone_is_light_or_dark_and_can_change_while_a_page_is_open(phones, gallery):
    for first, then in (("light", "dark"), ("dark", "light")):
        page = phones(gallery, color_scheme=first)
        expect_look(page, LOOKS[first])
        page.emulate_media(color_scheme=then)
        expect_look(page, LOOKS[then])


def test_what_can_be_tapped_has_the_tint_of_the_scheme(open_page):
    page = open_page("Button")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for name in ("Row", "Borderless", "Bordered"):
            text = page.get_by_role("button", name=name, exact=True).locator(".text")
            expect(text).to_have_css("color", LOOKS[scheme]["tint"])


def test_views_learn_of_the_scheme_and_may_have_one_of_their_own(open_page):
    page = open_page("Colors", color_scheme="light")
    for scheme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for title, own in (("As the screen", scheme), ("Always light", "light"), ("Always dark", "dark")):
            value = page.get_by_test_id(title)
            expect(value).to_have_text(own)
            expect(page.get_by_text(title, exact=True)).to_have_css("color", LOOKS[own]["text"])
            part = page.locator("[data-scheme]", has=value).last if title != "As the screen" else page.locator(".page").last
            assert part.evaluate(BACKGROUND) == (WHITE if own == "light" else BLACK)


@pytest.mark.parametrize("title", ["List", "Button", "TextField", "Toolbar", "Colors"])
def test_in_the_dark_the_whole_screen_is_dark(open_page, title):
    page = open_page(title, color_scheme="dark")
    assert brightness(page) < 0.25
    page.emulate_media(color_scheme="light")
    assert brightness(page) > 0.7
