"""Links inside texts, and grids of rows."""

from audit import audit_both_schemes
from conftest import settle
from playwright.sync_api import expect

SITE = "https://www.swift.org/"


def answer_for_the_site(page):
    """Keeps the test off the network."""
    page.context.route(SITE + "**", lambda route: route.fulfill(content_type="text/html", body="<title>Outside</title>"))


def paragraph(page):
    return page.get_by_test_id("paragraph")


def test_a_link_in_a_text_opens_outside_the_app(open_page):
    page = open_page("Link")
    answer_for_the_site(page)
    link = paragraph(page).get_by_role("link", name="the language", exact=True)
    expect(link).to_have_attribute("href", SITE)
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    with page.context.expect_page() as opened:
        link.tap()
    expect(opened.value).to_have_url(SITE)
    assert opened.value.evaluate("window.opener") is None
    opened.value.close()
    expect(paragraph(page).get_by_role("link", name="somebody")).to_have_attribute("href", "mailto:someone@example.com")


def test_a_link_wraps_with_its_text_and_has_the_tint(open_page):
    page = open_page("Link")
    link = paragraph(page).get_by_role("link", name="a text of more words than fit")
    lines = link.evaluate("el => [...el.getClientRects()].map(({ top, left, width }) => ({ top, left, width }))")
    assert len(lines) >= 2
    start = paragraph(page).bounding_box()["x"]
    assert abs(lines[1]["left"] - start) < 1 < lines[0]["left"] - start
    expect(link).to_have_css("color", "rgb(0, 122, 255)")
    assert paragraph(page).evaluate("el => { getSelection().selectAllChildren(el); return String(getSelection()) }") == \
        paragraph(page).text_content()


def test_the_keyboard_reaches_links_in_texts(open_page):
    page = open_page("Link", is_mobile=False)
    answer_for_the_site(page)
    link = paragraph(page).get_by_role("link", name="the language", exact=True)
    for _ in range(20):
        page.keyboard.press("Tab")
        if link.evaluate("el => el === document.activeElement"):
            break
    expect(link).to_be_focused()
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    opened.value.close()
    page.keyboard.press("Tab")
    expect(paragraph(page).get_by_role("link", name="somebody")).to_be_focused()


def test_scripts_and_data_are_no_links(open_page):
    page = open_page("Link")
    text = page.get_by_test_id("harmless")
    expect(text).to_have_text("A script is no link, nor is data.")
    expect(text.locator("a")).to_have_count(0)
    assert "javascript:" not in page.content() and "data:text" not in page.content()


def test_the_app_may_open_links_itself(open_page):
    page = open_page("Link", is_mobile=False)
    link = page.get_by_role("link", name="a chapter", exact=True)
    assert link.get_attribute("href") is None
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("opened")).to_have_text("Opened: book:chapter/1")


def test_a_tap_on_a_link_reaches_the_app(open_page):
    page = open_page("Link")
    page.get_by_role("link", name="a chapter", exact=True).tap()
    expect(page.get_by_test_id("opened")).to_have_text("Opened: book:chapter/1")


def test_links_in_texts_are_accessible(open_page):
    page = open_page("Link")
    paragraph(page).scroll_into_view_if_needed()
    page.emulate_media(contrast="more")
    assert not audit_both_schemes(page)


def test_a_grid_has_columns_as_wide_as_their_widest_cell(open_page):
    page = open_page("Grid")
    settle(page)
    grid = page.locator(".cells")
    rows = grid.locator(".cellrow").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => { const { left, right } = cell.getBoundingClientRect(); return [left, right] }))")
    assert len(rows) == 4
    firsts, seconds = zip(*rows)
    assert max(left for left, _ in firsts) - min(left for left, _ in firsts) < 1
    assert max(right for _, right in seconds) - min(right for _, right in seconds) < 1
    widest = max(right for _, right in firsts)
    assert abs(min(left for left, _ in seconds) - widest - 16) < 1
