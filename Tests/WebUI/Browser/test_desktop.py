"""On a desktop the app is drawn inside of a phone."""

import pytest
from conftest import button
from playwright.sync_api import expect

DESK = {"viewport": {"width": 1280, "height": 900}, "device_scale_factor": 1, "is_mobile": False, "has_touch": False}


@pytest.fixture
def page(phones, gallery):
    return phones(gallery, **DESK)


def test_the_phone_is_in_the_middle_of_the_window(page):
    box = page.locator("main.phone").bounding_box()
    assert box == {"x": (1280 - 393) / 2, "y": (900 - 852) / 2, "width": 393, "height": 852}
    assert page.locator("#screen").bounding_box() == box
    expect(page.locator("main > .status .time")).to_be_visible()


def test_content_keeps_clear_of_the_island_and_the_home_indicator(page):
    screen = page.locator("main.phone").bounding_box()
    title = page.get_by_role("heading", name="Gallery", exact=True).bounding_box()
    assert title["y"] - screen["y"] >= 54
    button(page, "Hostile text").scroll_into_view_if_needed()
    page.locator(".list").evaluate("el => el.scrollTo(0, el.scrollHeight)")
    last = button(page, "Hostile text").bounding_box()
    assert last["y"] + last["height"] <= screen["y"] + screen["height"] - 34


def test_a_sheet_stays_within_the_phone(page):
    button(page, "Sheet").click()
    button(page, "Plain sheet").click()
    screen = page.locator("main.phone").bounding_box()
    card = page.locator("dialog .card").bounding_box()
    assert card["x"] == screen["x"] and card["width"] == screen["width"]
    assert card["y"] - screen["y"] == pytest.approx(54 + 10, abs=1)


def test_a_mouse_wheel_scrolls_and_shows_the_scroll_bar(page):
    page.mouse.move(640, 450)
    page.mouse.wheel(0, 300)
    expect(page.locator(".list")).not_to_have_js_property("scrollTop", 0)
    expect(page.locator(".list > .thumb")).to_be_visible()
    expect(page.locator(".list > .thumb")).to_have_count(0)


def test_a_low_window_has_a_lower_phone(phones, gallery):
    page = phones(gallery, **DESK | {"viewport": {"width": 1280, "height": 600}})
    assert page.locator("main.phone").bounding_box()["height"] == 600 - 36


def test_a_phone_has_no_frame_around_its_screen(phone):
    assert phone.locator("main.phone").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    expect(phone.locator(".status")).to_be_hidden()


def test_the_home_indicator_leads_home_from_the_app_and_from_a_sheet(phones, gallery):
    page = phones(**DESK)
    page.route(gallery.removesuffix("apps/gallery/"), lambda route: route.fulfill(body="the home screen"))
    for opener in (None, "Sheet"):
        page.goto(gallery)
        # The gallery has no home screen, so it is given one.
        page.evaluate("document.body.dataset.home = document.querySelector('a.home').href = '/'")
        screen = page.locator("main.phone").bounding_box()
        if opener:
            button(page, opener).click()
            button(page, "Plain sheet").click()
        home = page.locator("dialog > .home" if opener else "main > .home")
        expect(home).to_have_accessible_name("Home")
        place = home.bounding_box()
        assert place["y"] + place["height"] == screen["y"] + screen["height"]
        assert place["height"] == 34
        home.click()
        expect(page.get_by_text("the home screen")).to_be_visible()


def test_the_gallery_has_no_home_screen(phone):
    expect(phone.locator("a.home")).to_be_hidden()
