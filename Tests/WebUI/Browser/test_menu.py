"""Menus and pickers."""

from playwright.sync_api import expect


def test_a_menu_hangs_below_its_button_and_closes(open_page):
    page = open_page("Menu")
    button = page.get_by_role("button", name="Actions")
    button.tap()
    delete = page.get_by_role("button", name="Delete")
    expect(delete).to_be_visible()
    page.wait_for_timeout(400)
    card = page.locator(".menu[open] > .card").bounding_box()
    anchor = button.bounding_box()
    assert card["y"] >= anchor["y"] + anchor["height"], (card, anchor)
    assert card["x"] >= 0 and card["x"] + card["width"] <= page.viewport_size["width"], card
    assert delete.bounding_box()["height"] >= 44
    expect(page.get_by_role("button", name="Locked")).to_be_disabled()
    delete.tap()
    expect(page.locator(".menu")).to_have_count(0)
    expect(page.get_by_test_id("last")).to_have_text("Delete")
    button.tap()
    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    page.touchscreen.tap(20, page.viewport_size["height"] - 60)
    expect(page.locator(".menu")).to_have_count(0)
    expect(page.get_by_test_id("last")).to_have_text("Delete")


def test_a_long_menu_stays_on_the_screen_and_scrolls(open_page):
    page = open_page("Menu")
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("button", name="Action 1", exact=True)).to_be_visible()
    page.wait_for_timeout(400)
    card = page.locator(".menu[open] > .card").bounding_box()
    assert card["y"] >= 0 and card["y"] + card["height"] <= page.viewport_size["height"], card
    last = page.get_by_role("button", name="Action 30", exact=True)
    last.scroll_into_view_if_needed()
    last.tap()
    expect(page.get_by_test_id("last")).to_have_text("Action 30")


def test_pickers_select(open_page):
    page = open_page("Picker")
    expect(page.get_by_role("button", name="Medium")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Large").tap()
    expect(page.get_by_test_id("size")).to_have_text("3")
    expect(page.get_by_role("button", name="Large")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="apple").tap()
    page.get_by_role("button", name="plum").tap()
    expect(page.get_by_test_id("fruit")).to_have_text("plum")
    page.get_by_role("button", name="Right").first.tap()
    expect(page.get_by_test_id("side")).to_have_text("right")
