"""Rows that are told when they come into sight: what a person scrolls to, and nothing else."""

import time

import pytest
from conftest import record, sent
from line import Line
from playwright.sync_api import Page, expect

CONTAINERS = ["Rows of a list", "Rows of a stack", "Cells of a grid", "Columns of a stack"]


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def open_rows(page: Page, container: str) -> Page:
    record(page)
    button(page, container).tap()
    expect(page.get_by_role("heading", name=container, exact=True, level=1)).to_be_visible()
    expect(page.get_by_test_id("seen")).not_to_have_text("Seen: 0")
    return page


def scroller(page: Page):
    return page.locator(".page:not(.covered) :is(.list, .scroll)").last


def seen(page: Page) -> int:
    return int(page.get_by_test_id("seen").inner_text().removeprefix("Seen: "))


def in_sight(page: Page) -> list[int]:
    """The rows that stand in what scrolls, or near it, by where they are drawn."""
    return scroller(page).evaluate("""el => {
        const edge = el.getBoundingClientRect(), near = 100
        return [...el.querySelectorAll('.text')].filter(text => {
            const box = (text.closest('.row') ?? text.closest('.pad')).getBoundingClientRect()
            return box.bottom >= edge.top - near && box.top <= edge.bottom + near
                && box.right >= edge.left - near && box.left <= edge.right + near
        }).map(text => Number(text.textContent.replace('Row ', '')))
    }""")


def step(page: Page):
    """Scrolls on by less than what is in sight."""
    scroller(page).evaluate("""async el => {
        el.scrollBy({ left: el.clientWidth * 0.7, top: el.clientHeight * 0.7, behavior: "instant" })
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    }""")


@pytest.mark.parametrize("container", CONTAINERS)
def test_each_row_is_told_once_when_it_comes_into_sight_and_the_last_one_brings_more(open_page, container):
    page = open_rows(open_page("Rows in sight"), container)
    expect(page.get_by_test_id("seen")).to_have_text(f"Seen: {len(in_sight(page))}")
    first = seen(page)
    assert first < 30, "not those that are below"
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 30")
    for _ in range(300):
        if seen(page) == 90:
            break
        step(page)
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 90")
    expect(page.get_by_test_id("seen")).to_have_text("Seen: 90")
    told = [frame["i"] for frame in sent(page, "appear")]
    assert len(told) == len(set(told)) == 90
    scroller(page).evaluate("el => el.scrollTo(0, 0)")
    button(page, "Mark").tap()
    expect(page.get_by_text("Row 1", exact=True)).to_have_css("font-weight", "700")
    assert len(sent(page, "appear")) == 90
    # What is only looked at takes no touches that were meant for what is behind.
    assert page.locator("[data-on~=appear]").count() == 0


def test_what_is_jumped_over_is_not_seen(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    first = seen(page)
    scroller(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")
    expect(page.get_by_test_id("seen")).not_to_have_text(f"Seen: {first}")
    assert seen(page) < 30
    scroller(page).evaluate("el => el.scrollTo(0, 0)")


def test_a_page_that_is_loaded_anew_goes_on_where_it_was(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    before = len(in_sight(page))
    expect(page.get_by_test_id("seen")).to_have_text(f"Seen: {before}")
    page.reload()
    page.locator(".root").wait_for()
    expect(page.get_by_test_id("seen")).to_have_text(f"Seen: {before}")
    record(page)
    scroller(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")
    # Those that were in sight before the reload have been told.
    deadline = time.monotonic() + 30
    while seen(page) != before + len(sent(page, "appear")) and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert seen(page) == before + len(sent(page, "appear"))


def test_what_comes_into_sight_while_the_line_is_down_is_told_afterwards(gallery, open_page):
    line = Line(gallery)
    page = open_rows(open_page("Rows in sight", line.address), "Rows of a stack")
    before = seen(page)
    line.cut()
    expect(page.locator("#pill")).to_have_text("Reconnecting…")
    for _ in range(2):
        step(page)
    line.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#pill")).to_have_text("")
    expect(page.get_by_test_id("seen")).not_to_have_text(f"Seen: {before}")
    for _ in range(300):
        if seen(page) == 90:
            break
        step(page)
    assert page.get_by_test_id("rows").inner_text() != "Rows: 30"
    line.close()


def test_keys_that_scroll_bring_more_too(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    scroller(page).focus()
    page.keyboard.press("End")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")
