"""A wide touch screen: content keeps a readable width in the middle, bars and backgrounds reach the edges."""

import pytest
from conftest import screenshot
from playwright.sync_api import expect

SIZES = [(844, 390), (1024, 768), (1366, 1024)]
READABLE = 600


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request):
    return request.param


def wide(size, **options):
    return {"viewport": {"width": size[0], "height": size[1]}} | options


def middle(box):
    return box["x"] + box["width"] / 2


def test_rows_keep_a_readable_width(phones, gallery, size):
    page = phones(gallery, **wide(size))
    assert page.locator(".list").bounding_box()["width"] == size[0]
    row = page.locator(".row").first.bounding_box()
    assert row["width"] <= READABLE and middle(row) == pytest.approx(size[0] / 2, abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_samples_and_sheets_keep_a_readable_width(open_page, size, scheme):
    page = open_page("Sheet", **wide(size, color_scheme=scheme))
    page.get_by_role("button", name="Plain sheet", exact=True).tap()
    card = page.locator("dialog .card").bounding_box()
    assert card["width"] == READABLE and middle(card) == pytest.approx(size[0] / 2, abs=1)
    screenshot(page, f"wide-sheet-{size[0]}-{scheme}")


def test_a_field_is_no_wider_than_text_is_readable(open_page, size):
    page = open_page("TextField", **wide(size))
    field = page.get_by_label("Plain", exact=True)
    expect(field).to_be_visible()
    box = field.bounding_box()
    assert box["width"] <= READABLE and middle(box) == pytest.approx(size[0] / 2, abs=40)


def test_a_phone_upright_uses_all_of_its_width(phone):
    assert phone.locator(".row").first.bounding_box()["width"] == 390 - 32
