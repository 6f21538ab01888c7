"""The camera as a reader of QR codes."""

import pytest
from audit import audit
from camera import LIGHTS, cameras, films, lights  # noqa: F401
from conftest import button, heading, put_in_background, screenshot, settle, visit, wait_until
from playwright.sync_api import expect

PROMPT = "Point the camera at a code of the gallery."
WANTED, FOREIGN = "switchboard:gallery", "4006381333931"


def open_scanner(camera, address, **options):
    page = camera.phone(address, **options)
    visit(page, "Scanner")
    return page


def start(page):
    """Opens the camera, and waits until its picture moves."""
    button(page, "Scan a code").tap()
    viewfinder = page.get_by_role("dialog", name=PROMPT)
    expect(viewfinder).to_be_visible()
    wait_until(page, lambda: viewfinder.locator("video").evaluate("video => video.currentTime > 0"))
    return viewfinder


def result(page):
    return page.get_by_test_id("result")


def expect_closed(page, text="closed"):
    expect(result(page)).to_have_text(text)
    expect(page.locator("dialog")).to_have_count(0)
    assert lights(page) == 0


def test_a_code_before_the_camera_is_read(cameras, gallery):
    page = open_scanner(cameras(WANTED), gallery)
    button(page, "Scan a code").tap()
    expect_closed(page, f"found {WANTED}")
    # And again: the camera was given back.
    button(page, "Scan a code").tap()
    expect(result(page)).to_have_text("scanning")
    expect_closed(page, f"found {WANTED}")


def test_other_codes_are_passed_over(cameras, gallery):
    page = open_scanner(cameras(FOREIGN, "SWITCHBOARD", WANTED), gallery)
    button(page, "Scan a code").tap()
    expect_closed(page, f"found {WANTED}")
    page.get_by_role("switch").tap()
    button(page, "Scan a code").tap()
    expect(result(page)).to_have_text("scanning")
    wait_until(page, lambda: result(page).inner_text() != "scanning")
    assert result(page).inner_text().removeprefix("found ") in (FOREIGN, "SWITCHBOARD", WANTED)


def test_the_light_goes_off_with_the_tap_on_cancel(cameras, gallery):
    page = open_scanner(cameras(FOREIGN), gallery)
    viewfinder = start(page)
    assert lights(page) == 1
    # In the handler of the tap, without a round trip to the box.
    assert button(viewfinder, "Cancel").evaluate(f"button => {{ button.click(); return {LIGHTS} }}") == 0
    expect_closed(page)
    expect(button(page, "Scan a code")).to_be_visible()


@pytest.mark.parametrize("leave", ["Escape", "back", "background", "gone"])
def test_the_light_goes_off_when_the_user_leaves(cameras, gallery, leave):
    page = open_scanner(cameras(FOREIGN), gallery)
    start(page)
    match leave:
        case "Escape":
            page.keyboard.press("Escape")
        case "back":
            page.go_back()
        case "background":
            put_in_background(page)
            assert lights(page) == 0
        case "gone":
            # The box takes the stream away, as it does when the app has left the screen.
            page.evaluate("""async () => {
                const { dropAll } = await import(document.querySelector("script[type=module]").src.replace("page.js", "streams.js"))
                dropAll()
            }""")
            wait_until(page, lambda: lights(page) == 0)
            expect(page.locator("dialog")).to_have_count(0)
            return
    wait_until(page, lambda: lights(page) == 0)
    expect_closed(page)
    expect(heading(page, "Scanner")).to_be_visible()


def test_a_second_camera_takes_the_place_of_the_first(cameras, gallery):
    page = open_scanner(cameras(FOREIGN), gallery)
    start(page)
    # The page below is inert; only a script taps it.
    button_below = page.locator("button", has_text="Scan a code")
    button_below.evaluate("button => button.click()")
    wait_until(page, lambda: page.evaluate("window.tracks.length") == 2)
    wait_until(page, lambda: lights(page) == 1)
    expect(page.get_by_role("dialog", name=PROMPT)).to_have_count(1)


def test_a_refused_camera_is_denied(cameras, gallery):
    page = open_scanner(cameras(WANTED), gallery, allowed=False)
    button(page, "Scan a code").tap()
    expect_closed(page, "denied")


def test_a_missing_camera_is_unsupported(open_page):
    page = open_page("Scanner")
    button(page, "Scan a code").tap()
    expect(result(page)).to_have_text("unsupported")
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("width, height, scheme, language, cancel", [
    (375, 667, "light", "en-US", "Cancel"), (393, 852, "dark", "ko-KR", "취소"), (667, 375, "light", "en-US", "Cancel"),
])
def test_the_viewfinder_fits_the_screen(cameras, gallery, width, height, scheme, language, cancel):
    page = open_scanner(
        cameras(FOREIGN), gallery, viewport={"width": width, "height": height}, color_scheme=scheme, locale=language)
    viewfinder = start(page)
    settle(page)
    screenshot(page, f"scanner-{width}-{scheme}-{language}")
    whole = viewfinder.bounding_box()
    assert (whole["x"], whole["y"], whole["width"], whole["height"]) == (0, 0, width, height)
    sentence, picture, way_out = (
        viewfinder.get_by_text(PROMPT), viewfinder.locator(".viewfinder"), button(viewfinder, cancel))
    bottom = 0
    for part in (sentence, picture, way_out):
        box = part.bounding_box()
        assert box["y"] >= bottom and box["x"] >= 0 and box["x"] + box["width"] <= width
        bottom = box["y"] + box["height"]
    assert bottom <= height
    assert min(way_out.bounding_box()["width"], way_out.bounding_box()["height"]) >= 44
    assert picture.bounding_box()["width"] == picture.bounding_box()["height"] >= 120
    # The focus is in the dialog, and stays there.
    expect(way_out).to_be_focused()
    page.keyboard.press("Tab")
    assert viewfinder.evaluate("dialog => dialog.contains(document.activeElement) || document.activeElement === document.body")
    assert audit(page) == []
    page.keyboard.press("Escape")
    expect_closed(page)


def test_keys_do_not_reach_the_screen_below(cameras, gallery):
    page = open_scanner(cameras(FOREIGN), gallery)
    start(page)
    page.keyboard.type("x")
    page.keyboard.press("Enter")
    # Enter was for the button that has the focus.
    expect_closed(page)
    expect(page.get_by_label("Content", exact=True)).to_have_value("switchboard:gallery")
