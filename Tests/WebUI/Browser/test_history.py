"""The browser's Back leaves the topmost page or dialog, and the app only from its first page."""

import pytest
from conftest import Finger, button, cut, heading, mend, record, sent, settle, visit
from playwright.sync_api import expect


def expect_place(page, place: int):
    """Waits until the browser's history has this many entries to leave."""
    page.evaluate("""async place => {
        while ((history.state?.place ?? 0) !== place) await new Promise(requestAnimationFrame)
    }""", place)


def go(page, steps: int):
    """Goes to another entry of the history, as the browser's buttons do, and waits until the page has handled it."""
    page.evaluate("""steps => new Promise(done => {
        addEventListener('popstate', done, { once: true })
        history.go(steps)
    })""", steps)


def back(page):
    go(page, -1)


@pytest.fixture
def deep(open_page):
    """Three pages above the first: Navigation, Number 1, Number 2."""
    page = open_page("Navigation")
    button(page, "By value").tap()
    button(page, "Next number").tap()
    expect(heading(page, "Number 2")).to_be_visible()
    expect_place(page, 3)
    return page


def test_back_leaves_pushed_pages_one_by_one_and_then_the_app(deep):
    record(deep)
    for title, place in (("Number 1", 2), ("Navigation", 1), ("Gallery", 0)):
        back(deep)
        expect(heading(deep, title)).to_be_visible()
        expect_place(deep, place)
    assert len(sent(deep, "back")) == 3
    deep.go_back()
    assert deep.url == "about:blank"


def test_the_app_s_own_back_button_counts_as_well(deep):
    button(deep, "Back").tap()
    expect(heading(deep, "Number 1")).to_be_visible()
    expect_place(deep, 2)
    back(deep)
    expect(heading(deep, "Navigation")).to_be_visible()
    button(deep, "Back").tap()
    expect(heading(deep, "Gallery")).to_be_visible()
    expect_place(deep, 0)
    deep.go_back()
    assert deep.url == "about:blank"


def test_several_steps_at_once_leave_as_many_pages(deep):
    go(deep, -2)
    expect(heading(deep, "Navigation")).to_be_visible()
    expect_place(deep, 1)


def test_a_sheet_goes_before_the_page_below_and_after_the_pages_in_it(open_page):
    page = open_page("Navigation")
    button(page, "A stack with a path").tap()
    sheet = page.locator("dialog")
    button(sheet, "Push three").tap()
    expect(heading(sheet, "Page 3")).to_be_visible()
    expect_place(page, 5)
    button(sheet, "Pop").tap()
    expect_place(page, 4)
    for title in ("Page 1", "Root"):
        back(page)
        expect(heading(sheet, title)).to_be_visible()
    back(page)
    expect(sheet).to_have_count(0)
    expect(heading(page, "Navigation")).to_be_visible()
    expect_place(page, 1)
    back(page)
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_phone_s_back_leaves_pages_in_a_sheet_first(open_page):
    page = open_page("Navigation")
    button(page, "A stack with a path").tap()
    sheet = page.locator("dialog")
    button(sheet, "Push").tap()
    expect(heading(sheet, "Page 1")).to_be_visible()
    # As Android's Back closes a dialog.
    sheet.evaluate("el => el.dispatchEvent(new Event('cancel', { cancelable: true }))")
    expect(heading(sheet, "Root")).to_be_visible()
    sheet.evaluate("el => el.dispatchEvent(new Event('cancel', { cancelable: true }))")
    expect(sheet).to_have_count(0)
    expect_place(page, 1)


def test_a_reload_keeps_the_entries(deep):
    deep.reload()
    expect(heading(deep, "Number 2")).to_be_visible()
    expect_place(deep, 3)
    back(deep)
    expect(heading(deep, "Number 1")).to_be_visible()
    expect_place(deep, 2)


def test_forward_does_not_return_to_what_was_left(deep):
    back(deep)
    expect(heading(deep, "Number 1")).to_be_visible()
    go(deep, 1)
    expect_place(deep, 2)
    expect(heading(deep, "Number 1")).to_be_visible()
    back(deep)
    expect(heading(deep, "Navigation")).to_be_visible()


def test_a_new_tree_starts_at_the_first_entry(deep):
    deep.evaluate("sessionStorage.clear()")
    # As after a restart of the box: the session is not found.
    deep.add_init_script("sessionStorage.clear()")
    deep.reload()
    expect(heading(deep, "Gallery")).to_be_visible()
    expect_place(deep, 0)


def test_back_does_not_leave_what_only_its_button_dismisses(open_page):
    page = open_page("Sheet")
    button(page, "Only by its button").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_be_visible()
    expect_place(page, 2)
    for _ in range(2):
        back(page)
        expect_place(page, 2)
    expect(button(sheet, "Dismiss")).to_be_visible()
    button(sheet, "Dismiss").tap()
    expect(sheet).to_have_count(0)
    expect_place(page, 1)


def test_a_page_without_a_back_button_stays(open_page):
    page = open_page("Navigation")
    button(page, "No back button").tap()
    expect(heading(page, "No back button")).to_be_visible()
    expect_place(page, 2)
    back(page)
    expect_place(page, 2)
    expect(heading(page, "No back button")).to_be_visible()
    button(page, "Go back").tap()
    expect(heading(page, "Navigation")).to_be_visible()
    expect_place(page, 1)


def test_a_question_is_cancelled(open_page):
    page = open_page("Alert")
    button(page, "A question").tap()
    expect(page.locator("dialog")).to_be_visible()
    expect_place(page, 2)
    back(page)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_test_id("answer")).to_have_text("cancelled")
    expect_place(page, 1)


def test_without_a_connection_nothing_is_left(proxy, open_page):
    page = open_page("Navigation", proxy.address)
    button(page, "By value").tap()
    expect(heading(page, "Number 1")).to_be_visible()
    expect_place(page, 2)
    cut(proxy, page)
    back(page)
    expect_place(page, 2)
    expect(heading(page, "Number 1")).to_be_visible()
    mend(proxy, page)
    back(page)
    expect(heading(page, "Navigation")).to_be_visible()
    expect_place(page, 1)


@pytest.mark.parametrize("browser_swipes", [True, False])
def test_a_swipe_that_the_browser_takes_as_well_goes_back_once(open_page, browser_swipes):
    page = open_page("Navigation", reduced_motion="no-preference")
    button(page, "By value").tap()
    button(page, "Next number").tap()
    expect(heading(page, "Number 2")).to_be_visible()
    expect_place(page, 3)
    settle(page)
    Finger(page).drag((4, 400), (300, 400))
    if browser_swipes:
        back(page)
    expect(heading(page, "Number 1")).to_be_visible()
    expect_place(page, 2)
    settle(page)
    expect(heading(page, "Number 1")).to_be_visible()
    back(page)
    expect(heading(page, "Navigation")).to_be_visible()


def test_each_tab_has_its_own_entries(deep, phones, gallery):
    other = phones.tab(deep.context, gallery)
    visit(other, "Sheet")
    back(deep)
    expect(heading(deep, "Number 1")).to_be_visible()
    expect(heading(other, "Sheet")).to_be_visible()
    back(other)
    expect(heading(other, "Gallery")).to_be_visible()
    expect_place(deep, 2)
