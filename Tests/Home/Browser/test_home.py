"""The home screen, as a person sees it."""

from conftest import screenshot
from playwright.sync_api import expect


def test_an_icon_opens_its_app_and_home_leads_back(phones, box):
    page = phones(box.address)
    screenshot(page, "home")
    page.get_by_role("link", name="Pager2077", exact=True).tap()
    expect(page.get_by_text("A PAGER BETWEEN FRIENDS")).to_be_visible()
    page.get_by_role("link", name="Home").tap()
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_visible()


def test_settings_change_the_language_of_all_tabs_of_this_phone_only(phones, box):
    page = phones(box.address)
    second = phones.tab(page.context, box.address)
    other = phones(box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    expect(second.get_by_role("button", name="설정", exact=True)).to_be_visible()
    expect(other.get_by_role("button", name="Settings", exact=True)).to_be_visible()


def test_the_language_outlives_the_box(phones, box):
    page = phones(box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    expect(page.get_by_role("heading", name="설정", exact=True)).to_be_visible()
    box.stop()
    port = box.address.rsplit(":", 1)[1]
    box.command[box.command.index("--port") + 1] = port
    box.start()
    page.reload()
    expect(page.get_by_role("button", name="설정", exact=True)).to_be_visible()


def test_forgetting_a_phone_makes_it_a_new_one(phones, box, tmp_path):
    page = phones(box.address)
    second = phones.tab(page.context, box.address)
    page.get_by_role("button", name="Settings", exact=True).tap()
    page.get_by_role("button", name="한국어", exact=True).tap()
    cookie = page.context.cookies()[0]
    assert list((tmp_path / "data" / "phones").iterdir())
    page.get_by_role("button", name="이 휴대폰 지우기", exact=True).tap()
    page.locator("dialog.confirm").get_by_role("button", name="이 휴대폰 지우기", exact=True).tap()
    for tab in (page, second):
        expect(tab.get_by_role("button", name="Settings", exact=True)).to_be_visible()
    assert page.context.cookies()[0]["value"] != cookie["value"]
    assert not list((tmp_path / "data" / "phones").iterdir())
