"""Search fields and disclosures."""

from playwright.sync_api import expect


def test_typing_filters_and_cancel_shows_everything(open_page):
    page = open_page("Searchable")
    field = page.get_by_role("textbox", name="Names")
    expect(page.get_by_text("Edsger")).to_be_visible()
    field.tap()
    expect(page.get_by_test_id("searching")).to_have_text("yes")
    page.keyboard.type("gra")
    expect(page.get_by_text("Grace")).to_be_visible()
    expect(page.get_by_text("Edsger")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("submitted")).to_have_text("gra")
    page.keyboard.type("x")
    expect(page.get_by_text("No Results for “grax”")).to_be_visible()
    page.get_by_role("button", name="Cancel").tap()
    expect(field).to_have_value("")
    expect(page.get_by_text("Edsger")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_a_group_says_whether_it_is_open(open_page):
    page = open_page("DisclosureGroup")
    group = page.get_by_role("button", name="Closed at first")
    expect(group).to_have_attribute("aria-expanded", "false")
    group.tap()
    expect(page.get_by_text("Second secret")).to_be_visible()
    expect(group).to_have_attribute("aria-expanded", "true")
    group.tap()
    expect(page.get_by_text("Second secret")).to_have_count(0)
    page.get_by_role("button", name="Open at first").tap()
    expect(page.get_by_test_id("open")).to_have_count(0)
