"""The pager's font: its drawing, the file made of it, and its look in a browser."""

import base64
import runpy
import string
import subprocess

import pytest
from conftest import ROOT

SCRIPT = ROOT / "Scripts/pager-font"
FONT = ROOT / "Sources/Pager2077/App/Resources/PagerLCD.ttf"


@pytest.fixture(scope="module")
def drawings():
    """The dots of each character, by code point."""
    return runpy.run_path(str(SCRIPT))["drawings"]()


@pytest.fixture
def page(phones):
    """A page that shows its text in the font."""
    page = phones(viewport={"width": 800, "height": 600}, device_scale_factor=1)
    source = base64.b64encode(FONT.read_bytes()).decode()
    page.set_content(f"""<style>
        @font-face {{ font-family: PagerLCD; src: url(data:font/ttf;base64,{source}) }}
        span {{ font-family: PagerLCD; white-space: pre }}
        </style><span></span>""")
    assert page.evaluate("async () => (await document.fonts.load('18px PagerLCD')).map(face => face.status)") == ["loaded"]
    return page


def test_the_file_is_made_of_the_drawing(tmp_path):
    subprocess.run([SCRIPT, tmp_path / "font.ttf"], check=True)
    assert (tmp_path / "font.ttf").read_bytes() == FONT.read_bytes()


def test_all_of_ascii_and_the_letters_of_latin_1_are_drawn(drawings):
    assert {*range(0x20, 0x7F), *range(0xC0, 0x100)} <= drawings.keys()
    assert -1 in drawings


def test_no_two_characters_of_ascii_look_alike(drawings):
    printable = [frozenset(drawings[code]) for code in range(0x20, 0x7F)]
    assert len(set(printable)) == len(printable)


def test_digits_differ_in_more_than_a_dot(drawings):
    digits = string.digits + string.ascii_uppercase
    for one in digits:
        for other in digits[:digits.index(one)]:
            assert len(drawings[ord(one)] ^ drawings[ord(other)]) > 1, one + other
    for one, other in ("0O", "0D", "8B"):
        assert len(drawings[ord(one)] ^ drawings[ord(other)]) > 2, one + other


@pytest.mark.parametrize("size", [9, 18, 27, 54])
def test_a_character_is_six_dots_wide_and_a_line_nine_high(page, size):
    text = "CALL ME 2077 ▮ il.W é✉"
    page.locator("span").evaluate("(el, [text, size]) => { el.textContent = text; el.style.fontSize = size + 'px' }", [text, size])
    box = page.locator("span").bounding_box()
    assert (box["width"], box["height"]) == pytest.approx((len(text) * size / 9 * 6, size), abs=0.001)


@pytest.mark.parametrize("size", [9, 18, 27])
@pytest.mark.parametrize("selector", ["", "\ufe0e"])
def test_each_dot_is_drawn_and_nothing_between(page, drawings, size, selector):
    dot = size // 9
    codes = [code for code in drawings if code >= 0 and (not selector or chr(code) in "▶◀☎♥✉")]
    shown = page.evaluate("""([codes, size, dot, selector]) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 6 * dot, height: 10 * dot })
        const context = canvas.getContext('2d', { willReadFrequently: true })
        context.font = `${size}px PagerLCD`
        return codes.map(code => {
            context.clearRect(0, 0, canvas.width, canvas.height)
            context.fillText(String.fromCodePoint(code) + selector, 0, 8 * dot)
            return [...context.getImageData(0, 0, canvas.width, canvas.height).data].filter((_, place) => place % 4 === 3)
        })
    }""", [codes, size, dot, selector])
    for code, alphas in zip(codes, shown):
        drawn = [
            255 if (x // dot, 7 - y // dot) in drawings[code] else 0 for y in range(10 * dot) for x in range(6 * dot)
        ]
        assert alphas == drawn, f"U+{code:04X}"
