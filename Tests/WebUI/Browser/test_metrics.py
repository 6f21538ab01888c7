"""The figures of Docs/iOS-Metrics.md, measured."""

import re

import pytest
from conftest import ROOT, Phones, button, go_back, heading, settle, visit
from playwright.sync_api import expect

DESK = {"viewport": {"width": 1280, "height": 900}, "is_mobile": False, "has_touch": False}
WEIGHTS = {"400": "regular", "500": "medium", "600": "semibold", "700": "bold"}
STYLES = {
    "largeTitle": "Large title", "title": "Title", "title2": "Title 2", "title3": "Title 3", "headline": "Headline",
    "subheadline": "Subheadline", "body": "Body", "callout": "Callout", "footnote": "Footnote", "caption": "Caption",
    "caption2": "Caption 2",
}


def documented():
    """The values of the tables, by name."""
    rows = re.findall(r"^\| ([\w.]+) \| ([^|]+) \| [^|]+ \|$", (ROOT / "Docs/iOS-Metrics.md").read_text(), re.MULTILINE)
    return {name: value.strip() for name, value in rows if name != "name"}


def color(text):
    """Red, green, blue and alpha of a CSS color."""
    if text.startswith("#"):
        return (*bytes.fromhex(text[1:]), 1)
    numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
    return (*numbers, 1) if len(numbers) == 3 else tuple(numbers)


def parsed(value):
    if value.startswith(("#", "rgb")):
        return color(value)
    return value if value in WEIGHTS.values() else float(value)


# Measuring


def box(locator):
    return locator.bounding_box()


def style(locator, name, part=None):
    return locator.evaluate("(el, [name, part]) => getComputedStyle(el, part)[name]", [name, part])


def length(locator, name, part=None):
    return float(style(locator, name, part).split()[0].removesuffix("px"))


def weight(locator):
    return WEIGHTS[style(locator, "fontWeight")]


def open_dialog(page, name):
    button(page, name).tap()
    expect(page.locator("dialog[open]")).to_be_visible()
    settle(page)
    return page.locator("dialog[open]")


def close_dialog(page):
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


# Measurements, page by page


def text_styles(page):
    visit(page, "Fonts")
    values = {}
    for name, title in STYLES.items():
        text = page.get_by_text(title, exact=True)
        values[f"text.{name}.size"] = length(text, "fontSize")
        values[f"text.{name}.lineHeight"] = length(text, "lineHeight")
        values[f"text.{name}.weight"] = weight(text)
    go_back(page)
    return values


def navigation_bars(page):
    visit(page, "Navigation")
    bar, title = page.locator(".page:not(.covered) .bar"), heading(page, "Navigation")
    values = {
        "bar.navigation.height": box(bar)["height"], "bar.navigation.titleSize": length(title, "fontSize"),
        "bar.navigation.titleWeight": weight(title),
    }
    button(page, "Large title").tap()
    large = page.locator(".page:not(.covered) h1.large")
    expect(large).to_be_visible()
    values |= {
        "bar.largeTitle.height": box(large)["y"] + box(large)["height"], "bar.largeTitle.extra": box(large)["height"],
        "bar.largeTitle.weight": weight(large),
    }
    go_back(page)
    go_back(page)
    return values


def other_bars(page):
    visit(page, "TabView")
    tabs = open_dialog(page, "Show the tabs")
    label = tabs.locator(".tabitem .text").first
    values = {
        "bar.tab.height": box(tabs.locator(".tabbar"))["height"], "bar.tab.labelSize": length(label, "fontSize"),
        "bar.tab.labelWeight": weight(label),
    }
    button(tabs, "Close").tap()
    expect(page.locator("dialog")).to_have_count(0)
    go_back(page)
    visit(page, "Toolbar")
    values["bar.toolbar.height"] = box(page.locator(".page:not(.covered) > .slot.bottom"))["height"]
    go_back(page)
    return values


def safe_areas(desk):
    button(desk, "Toolbar").click()
    expect(heading(desk, "Toolbar")).to_be_visible()
    settle(desk)
    return {
        "bar.status.height": box(desk.locator("main > .status"))["height"],
        "bar.homeIndicator.height": length(desk.locator(".page:not(.covered) > .slot.bottom"), "paddingBottom"),
    }


def lists(page):
    visit(page, "Form")
    top = page.locator(".page:not(.covered)")
    row = top.locator(".row", has=page.get_by_role("switch", name="Online"))
    group = top.locator(".group").first
    lowest, above = top.locator(".group").all()[-1], top.locator(".group").all()[-2]
    line = row.locator("> .line")
    values = {
        "list.row.minHeight": box(row)["height"],
        "list.row.inset": box(row.locator(".text"))["x"] - box(row)["x"],
        "list.group.margin": box(group)["x"],
        "list.group.radius": length(group, "borderTopLeftRadius"),
        "list.separator.height.2x": length(line, "height"),
        "list.separator.inset": box(line)["x"] - box(row)["x"],
        "list.header.size": length(top.locator(".header .text").first, "fontSize"),
        "list.footer.size": length(top.locator(".footer .text").first, "fontSize"),
        "list.section.spacing": box(lowest)["y"] - box(above)["y"] - box(above)["height"],
    }
    go_back(page)
    return values


