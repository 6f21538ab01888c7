"""Everyone can use every page."""

from dataclasses import dataclass

import pytest
from audit import ALL_BUT_CONTRAST, CONTRAST, audit
from conftest import Phones, visit
from playwright.sync_api import expect

# Their samples are coloured by the gallery, to show colours.
COLOURFUL = {"Stacks and Spacer", "Divider, Padding and Frame", "Background and Overlay", "Animation", "Colors"}

CONTROLS = """[...document.querySelectorAll(
    '.page:not(.covered) :is(button, a[href], input, textarea, [role=button], [role=link])')].filter(el =>
    !el.disabled && !el.closest('[aria-hidden=true]') && el.checkVisibility({ visibilityProperty: true }))"""
# With what is drawn around them to be tapped. Fields are as low as Apple's, and their rows take the tap; what only the
# keyboard shows is not tapped.
SMALL = f"""() => {CONTROLS}.filter(el => !el.matches('input, textarea, .unseen')).filter(el => {{
    const around = getComputedStyle(el, '::after')
    const within = around.content !== 'none' && around.position === 'absolute'
    const size = side => Math.max(el.getBoundingClientRect()[side], within ? parseFloat(around[side]) : 0)
    return size('width') < 43.9 || size('height') < 43.9
}}).map(el => el.outerHTML.slice(0, 150))"""
LEVELS = """() => [...document.querySelectorAll('.page:not(.covered) :is(h1, h2, h3, [role=heading])')]
    .filter(el => !el.closest('[aria-hidden=true], [hidden]') && el.checkVisibility({ visibilityProperty: true }))
    .map(el => Number(el.ariaLevel ?? el.tagName[1]))"""
WATCH_FOCUS = """() => {
    window.focused = []
    document.addEventListener('focusin', ({ target }) => {
        const { left, top, bottom } = target.getBoundingClientRect()
        const scrolled = target.closest('.list')?.scrollTop ?? 0
        window.focused.push({ target, left, top: top + scrolled, bottom: bottom + scrolled })
    })
}"""
UNREACHED = f"() => {CONTROLS}.filter(el => !focused.some(({{ target }}) => target === el)).map(el => el.outerHTML.slice(0, 150))"
PLACES = "() => focused.map(({ left, top, bottom }) => ({ left, top, bottom }))"


@dataclass
class Report:
    """What was found out on one page."""

    faults: list[str]
    contrast: list[str]
    small: list[str]
    levels: list[int]
    unreached: list[str]
    # Where the focus was, one place after the other.
    focus: list[dict]


def audit_contrast(page):
    faults = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, contrast="more")
        faults += audit(page, CONTRAST)
    page.emulate_media(color_scheme="light", contrast="no-preference")
    return faults


def walk(page):
    """Goes through the page with the Tab key."""
    page.evaluate(WATCH_FOCUS)
    for _ in range(page.evaluate(f"() => {CONTROLS}.length + 6")):
        page.keyboard.press("Tab")


def look_at(page, title):
    visit(page, title)
    faults, small, levels = audit(page, ALL_BUT_CONTRAST), page.evaluate(SMALL), page.evaluate(LEVELS)
    contrast = audit_contrast(page)
    walk(page)
    report = Report(faults, contrast, small, levels, page.evaluate(UNREACHED), page.evaluate(PLACES))
    page.locator(".page:not(.covered) .back").tap()
    return report


@pytest.fixture(scope="module")
def reports(browser, gallery):
    """A report on every page of the gallery."""
    phones = Phones(browser)
    page = phones(gallery)
    titles = page.locator(".row .button").all_inner_texts()
    yield {title: look_at(page, title) for title in titles}
    page.context.close()


def check(reports, subtests, rule, titles=None):
    assert len(reports) > 30
    for title in titles or reports:
        with subtests.test(title):
            rule(reports[title])


def test_an_audit_finds_nothing_on_any_page(reports, subtests):
    def rule(report):
        assert not report.faults

    check(reports, subtests, rule)


