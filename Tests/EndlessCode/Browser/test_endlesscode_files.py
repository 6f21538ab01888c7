"""EndlessCode's projects, files, changes and settings in a browser."""

import subprocess

import pytest
from agent_host import host, open_app, results, send, show, start_session  # noqa: F401
from audit import audit_both_schemes, small_targets
from conftest import Finger, button, center, screenshot, settle
from playwright.sync_api import Locator, Page, expect


def write(host, files: dict[str, str | bytes]):
    for path, text in files.items():
        file = host.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


def entry(page: Page, path: str):
    return page.get_by_test_id(f"entry {path}")


def lines(page: Page):
    """The scrolling lines of the file on the screen."""
    return page.get_by_test_id("file")


def go_back(page: Page):
    """Leaves the top page of the tab."""
    page.locator(".tab.sel .page:not(.covered) .back").tap()
    settle(page)


def font_size(page: Page, text: str) -> float:
    return page.get_by_text(text).first.evaluate("el => parseFloat(getComputedStyle(el).fontSize)")


def test_a_file_is_read_and_zoomed(open_app, host):
    long = "let greeting = \"" + "hello " * 40 + "\""
    write(host, {"Sources/App/main.swift": f"// The beginning\n{long}\nlet answer = 42\n", "logo.png": b"\x89PNG\x00\x00"})
    page = open_app()
    show(page, "Files")
    entry(page, "Sources").tap()
    entry(page, "Sources/App").tap()
    expect(entry(page, "Sources/App/main.swift")).to_be_visible()
    assert entry(page, "Sources").bounding_box()["height"] >= 43
    entry(page, "Sources/App/main.swift").tap()
    expect(page.get_by_text("The beginning")).to_be_visible()
    # Nothing wraps: the line is wider than the screen, and one line high.
    code = lines(page)
    assert code.evaluate("el => el.scrollWidth - el.clientWidth") > 500
    heights = lines(page).locator(".text.select").evaluate_all("all => all.map(el => el.offsetHeight)")
    assert max(heights) < 30, heights
    code.evaluate("el => el.scrollTo(300, 0)")
    # Colours.
    expect(page.get_by_text("42", exact=True)).not_to_have_css("color", page.get_by_text("The beginning").evaluate(
        "el => getComputedStyle(el).color"))
    size = font_size(page, "The beginning")
    button(page, "Larger").tap()
    expect(page.get_by_test_id("zoom")).to_have_text("125 %")
    assert font_size(page, "The beginning") == pytest.approx(size * 1.25, abs=0.1)
    # The wheel with Control is a pinch.
    page.mouse.move(*center(lines(page)))
    page.keyboard.down("Control")
    for _ in range(30):
        page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    expect(page.get_by_test_id("zoom")).to_have_text("300 %")
    assert page.evaluate("visualViewport.scale") == 1, "the page itself keeps its scale"
    page.get_by_test_id("zoom").tap()
    expect(page.get_by_test_id("zoom")).to_have_text("100 %")
    go_back(page)
    entry(page, "logo.png").tap()
    expect(page.get_by_text("Binary file")).to_be_visible()


def test_lists_are_pulled_and_pages_swiped_back(open_app, host):
    page = open_app()
    show(page, "Files")
    expect(entry(page, "prices.swift")).to_be_visible()
    write(host, {"offers.swift": "let offers = [1]\n"})
    x, y = center(entry(page, "prices.swift"))
    finger = Finger(page)
    finger.down(x, y)
    finger.move(x, y + 300)
    # The indicator is there while the finger holds the list, and until the new list has come.
    spinner = page.locator(".tab.sel .page:not(.covered) .pull > .spinner")
    expect(spinner).to_be_in_viewport()
    finger.up()
    expect(spinner).to_be_in_viewport()
    expect(entry(page, "offers.swift")).to_be_visible()
    expect(spinner).not_to_be_in_viewport()
    entry(page, "offers.swift").tap()
    expect(page.get_by_text("offers", exact=True)).to_be_visible()
    settle(page)
    # Also where the page scrolls sideways itself.
    Finger(page).drag((4, 400), (380, 400))
    expect(entry(page, "offers.swift")).to_be_visible()
    expect(lines(page)).to_have_count(0)


