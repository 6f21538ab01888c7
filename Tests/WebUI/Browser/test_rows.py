"""Rows that appear when the user scrolls to them."""

import pytest
from conftest import button, cut, mend, record, sent, wait_until
from playwright.sync_api import Page, expect

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
    """The numbers of the rows that are drawn in the scrolled area, or near it."""
    return scroller(page).evaluate("""el => {
        const edge = el.getBoundingClientRect(), near = 100
        return [...el.querySelectorAll('.text')].filter(text => {
            const box = (text.closest('.row') ?? text.closest('.pad')).getBoundingClientRect()
            return box.bottom >= edge.top - near && box.top <= edge.bottom + near
                && box.right >= edge.left - near && box.left <= edge.right + near
        }).map(text => Number(text.textContent.replace('Row ', '')))
    }""")


def step(page: Page):
    """Scrolls by less than the visible length."""
    scroller(page).evaluate("""async el => {
        el.scrollBy({ left: el.clientWidth * 0.7, top: el.clientHeight * 0.7, behavior: "instant" })
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    }""")


@pytest.mark.parametrize("container", ["Rows of a list", "Columns of a stack"])
def test_each_row_appears_once_and_the_last_one_brings_more(open_page, container):
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
    # Rows that only appear let touches through.
    assert page.locator("[data-on~=appear]").count() == 0


def test_rows_that_are_jumped_over_do_not_appear(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    first = seen(page)
    scroller(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")
    expect(page.get_by_test_id("seen")).not_to_have_text(f"Seen: {first}")
    assert seen(page) < 30
    scroller(page).evaluate("el => el.scrollTo(0, 0)")


def test_rows_do_not_appear_again_after_a_reload(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    before = len(in_sight(page))
    expect(page.get_by_test_id("seen")).to_have_text(f"Seen: {before}")
    page.reload()
    page.locator(".root").wait_for()
    expect(page.get_by_test_id("seen")).to_have_text(f"Seen: {before}")
    record(page)
    scroller(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")
    # Those that were in sight before the reload have appeared already.
    wait_until(page, lambda: seen(page) == before + len(sent(page, "appear")))


def test_rows_scrolled_to_without_a_connection_appear_afterwards(proxy, open_page):
    page = open_rows(open_page("Rows in sight", proxy.address), "Rows of a stack")
    before = seen(page)
    cut(proxy, page)
    for _ in range(2):
        step(page)
    mend(proxy, page)
    expect(page.get_by_test_id("seen")).not_to_have_text(f"Seen: {before}")
    while page.get_by_test_id("rows").inner_text() == "Rows: 30":
        step(page)


def test_scrolling_by_keys_brings_more_rows(open_page):
    page = open_rows(open_page("Rows in sight"), "Rows of a list")
    scroller(page).focus()
    page.keyboard.press("End")
    expect(page.get_by_test_id("rows")).to_have_text("Rows: 60")


def test_ten_thousand_rows_are_created_where_the_user_is(open_page):
    page = open_page("Rows in sight")
    button(page, "Ten thousand rows").tap()
    expect(page.get_by_text("Row 1", exact=True)).to_be_visible()
    texts = scroller(page).locator(".text")
    assert texts.count() <= 200
    height = scroller(page).evaluate("el => el.scrollHeight")
    assert 300_000 < height < 600_000, height
    # Into the middle, past thousands of rows that nobody creates.
    scroller(page).evaluate("el => el.scrollTo(0, el.scrollHeight / 2)")
    wait_until(page, lambda: len(in_sight(page)) > 10)
    assert 4_000 < in_sight(page)[0] < 6_000
    assert texts.count() <= 500
    # Upwards: rows of other heights than expected are inserted above, and what is visible stays.
    for _ in range(20):
        before = scroller(page).evaluate("""el => { el.scrollBy(0, -600); const top = el.getBoundingClientRect().top
            const row = [...el.querySelectorAll('.text')].find(text => text.getBoundingClientRect().top > top + 100)
            window.row = row; return row?.getBoundingClientRect().top ?? null }""")
        page.wait_for_timeout(60)
        after = page.evaluate("() => window.row?.getBoundingClientRect().top ?? null")
        assert before is not None and abs(after - before) <= 2, (before, after)
    button(page, "Row 7,000").tap()
    expect(page.get_by_text("Row 7000", exact=True)).to_be_in_viewport()
    button(page, "Mark").tap()
    expect(page.get_by_text("Row 7000", exact=True)).to_have_css("font-weight", "700")
    button(page, "Insert").tap()
    expect(page.get_by_text("Row 7000", exact=True)).to_be_in_viewport()


def test_a_jump_is_made_though_a_change_comes_before_the_next_animation_frame(open_page):
    page = open_page("Rows in sight")
    button(page, "Ten thousand rows").tap()
    row = page.get_by_text("Row 20", exact=True)
    expect(row).to_have_count(1)
    expect(row).not_to_be_in_viewport()
    page.evaluate("""async row => {
        const load = name => import(document.querySelector("script[type=module]").src.replace("page.js", name))
        const [{ applyOperations }, { owner }, { finish }] = await Promise.all(["nodes.js", "owners.js", "stage.js"].map(load))
        const id = owner(document.querySelector(".page:not(.covered) .scroll")).i
        for (const to of [owner(row).i, null]) { applyOperations([["p", id, { to }]]); finish() }
    }""", row.element_handle())
    expect(row).to_be_in_viewport()