def test_who_asks_for_contrast_gets_it(reports, subtests):
    def rule(report):
        assert not report.contrast

    check(reports, subtests, rule, set(reports) - COLOURFUL)


def test_whatever_can_be_tapped_is_large_enough_for_a_finger(reports, subtests):
    def rule(report):
        assert not report.small

    check(reports, subtests, rule)


def test_headings_start_with_the_title_and_skip_no_level(reports, subtests):
    def rule(report):
        assert report.levels[0] == 1
        assert all(later <= earlier + 1 for earlier, later in zip(report.levels, report.levels[1:]))

    check(reports, subtests, rule)


def test_everything_can_be_reached_with_the_keyboard(reports, subtests):
    def rule(report):
        assert not report.unreached

    check(reports, subtests, rule)


def test_the_focus_goes_down_the_page_as_one_reads(reports, subtests):
    def rule(report):
        once = report.focus[:next((n for n, place in enumerate(report.focus) if n and place == report.focus[0]), None)]
        for earlier, later in zip(once, once[1:]):
            assert later["top"] >= earlier["bottom"] - 1 or later["left"] > earlier["left"], (earlier, later)

    check(reports, subtests, rule, ["Button", "TextField", "Toggle", "List", "Form", "Navigation", "Toolbar", "Accessibility"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_audit_finds_nothing_on_the_home_screen(phones, box, scheme):
    page = phones(box.address, color_scheme=scheme)
    assert not audit(page, ALL_BUT_CONTRAST)
    page.get_by_role("button", name="Settings", exact=True).tap()
    expect(page.locator("dialog[open]")).to_be_visible()
    assert not audit(page, ALL_BUT_CONTRAST)
    page.emulate_media(contrast="more")
    assert not audit(page, CONTRAST)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert not audit(page, CONTRAST)


@pytest.mark.parametrize("opener", ["Sheet", "Alert", "ConfirmationDialog"])
def test_an_audit_finds_nothing_in_what_stands_above_a_page(open_page, subtests, opener):
    page = open_page(opener)
    for button in page.locator(".page:not(.covered) .row .button").all():
        with subtests.test(button.inner_text()):
            button.tap()
            expect(page.locator("dialog[open]")).to_be_visible()
            faults = audit(page, ALL_BUT_CONTRAST)
            page.locator("dialog[open] .button").last.tap()
            expect(page.locator("dialog")).to_have_count(0)
            assert not faults


def test_assistive_technology_is_told_what_the_app_says(open_page):
    page = open_page("Accessibility")
    favorite = page.get_by_role("button", name="Favorite, no", exact=True)
    expect(favorite).to_have_accessible_description("Adds this page to your favorites")
    favorite.tap()
    expect(page.get_by_role("button", name="Favorite, yes", exact=True)).to_be_visible()
    expect(page.get_by_role("img", name="Star", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="First level", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="A heading by trait", level=2)).to_be_visible()
    expect(page.get_by_text("Hidden from assistive technology")).to_have_attribute("aria-hidden", "true")
    rating = page.get_by_role("group", name="Rating")
    rating.get_by_role("button", name="5 stars").tap()
    expect(page.get_by_test_id("rating")).to_have_text("5 of 5")
    expect(rating.get_by_role("button", name="5 stars")).to_have_attribute("aria-pressed", "true")
    expect(rating.get_by_role("button", name="3 stars")).not_to_have_attribute("aria-pressed", "true")


def test_keys_do_not_lead_to_what_is_hidden(open_page):
    page = open_page("Accessibility")
    button = page.locator("button", has_text="Sometimes hidden")
    expect(button).to_have_attribute("tabindex", "-1")
    assert not audit(page, ALL_BUT_CONTRAST)
    page.get_by_role("switch", name="Hide the button").tap()
    expect(button).not_to_have_attribute("tabindex", "-1")
    page.get_by_role("switch", name="Hide the button").focus()
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