def test_ten_thousand_lines_stay_usable(open_app, host):
    write(host, {"long.swift": "\n".join(f"let value{n} = {n} // a comment" for n in range(1, 10_001))})
    page = open_app()
    show(page, "Files")
    entry(page, "long.swift").tap()
    expect(page.get_by_text("let", exact=True).first).to_be_visible()
    elements = "document.querySelectorAll('*').length"
    assert page.evaluate(elements) < 8_000
    lines(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
    expect(page.get_by_text("10000").last).to_be_in_viewport()
    expect(page.get_by_text("let value10000 =").or_(page.get_by_text("value10000")).first).to_be_in_viewport()
    # Rows come wherever one scrolls to.
    for part in (0.25, 0.6, 1):
        lines(page).evaluate("(el, part) => el.scrollTo(0, el.scrollHeight * part)", part)
        settle(page)
        number, value = lines(page).evaluate("""async el => {
            for (let wait = 0; wait < 100; wait++) {
                await new Promise(done => setTimeout(done, 20))
                const top = el.getBoundingClientRect().top
                const row = [...el.querySelector('.grid').children].find(row => row.getBoundingClientRect().bottom > top + 1)
                if (row && !row.classList.contains('gap')) return row.textContent.match(/\\d+/g)
            }
        }""")[:2]
        assert number == value[:len(number)], (number, value)
    assert page.evaluate(elements) < 30_000
    lines(page).evaluate("el => el.scrollTo(0, 0)")
    expect(page.get_by_text("let", exact=True).first).to_be_in_viewport()


def test_a_file_is_read_from_its_first_line_to_its_last(open_app, host):
    write(host, {"long.swift": "\n".join(f"let value{n} = {n}" for n in range(1, 3_001)), "short.swift": "let short = 1"})
    page = open_app()
    show(page, "Files")
    entry(page, "long.swift").tap()
    first = lines(page).get_by_text("value1", exact=False).first
    expect(first).to_be_visible()
    expect(first).to_be_in_viewport()
    # Rows that wait may be higher than their gap.
    for _ in range(20):
        lines(page).evaluate("el => el.scrollTo(0, el.scrollHeight)")
        if lines(page).get_by_text("value3000").count():
            break
        page.wait_for_timeout(200)
    expect(lines(page).get_by_text("value3000").first).to_be_in_viewport()
    lines(page).evaluate("el => el.scrollTo(0, 0)")
    expect(first).to_be_in_viewport()
    page.go_back()
    entry(page, "short.swift").tap()
    expect(lines(page).get_by_text("short", exact=True)).to_be_in_viewport()
    assert lines(page).get_by_text("short", exact=True).bounding_box()["y"] < 200


def test_line_numbers_stay_beside_lines_in_any_letters(open_app, host):
    words = ["plain", "한글과 영어", "🙂👨‍👩‍👧 emoji", "漢字", ""]
    write(host, {"mixed.txt": "\n".join(words * 30) + "\n" + "wide " * 80})
    page = open_app()
    show(page, "Files")
    entry(page, "mixed.txt").tap()
    expect(page.get_by_text("한글과 영어").first).to_be_visible()
    rows = lines(page).evaluate("""el => [...el.querySelector('.grid').children].filter(row => row.querySelectorAll('.text').length === 2)
        .map(row => [...row.querySelectorAll('.text')].map(text => { const box = text.getBoundingClientRect(); return [box.top, box.bottom] }))""")
    assert len(rows) >= 100
    for (top, bottom), (code_top, code_bottom) in rows:
        assert min(bottom, code_bottom) - max(top, code_top) > 8, (top, bottom, code_top, code_bottom)
    # Nothing wraps: the widest line scrolls.
    assert lines(page).evaluate("el => el.scrollWidth > el.clientWidth + 200")
    lines(page).evaluate("el => el.scrollTo(200, 0)")
    assert lines(page).evaluate("el => el.scrollLeft") == 200


def scrolls_under_a_finger(view: Locator, around: Locator, down: bool = True):
    """Checks that a finger on a view that scrolls sideways moves the content around it."""
    box = view.bounding_box()
    x, y = box["x"] + box["width"] / 2, min(max(box["y"] + box["height"] / 2, 300), 500)
    before = around.evaluate("el => el.scrollTop")
    Finger(view.page).drag((x, y), (x, y - 160 if down else y + 160))
    moved = around.evaluate("el => el.scrollTop") - before
    assert moved > 100 if down else moved < -100, moved


def test_a_finger_on_code_moves_the_page(open_app, host):
    wide = " and more" * 20
    write(host, {
        "long.swift": "\n".join(f"let value{n} = {n} // a comment{wide}" for n in range(1, 401)),
        "prices.swift": "\n".join(f"let price{n} = {n}{wide}" for n in range(1, 101))})
    page = open_app()
    show(page, "Files")
    entry(page, "long.swift").tap()
    expect(page.get_by_text("let", exact=True).first).to_be_visible()
    scrolls_under_a_finger(lines(page), lines(page))
    go_back(page)
    button(page, "Changes").tap()
    page.get_by_test_id("diff prices.swift").tap()
    expect(page.get_by_test_id("diff")).to_be_visible()
    scrolls_under_a_finger(page.get_by_test_id("diff"), page.locator(".tab.sel .page:not(.covered) .list"))
    show(page, "Projects")
    start_session(page)
    for number, prompt in enumerate(("count", "table", "code")):
        send(page, prompt)
        expect(results(page)).to_have_count(number + 1)
    transcript = page.get_by_test_id("transcript")
    for kind in (page.get_by_test_id("code").last.locator(".scroll.h"), transcript.locator(".scroll.h:has(.cells)").last):
        kind.evaluate("el => el.scrollIntoView({ block: 'center' })")
        settle(page)
        scrolls_under_a_finger(kind, transcript, down=False)


def test_changes_are_read_file_by_file(open_app, host):
    write(host, {"prices.swift": "let prices = [3, 5, 9]\nlet total = prices.reduce(0, +)  // 17\n", "new.txt": "new\n"})
    subprocess.run(["git", "add", "new.txt"], cwd=host.project, check=True)
    page = open_app()
    show(page, "Files")
    expect(entry(page, "prices.swift").get_by_text("M", exact=True)).to_be_visible()
    expect(entry(page, "new.txt").get_by_text("A", exact=True)).to_be_visible()
    button(page, "Changes").tap()
    expect(page.get_by_text("Not Staged")).to_be_visible()
    row = page.get_by_test_id("diff prices.swift")
    expect(row).to_contain_text("+2")
    expect(row).to_contain_text("−2")
    row.tap()
    # With the slashes: the number alone may be part of the host's port, which the page shows as well.
    added, removed = page.get_by_text("// 17"), page.get_by_text("// 16")
    expect(added).to_be_visible()
    expect(removed).to_be_visible()
    background = """el => { for (; el; el = el.parentElement) {
        const color = getComputedStyle(el).backgroundColor; if (color !== "rgba(0, 0, 0, 0)") return color } }"""
    assert added.evaluate(background) != removed.evaluate(background)
    row.tap()
    expect(added).to_have_count(0)


def test_sessions_are_listed_and_ended(open_app):
    page = open_app()
    page.get_by_test_id("project shop").tap()
    button(page, "New Session").tap()
    expect(page.get_by_test_id("message")).to_be_visible()
    show(page, "Projects")
    button(page, "Session Actions").tap()
    button(page, "Pause").tap()
    expect(button(page, "Paused Now 0 messages")).to_be_visible()
    button(page, "Session Actions").tap()
    button(page, "End…").tap()
    button(page, "End Session").tap()
    expect(button(page, "Ended Now 0 messages")).to_be_visible()


def test_every_screen_passes_the_audit(open_app, host):
    write(host, {"prices.swift": "let prices = [3]\n"})
    # Apple's own colours, such as those of tabs, have enough contrast only for users who ask for it.
    page = open_app(contrast="more")
    faults = audit_both_schemes(page)
    assert small_targets(page) == []
    page.get_by_test_id("project shop").tap()
    settle(page)
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    show(page, "Files")
    expect(entry(page, "prices.swift")).to_be_visible()
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    page.get_by_test_id("project-choice").tap()
    expect(page.locator(".menu[open]")).to_be_visible()
    faults += audit_both_schemes(page)
    button(page, "shop").last.tap()
    entry(page, "prices.swift").tap()
    expect(page.get_by_test_id("zoom")).to_be_visible()
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    go_back(page)
    button(page, "Changes").tap()
    page.get_by_test_id("diff prices.swift").tap()
    settle(page)
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    show(page, "Settings")
    settle(page)
    faults += audit_both_schemes(page)
    assert small_targets(page) == []
    assert faults == []


def test_files_of_every_kind_and_work_trees_are_shown(open_app, host):
    write(host, {
        "korean.txt": "한글 파일\n".encode("euc-kr"), "windows.txt": "안녕 a\n".encode("utf-16"),
        "trick.swift": "if isAdmin { \u202e} // turned\n", "long.json": '{"a":"' + "x" * 30_000 + 'the very end"}\n',
    })
    git = ["git", "-C", str(host.project), "-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run([*git, "worktree", "add", "--quiet", "-b", "worktree-fix", ".claude/worktrees/fix"], check=True)
    (host.project / ".claude/worktrees/fix/README.md").write_text("# Shop\n\nA fixed shop.\n")
    write(host, {"README.md": b"# Shop\r\n\r\nA small shop."})
    page = open_app()
    show(page, "Files")
    for name, text, facts in [("korean.txt", "한글 파일", "EUC-KR"), ("windows.txt", "안녕 a", "UTF-16LE")]:
        entry(page, name).tap()
        expect(lines(page).get_by_text(text, exact=True)).to_be_visible()
        expect(page.get_by_text(facts)).to_be_visible()
        go_back(page)
    entry(page, "trick.swift").tap()
    expect(lines(page).get_by_text("\\u{202E}").first).to_be_visible()
    screenshot(page, "endlesscode-trick")
    go_back(page)
    entry(page, "long.json").tap()
    expect(lines(page).get_by_text("the very end")).to_have_count(1)
    go_back(page)
    page.locator(".tabbar").get_by_text("Files", exact=True).tap()
    page.get_by_text("Changes", exact=True).tap()
    page.get_by_test_id("diff README.md").tap()
    expect(page.get_by_text("CR LF", exact=True).first).to_be_visible()
    expect(page.get_by_text("No newline at end", exact=True)).to_be_visible()
    screenshot(page, "endlesscode-endings")
    page.get_by_test_id("diff .claude/worktrees/fix/README.md").scroll_into_view_if_needed()
    expect(page.get_by_text("Work tree fix", exact=True)).to_be_visible()
    expect(page.get_by_text("worktree-fix")).to_be_visible()
    page.get_by_test_id("diff .claude/worktrees/fix/README.md").tap()
    expect(page.get_by_text("A fixed shop.").first).to_be_visible()
    screenshot(page, "endlesscode-worktrees")
