"""Custom shapes, compared pixel by pixel."""

import base64

import pytest
from conftest import settle
from playwright.sync_api import expect

PIXELS = """async text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    pen.drawImage(picture, 0, 0)
    const { data } = pen.getImageData(0, 0, picture.width, picture.height)
    const rows = Array.from({ length: picture.height }, () => [])
    for (let n = 0; n < data.length; n += 4) rows[Math.floor(n / 4 / picture.width)].push([...data.slice(n, n + 3)].join())
    return rows
}"""
BLACK, WHITE, ORANGE = "0,0,0", "255,255,255", "255,149,0"


def tile(page, name):
    """The drawing above a name."""
    shape = page.locator(".vstack", has=page.get_by_text(name, exact=True)).last.locator(".shape, .path").last
    shape.scroll_into_view_if_needed()
    return shape


def pixels(page, shape):
    """Rows of colors, without the outermost pixels: a box need not begin where a pixel does."""
    settle(page)
    rows = page.evaluate(PIXELS, base64.b64encode(shape.screenshot()).decode())
    return [row[3:-3] for row in rows[3:-3]]


@pytest.mark.parametrize("scale", [1, 3])
def test_squares_that_touch_have_nothing_between_them(open_page, scale):
    page = open_page("Shapes", device_scale_factor=scale)
    rows = pixels(page, tile(page, "Squares"))
    assert {color for row in rows for color in row} == {BLACK, WHITE}
    # Of 29 rows and columns of squares each seventh is full.
    for lines in (rows, list(zip(*rows))):
        full = [number for number, line in enumerate(lines) if set(line) == {BLACK}]
        assert len(full) == pytest.approx(len(lines) * 5 / 29, abs=4 * scale + 2)
        assert any(abs(number - len(lines) / 2) < 2 for number in full)


def test_a_shape_is_stretched_to_its_box(open_page):
    page = open_page("Shapes")
    star = tile(page, "Star")
    box = star.bounding_box()
    assert box["width"] > box["height"] + 30
    drawn = star.locator("path").bounding_box()
    assert drawn["width"] == pytest.approx(box["width"] * 0.951, abs=1)
    assert drawn["height"] == pytest.approx(box["height"] * 0.905, abs=1)


def test_a_shape_is_drawn_and_nothing_around_it(open_page, subtests):
    page = open_page("Shapes")
    for name in ("Star", "Even-odd", "Gradient", "Cut by a star", "Colour around"):
        with subtests.test(name):
            rows = pixels(page, tile(page, name))
            inside = rows[round(len(rows) * 0.45)][round(len(rows[0]) / 2)]
            assert (inside == WHITE) == (name == "Even-odd")
            assert rows[round(len(rows) * 0.3)][round(len(rows[0]) * 0.5)] != (WHITE if name != "Even-odd" else "")
            assert rows[2][2] == rows[2][-2] == rows[-2][2] == rows[-2][round(len(rows[0]) / 2)] == WHITE


def test_a_path_has_its_own_color_or_that_around_it(open_page):
    page = open_page("Shapes")
    assert ORANGE in pixels(page, tile(page, "Star"))[30]
    assert tile(page, "Colour around").evaluate("el => getComputedStyle(el.querySelector('path')).fill") == "rgb(175, 82, 222)"
    page.emulate_media(color_scheme="dark")
    assert {color for row in pixels(page, tile(page, "Squares")) for color in row} == {BLACK, WHITE}
    expect(tile(page, "Squares").locator("path")).to_have_css("fill", "rgb(255, 255, 255)")


def test_a_line_is_as_wide_as_it_says_however_its_path_is_stretched(open_page):
    page = open_page("Shapes")
    line = tile(page, "Dashed stroke").locator("path")
    expect(line).to_have_css("stroke-width", "2px")
    expect(line).to_have_css("vector-effect", "non-scaling-stroke")
    expect(line).to_have_css("fill", "none")


def test_a_path_by_itself_is_not_stretched(open_page):
    page = open_page("Shapes")
    shape = tile(page, "In points")
    box, drawn = shape.bounding_box(), shape.locator("path").evaluate("el => el.getBoundingClientRect().toJSON()")
    assert (drawn["x"] - box["x"], drawn["y"] - box["y"]) == pytest.approx((8, 8), abs=3)
    assert (drawn["width"], drawn["height"]) == pytest.approx((48, 48), abs=5)
