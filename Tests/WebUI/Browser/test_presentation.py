"""Sheets, alerts and dialogs."""

import pytest
from conftest import Finger, button, center, settle
from playwright.sync_api import expect

SCREEN = 844
HALF = SCREEN / 2
# The distance between a sheet of full height and the top of the screen.
FREE = 10


@pytest.fixture
def sheets(open_page):
    return open_page("Sheet")


@pytest.fixture
def alerts(open_page):
    return open_page("Alert")


@pytest.fixture
def dialogs(open_page):
    return open_page("ConfirmationDialog")


def open_dialog(page, name, count=1):
    """Taps a button that presents something, and returns that."""
    button(page, name).tap()
    dialogs = page.locator("dialog[open]")
    expect(dialogs).to_have_count(count)
    settle(page)
    return dialogs.last


def card(dialog):
    return dialog.locator("> .card")


def height(dialog):
    return card(dialog).bounding_box()["height"]


def top(dialog):
    return card(dialog).bounding_box()["y"]


def drag(page, start, end):
    Finger(page).drag((195, start), (195, end))
    settle(page)


def expect_dismissed(page, what="sheet"):
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_test_id("dismissed")).to_have_text(what)


# Sheets


def test_a_sheet_follows_the_finger_between_its_heights_and_out(sheets):
    sheet = open_dialog(sheets, "Half or full height")
    assert height(sheet) == pytest.approx(HALF, abs=1)
    drag(sheets, HALF + 5, 60)
    assert height(sheet) == pytest.approx(SCREEN - FREE, abs=1)
    drag(sheets, FREE + 5, HALF - 40)
    assert height(sheet) == pytest.approx(HALF, abs=1)
    drag(sheets, HALF + 5, HALF + 60)
    assert height(sheet) == pytest.approx(HALF, abs=1)
    assert top(sheet) == pytest.approx(HALF, abs=1), "a short pull is not enough to dismiss it"
    drag(sheets, HALF + 5, SCREEN - 20)
    expect_dismissed(sheets)


def test_a_sheet_moves_under_the_finger(sheets):
    sheet = open_dialog(sheets, "Plain sheet")
    finger = Finger(sheets)
    finger.down(195, FREE + 8)
    finger.move(195, FREE + 208)
    assert top(sheet) == pytest.approx(FREE + 200, abs=2)
    finger.move(195, FREE + 8)
    finger.up()
    settle(sheets)
    assert top(sheet) == pytest.approx(FREE, abs=1)


def test_a_button_changes_the_height_for_people_who_cannot_drag(sheets):
    sheet = open_dialog(sheets, "Half or full height")
    button(sheets, "Resize").focus()
    for expected in (SCREEN - FREE, HALF):
        sheets.keyboard.press("Enter")
        expect(card(sheet)).to_have_css("height", f"{expected:g}px")


