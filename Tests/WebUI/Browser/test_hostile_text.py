"""Text of any origin and content is shown as text."""

import pytest
from conftest import button, heading, settle
from playwright.sync_api import expect

HOSTILE = {
    "markup": "\"><img src=x onerror=alert(1)><script>alert(2)</script>",
    "ends of elements": "</style></title></textarea></script><svg onload=alert(1)>",
    "script as address": "javascript:alert(1)",
    "page as address": "data:text/html,<script>alert(1)</script>",
    "another server as address": "//example.com/x",
    "separators": "one\u2028two\u2029three",
    "quotes": "\"'`\\\"'",
    "templates": "{{title}} ${1+1} %@ %d **bold** [link](https://example.com)",
    "style": "red;background:url(https://example.com/x);}*{display:none",
    "font": "x\", url(https://example.com/x), \"",
    "long": "x" * 4_000,
    "right to left": "\u202egnp.exe\u202c \u2067abc",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽 e\u0301",
    "control characters": "a\0b\x01c\x7f\ufffe",
    "prototype": "__proto__",
}
# The elements and the names of their attributes, without links: a link is there only for an address.
STRUCTURE = """() => [...document.querySelectorAll('body *')].filter(el => !el.matches('.row:has(.link), .row:has(.link) *'))
    .map(el => el.tagName + ' ' + el.getAttributeNames().filter(name => name !== 'style').sort())"""

# The texts that reach over an edge of their row.
TOO_WIDE = """el => [...el.querySelectorAll('.row .text')].filter(text => {
    const inner = text.getBoundingClientRect(), outer = text.closest('.row').getBoundingClientRect();
    return inner.left < outer.left - 1 || inner.right > outer.right + 1;
}).map(text => text.dataset.id || text.parentElement.className + " " + text.textContent)"""


@pytest.fixture
def page(open_page, gallery):
    page = open_page("Hostile text")
    happened = []
    page.on("dialog", lambda dialog: (happened.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith(gallery.split("/apps/")[0]) or happened.append(request.url))
    page.on("popup", lambda popup: happened.append(popup.url))
    yield page
    assert not happened


def enter(page, text):
    page.get_by_label("Anything", exact=True).fill(text)
    expect_text(page.get_by_test_id("text"), text)


def expect_text(place, text):
    """Compares the text exactly; `to_have_text` would ignore white space."""
    expect(place).to_have_js_property("textContent", text)


def test_hostile_text_in_a_page_is_shown_as_it_is(page, subtests):
    settle(page)
    structure = page.evaluate(STRUCTURE)
    for name, text in HOSTILE.items():
        with subtests.test(name):
            enter(page, text)
            for place in ("header", "footer", "key", "label", "button", "toggle", "lazy", "tile", "cell"):
                expect_text(page.get_by_test_id(place), text)
            expect_text(page.get_by_test_id("interpolated"), f"Interpolated {text}")
            expect_text(page.get_by_test_id("run"), f"Run {text}")
            expect_attributes(page, text)
            assert page.evaluate(STRUCTURE) == structure
            assert page.locator(".page:not(.covered) .list").evaluate(TOO_WIDE) == []


def expect_attributes(page, text):
    expect(page.get_by_test_id("field")).to_have_attribute("placeholder", text)
    expect(page.get_by_test_id("secure")).to_have_attribute("placeholder", text)
    expect(page.get_by_test_id("symbol")).to_have_attribute("aria-label", text)
    button = page.locator(".button")
    expect(button.filter(has_text="Labelled")).to_have_attribute("aria-label", text)
    expect(button.filter(has_text="Hinted")).to_have_attribute("aria-description", text)
    expect(button.filter(has_text="Valued")).to_have_attribute("aria-description", text)
    expect(page.get_by_text("Identified", exact=True)).to_have_attribute("data-id", text)


def test_a_link_leads_only_where_a_page_may_be_sent(page, subtests):
    for name, text in HOSTILE.items():
        with subtests.test(name):
            enter(page, text)
            for link in page.get_by_test_id("link").all():
                assert link.evaluate("el => el.href === '' || /^https?:$/.test(el.protocol)")
                expect_text(link, f"Link {text}")


# All in one text, for dialogs and bars above a page.
ALL = " ".join(text for name, text in HOSTILE.items() if name != "long")


def test_hostile_text_above_a_page_is_shown_as_it_is(page):
    enter(page, ALL)
    expect_questions(page, ALL)
    button(page, "Tabs").tap()
    expect_text(page.locator(".tabitem .text"), ALL)
    button(page, "Close the tabs").tap()
    expect(page.locator("dialog")).to_have_count(0)


def expect_questions(page, text):
    for opener, kind in (("Alert", "alert"), ("Dialog", "confirm")):
        button(page, opener).tap()
        dialog = page.locator(f"dialog.{kind}")
        expect_text(dialog.locator("h2"), text)
        expect_text(dialog.locator(".message"), text)
        expect_text(dialog.locator(".button").first, text)
        expect(dialog).to_have_attribute("aria-label", text)
        dialog.locator(".button").first.tap()
        expect(page.locator("dialog")).to_have_count(0)


def test_hostile_text_in_a_bar_is_shown_as_it_is(page, subtests):
    for name in ("markup", "templates", "right to left"):
        with subtests.test(name):
            enter(page, HOSTILE[name])
            button(page, "On a page").tap()
            top = page.locator(".page:not(.covered)")
            expect_text(top.locator("h1.title"), HOSTILE[name])
            expect_text(top.locator(".trailing .button"), HOSTILE[name])
            button(page, "And further").tap()
            for title in ("Further", HOSTILE[name]):
                expect_text(top.locator("h1.title"), title)
                top.locator(".back").tap()
            expect(heading(page, "Hostile text")).to_be_visible()