def hairlines(sharp):
    visit(sharp, "Form")
    return {"list.separator.height.3x": length(sharp.locator(".page:not(.covered) .row > .line").first, "height")}


def targets_and_switches(page):
    visit(page, "Accessibility")
    star = button(page, "1 stars")
    values = {
        "control.target.minWidth": length(star, "width", "::after"),
        "control.target.minHeight": length(star, "height", "::after"),
    }
    go_back(page)
    visit(page, "Toggle")
    switch = page.locator(".switch").first
    values |= {
        "control.switch.width": box(switch)["width"], "control.switch.height": box(switch)["height"],
        "control.switch.thumb": length(switch, "width", "::after"),
    }
    go_back(page)
    return values


def buttons(page):
    visit(page, "Button")
    values = {}
    for size in ("Regular", "Large"):
        sample, name = button(page, size), f"control.button.{size.lower()}"
        values |= {
            f"{name}.height": box(sample)["height"], f"{name}.inset": length(sample, "paddingLeft"),
            f"{name}.radius": length(sample, "borderTopLeftRadius"),
        }
    go_back(page)
    return values


def questions(page):
    visit(page, "Alert")
    alert = open_dialog(page, "A question")
    values = {
        "control.alert.width": box(alert.locator(".card"))["width"],
        "control.alert.radius": length(alert.locator(".card"), "borderTopLeftRadius"),
        "control.alert.button.height": box(button(alert, "Cancel"))["height"],
    }
    close_dialog(page)
    go_back(page)
    visit(page, "ConfirmationDialog")
    dialog = open_dialog(page, "Without a title")
    values |= {
        "control.actionSheet.row.height": box(button(dialog, "By name"))["height"],
        "control.actionSheet.radius": length(dialog.locator(".block"), "borderTopLeftRadius"),
        "control.actionSheet.margin": box(dialog.locator(".card"))["x"],
    }
    close_dialog(page)
    go_back(page)
    return values


def sheets(page):
    visit(page, "Sheet")
    sheet = open_dialog(page, "Sheet in a sheet")
    field = sheet.get_by_label("Kept while covered")
    values = {
        "control.sheet.radius": length(sheet.locator(".card"), "borderTopLeftRadius"),
        "control.textField.height": box(field)["height"], "control.textField.radius": length(field, "borderTopLeftRadius"),
    }
    close_dialog(page)
    grabber = open_dialog(page, "Half or full height").locator(".handle")
    values |= {
        "control.grabber.width": length(grabber, "width", "::after"),
        "control.grabber.height": length(grabber, "height", "::after"),
    }
    close_dialog(page)
    go_back(page)
    return values


def colors(page):
    names = {name.split(".")[1] for name in documented() if name.startswith("color.")}
    values = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("""names => {
            const sample = document.querySelector('main').appendChild(document.createElement('i'))
            const read = name => { sample.style.color = `var(--${name})`; return getComputedStyle(sample).color }
            const found = names.map(name => [name, read(name)])
            sample.remove()
            return Object.fromEntries(found)
        }""", list(names))
        values |= {f"color.{name}.{scheme}": color(value) for name, value in found.items()}
    return values


def animations(moving):
    """The durations of slides."""
    moving.evaluate("""() => {
        const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, timing) {
            if (JSON.stringify(frames).includes('%')) window.slid = timing.duration
            return animate.call(this, frames, timing)
        }
    }""")
    visit(moving, "Sheet")
    push = moving.evaluate("window.slid") / 1000
    open_dialog(moving, "Plain sheet")
    return {"animation.push.duration": push, "animation.sheet.duration": moving.evaluate("window.slid") / 1000}


@pytest.fixture(scope="module")
def measured(browser, gallery):
    """The measured values, by name."""
    phones = Phones(browser)
    page = phones(gallery)
    values = {}
    for measure in (
        text_styles, navigation_bars, other_bars, lists, targets_and_switches, buttons, questions, sheets, colors):
        values |= measure(page)
    values |= safe_areas(phones(gallery, **DESK))
    values |= hairlines(phones(gallery, device_scale_factor=3))
    values |= animations(phones(gallery, reduced_motion="no-preference"))
    yield values
    phones.close()


def test_every_figure_of_the_document_is_measured(measured):
    assert len(documented()) > 150
    assert measured.keys() == documented().keys()


def test_the_page_has_the_figures_of_the_document(measured, subtests):
    for name, value in documented().items():
        with subtests.test(name):
            expected = parsed(value)
            assert measured[name] == (expected if isinstance(expected, str) else pytest.approx(expected, abs=0.02))
