"""Layouts that depend on the style sheet."""

import pytest
from conftest import button, visit
from playwright.sync_api import expect


def test_a_button_beside_a_long_text_keeps_its_width(open_page):
    page = open_page("Stacks and Spacer")
    settings = button(page, "Settings")
    settings.scroll_into_view_if_needed()
    assert settings.bounding_box()["width"] >= 44


def test_a_symbol_beside_texts_is_as_high_as_a_capital_letter(open_page):
    page = open_page("Stacks and Spacer")
    line = page.locator(".hstack", has=page.get_by_label("Large circle", exact=True)).last
    # Above the baseline, which is the bottom of an empty box in a line.
    heights = line.evaluate("""line => {
        const mark = document.createElement("span");
        mark.style.display = "inline-block";
        line.querySelector(".text").append(mark);
        const baseline = mark.getBoundingClientRect().bottom;
        mark.remove();
        return [...line.querySelectorAll(".symbol")].map(symbol => {
            const box = symbol.getBoundingClientRect();
            return (baseline - (box.top + box.bottom) / 2) / parseFloat(getComputedStyle(symbol).fontSize);
        });
    }""")
    assert heights == [pytest.approx(0.35, abs=0.02)] * 2


def test_a_clipped_view_scrolls_and_stays_at_its_end(open_page):
    page = open_page("ScrollView")
    expect(page.get_by_text("Line 40", exact=True)).to_be_in_viewport()
    button(page, "Add a line").tap()
    expect(page.get_by_text("Line 41", exact=True)).to_be_in_viewport(ratio=1)


def test_an_annotation_begins_behind_its_bar(open_page):
    page = open_page("Charts")
    label = page.get_by_text("62", exact=True)
    label.scroll_into_view_if_needed()
    bar = page.locator(".layers", has=label).last.bounding_box()
    assert label.bounding_box()["x"] >= bar["x"] + bar["width"]


def test_a_page_on_top_hides_the_tab_bar(phone):
    visit(phone, "TabView")
    button(phone, "Show the tabs").tap()
    bar = phone.locator(".tabbar")
    page = phone.locator(".tab.sel")
    button(page, "A page in this tab").tap()
    expect(bar).to_be_visible()
    page.get_by_role("switch", name="Hide the tab bar").tap()
    expect(bar).not_to_be_visible()
    button(page, "Back").tap()
    expect(bar).to_be_visible()