def test_a_sheet_has_the_height_it_asks_for(sheets):
    for name, share in (("Half height", 0.5), ("A quarter", 0.25)):
        sheet = open_dialog(sheets, name)
        assert height(sheet) == pytest.approx(SCREEN * share, abs=1)
        sheets.keyboard.press("Escape")
        expect(sheets.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("leave", [
    pytest.param(lambda page: drag(page, HALF + 5, SCREEN - 10), id="swipe"),
    pytest.param(lambda page: page.touchscreen.tap(195, 100), id="backdrop"),
])
def test_a_sheet_is_dismissed_by_a_finger(sheets, leave):
    open_dialog(sheets, "Half height")
    leave(sheets)
    expect_dismissed(sheets)


def test_a_sheet_that_stays_is_dismissed_by_its_button_only(sheets):
    sheet = open_dialog(sheets, "Only by its button")
    sheets.keyboard.press("Escape")
    sheets.keyboard.press("Escape")
    sheets.touchscreen.tap(195, 4)
    drag(sheets, FREE + 8, SCREEN - 20)
    expect(sheet).to_be_visible()
    assert top(sheet) == pytest.approx(FREE, abs=1)
    expect(sheets.get_by_test_id("dismissed")).to_have_text("none")
    button(sheets, "Dismiss").tap()
    expect_dismissed(sheets)


def test_a_cover_is_not_swiped_away(sheets):
    cover = open_dialog(sheets, "Full screen cover")
    assert card(cover).bounding_box() == {"x": 0, "y": 0, "width": 390, "height": SCREEN}
    drag(sheets, 20, 800)
    expect(cover).to_be_visible()
    assert top(cover) == 0
    button(sheets, "Dismiss").tap()
    expect_dismissed(sheets, "cover")


def test_a_sheet_stays_when_the_page_it_came_from_is_covered(sheets):
    sheet = open_dialog(sheets, "Next page behind it")
    button(sheet, "Show the next page").tap()
    expect(sheets.get_by_text("Shown behind the sheet")).to_be_visible()
    settle(sheets)
    # A click by position: Playwright takes everything below an inert page for inert, browsers make an exception for open dialogs.
    sheets.touchscreen.tap(*center(button(sheet, "Dismiss")))
    expect(sheets.locator("dialog")).to_have_count(0)
    button(sheets, "Back").tap()
    expect(sheets.get_by_test_id("dismissed")).to_have_text("sheet")


def test_a_list_scrolls_once_its_sheet_has_its_full_height(sheets):
    sheet = open_dialog(sheets, "With a long list")
    rows = sheet.locator(".list")
    drag(sheets, 700, 300)
    assert height(sheet) == pytest.approx(SCREEN - FREE, abs=1)
    expect(rows).to_have_js_property("scrollTop", 0)
    Finger(sheets).drag((195, 700), (195, 300))
    expect(rows).not_to_have_js_property("scrollTop", 0)
    Finger(sheets).drag((195, 300), (195, 500))
    assert height(sheet) == pytest.approx(SCREEN - FREE, abs=1), "the list goes back before the sheet does"


def test_the_focus_stays_in_a_sheet_and_returns_to_its_opener(sheets):
    button(sheets, "Sheet in a sheet").focus()
    sheets.keyboard.press("Enter")
    expect(sheets.locator("dialog")).to_be_visible()
    for _ in range(8):
        sheets.keyboard.press("Tab")
        assert sheets.evaluate("document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))")
    sheets.keyboard.press("Escape")
    expect(sheets.locator("dialog")).to_have_count(0)
    expect(button(sheets, "Sheet in a sheet")).to_be_focused()


def test_sheets_rise_unless_less_motion_is_wanted(open_page):
    for motion, rises in (("no-preference", True), ("reduce", False)):
        page = open_page("Sheet", reduced_motion=motion)
        page.evaluate("""() => {
            window.rises = false
            const animate = Element.prototype.animate
            Element.prototype.animate = function (frames, timing) {
                window.rises ||= this.matches('.card') && JSON.stringify(frames).includes('translate')
                return animate.call(this, frames, timing)
            }
        }""")
        open_dialog(page, "Half height")
        assert page.evaluate("window.rises") == rises


# Alerts


def test_an_alert_takes_one_answer_however_fast_one_taps(open_page, proxy):
    page = open_page("Alert", proxy.address)
    alert = open_dialog(page, "Three answers")
    proxy.delay = 0.2
    button(alert, "One").tap()
    button(alert, "Two").tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_test_id("answer")).to_have_text("One")
    proxy.delay = 0
    button(page, "A note").tap()
    expect(page.locator("dialog")).to_contain_text("Saved")
    expect(page.get_by_test_id("answer")).to_have_text("One")


def test_an_alert_waits_for_an_answer(alerts):
    alert = open_dialog(alerts, "A question")
    alerts.touchscreen.tap(195, 60)
    drag(alerts, 420, 800)
    expect(alert).to_be_visible()
    expect(alerts.get_by_test_id("answer")).to_have_text("none")


def test_an_alert_is_answered_by_keyboard_alone(alerts):
    button(alerts, "A question").focus()
    alerts.keyboard.press("Enter")
    alert = alerts.get_by_role("alertdialog", name="Delete the message?")
    expect(alert).to_be_visible()
    names = set()
    for _ in range(6):
        alerts.keyboard.press("Tab")
        names.add(alerts.evaluate("document.activeElement === document.body ? null : document.activeElement.textContent"))
    assert names - {None} == {"Delete", "Cancel"}
    button(alert, "Delete").focus()
    alerts.keyboard.press("Enter")
    expect(alerts.get_by_test_id("answer")).to_have_text("deleted")
    expect(button(alerts, "A question")).to_be_focused()
    alerts.keyboard.press("Enter")
    expect(alert).to_be_visible()
    alerts.keyboard.press("Escape")
    expect(alerts.locator("dialog")).to_have_count(0)


def test_a_field_in_an_alert_has_the_focus_and_gives_its_text(alerts):
    alert = open_dialog(alerts, "A field")
    expect(alert.get_by_label("Name")).to_be_focused()
    alerts.keyboard.type("Ada")
    button(alert, "OK").tap()
    expect(alerts.get_by_test_id("answer")).to_have_text("name Ada")


# Dialogs


def test_a_tap_beside_a_dialog_closes_it_without_an_answer(dialogs):
    open_dialog(dialogs, "With title and message")
    dialogs.touchscreen.tap(195, 100)
    expect(dialogs.locator("dialog")).to_have_count(0)
    expect(button(dialogs, "With title and message")).to_be_focused()


def test_a_dialog_is_answered_by_keyboard_alone(dialogs):
    button(dialogs, "Without a title").focus()
    dialogs.keyboard.press("Enter")
    expect(dialogs.locator("dialog")).to_be_visible()
    button(dialogs, "By name").focus()
    dialogs.keyboard.press(" ")
    expect(dialogs.get_by_test_id("answer")).to_have_text("name")
    expect(dialogs.locator("dialog")).to_have_count(0)
    expect(button(dialogs, "Without a title")).to_be_focused()
