"""An app speaks one language: the first of the browser's that it has, otherwise English."""

import re

import pytest
from playwright.sync_api import expect

CHINESE, KOREAN = r"[\u4e00-\u9fff]", r"[\uac00-\ud7af]"


@pytest.mark.parametrize("app, locale, foreign", [
    ("pager2077", "zh-TW", CHINESE), ("simbridge", "zh-TW", CHINESE), ("localllm", "zh-TW", CHINESE), ("endlesscode", "zh-TW", CHINESE),
    ("talkco", "ko-KR", KOREAN),
])
def test_no_screen_mixes_languages(phones, box, app, locale, foreign):
    page = phones(f"{box.address}/apps/{app}/", locale=locale)
    expect(page.get_by_text("Privacy Policy").or_(page.get_by_text("PRIVACY POLICY")).or_(page.locator("button")).first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en-" + locale[-2:])
    expect(page.locator("body")).not_to_contain_text(re.compile(foreign))
