"""Light and dark color schemes."""

from conftest import brightness, button, go_back, visit
from playwright.sync_api import expect

BLACK, WHITE = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
LOOKS = {
    "light": {"text": BLACK, "list": "rgb(242, 242, 247)", "group": WHITE, "tint": "rgb(0, 122, 255)"},
    "dark": {"text": WHITE, "list": BLACK, "group": "rgb(28, 28, 30)", "tint": "rgb(10, 132, 255)"},
}


# The background of the first element that has one, from the outside in.
BACKGROUND = """el => [el, ...el.querySelectorAll('*')].map(inner => getComputedStyle(inner).backgroundColor)
    .find(color => color !== 'rgba(0, 0, 0, 0)')"""


def expect_look(page, look):
    expect(page.locator(".row .text").first).to_have_css("color", look["text"])
    expect(page.locator(".list").first).to_have_css("background-color", look["list"])
    expect(page.locator(".group").first).to_have_css("background-color", look["group"])


def test_an_open_page_follows_the_scheme_of_the_phone(phones, gallery):
    page = phones(gallery, color_scheme="dark")
    for scheme in ("dark", "light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect_look(page, LOOKS[scheme])


def test_controls_have_the_tint_of_the_scheme(open_page):
    page = open_page("Button")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for name in ("Row", "Borderless", "Bordered"):
            text = button(page, name).locator(".text")
            expect(text).to_have_css("color", LOOKS[scheme]["tint"])


def test_a_view_can_have_a_scheme_of_its_own(open_page):
    page = open_page("Colors", color_scheme="light")
    for scheme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for title, own in (("As the screen", scheme), ("Always light", "light"), ("Always dark", "dark")):
            value = page.get_by_test_id(title)
            expect(value).to_have_text(own)
            expect(page.get_by_text(title, exact=True)).to_have_css("color", LOOKS[own]["text"])
            part = page.locator("[data-scheme]", has=value).last if title != "As the screen" else page.locator(".page").last
            assert part.evaluate(BACKGROUND) == (WHITE if own == "light" else BLACK)


def test_the_whole_screen_is_dark_or_light(phone):
    for title in ("List", "Button", "TextField", "Toolbar", "Colors"):
        visit(phone, title)
        for scheme in ("dark", "light"):
            phone.emulate_media(color_scheme=scheme)
            assert brightness(phone) < 0.25 if scheme == "dark" else brightness(phone) > 0.7, (title, scheme)
        go_back(phone)
