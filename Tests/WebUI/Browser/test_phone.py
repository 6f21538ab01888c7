"""State of the page that an app receives: keyboard, links, restarts."""

import signal

import pytest
from conftest import button, heading, settle, visit
from playwright.sync_api import expect
from test_history import back, expect_place


@pytest.fixture
def page(open_page):
    page = open_page("Phone")
    # A phone's screen stays as it is while its keyboard makes the page smaller.
    page.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
    return page


def resize(page, width, height):
    """Resizes the page, as some browsers do when the keyboard comes up, and all when the phone is turned."""
    page.set_viewport_size({"width": width, "height": height})


def test_the_app_knows_whether_the_keyboard_is_up(page):
    keyboard = page.get_by_test_id("keyboard")
    resize(page, 390, 400)
    expect(page.locator(".page").last).to_have_css("height", "400px")
    expect(keyboard).to_have_text("hidden")
    resize(page, 390, 844)
    page.get_by_label("Something to type").tap()
    expect(keyboard).to_have_text("hidden")
    resize(page, 390, 500)
    expect(keyboard).to_have_text("shown")
    resize(page, 390, 844)
    expect(keyboard).to_have_text("hidden")


def test_the_keyboard_stays_up_while_the_phone_is_turned(page):
    keyboard = page.get_by_test_id("keyboard")
    page.get_by_label("Something to type").tap()
    resize(page, 390, 500)
    expect(keyboard).to_have_text("shown")
    resize(page, 844, 180)
    settle(page)
    expect(keyboard).to_have_text("shown")
    resize(page, 844, 390)
    expect(keyboard).to_have_text("hidden")


def test_field_stays_in_sight_when_the_keyboard_comes(open_page):
    page = open_page("TextField")
    page.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
    last = page.get_by_role("textbox").last
    last.scroll_into_view_if_needed()
    settle(page)
    assert last.bounding_box()["y"] > 500, "the keyboard will cover it"
    last.tap()
    resize(page, 390, 500)
    expect(last).to_be_in_viewport(ratio=1)
    # What the reader scrolls to then stays.
    resize(page, 390, 500)
    scroller = page.locator(".list").last
    scroller.evaluate("el => el.scrollTo(0, 0)")
    settle(page)
    expect(last).not_to_be_in_viewport()


def test_back_performs_escape_actions_first(page):
    for _ in range(3):
        button(page, "One more").tap()
    expect(page.get_by_test_id("levels")).to_have_text("3")
    expect_place(page, 4)
    for left in (2, 1, 0):
        back(page)
        expect(page.get_by_test_id("levels")).to_have_text(str(left))
        expect_place(page, left + 1)
    back(page)
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_link_opens_its_page_once(phones, gallery):
    page = phones(f"{gallery}#Phone")
    expect(heading(page, "Phone")).to_be_visible()
    assert page.url == gallery
    expect(page.get_by_test_id("appLink")).to_have_text(gallery)
    expect_place(page, 1)
    back(page)
    expect(heading(page, "Gallery")).to_be_visible()
    page.reload()
    expect(heading(page, "Gallery")).to_be_visible()


def test_a_link_reaches_an_app_that_is_open(page, gallery):
    page.evaluate("location.hash = 'pair=123456'")
    expect(page.get_by_test_id("opened")).to_have_text(f"{gallery}#pair=123456")
    assert page.url == gallery
    # The browser's way back leads where it led before.
    expect_place(page, 1)


def test_scene_storage_survives_a_restart_and_a_reload(phones, own_gallery):
    page = phones(own_gallery.address)
    visit(page, "Phone")
    for count in (1, 2):
        button(page, "Count").tap()
        expect(page.get_by_test_id("count")).to_have_text(str(count))
    other = phones.tab(page.context, own_gallery.address)
    own_gallery.restart(page, other, how=signal.SIGKILL)
    page.reload()
    for tab, count in ((page, "2"), (other, "0")):
        visit(tab, "Phone")
        expect(tab.get_by_test_id("count")).to_have_text(count)


def test_the_focus_returns_after_a_restart(phones, own_gallery):
    page = phones(own_gallery.address)
    visit(page, "Phone")
    page.get_by_label("Something to type").tap()
    own_gallery.restart(page, how=signal.SIGKILL)
    # The gallery begins with its list: the focus comes once the page is there, without a tap.
    page.evaluate("location.hash = 'Phone'")
    expect(page.get_by_label("Something to type")).to_be_focused()
