"""A host with the demo agent and a project of its own, and a box whose phones reach it: for the tests of EndlessCode's app."""

import pathlib
import subprocess

import pytest
from conftest import Box, Program, button, field, settle
from playwright.sync_api import Locator, Page, expect

APP = "/apps/endlesscode/"


class AgentHost(Program):
    """`switchboard endlesscode host` with the demo agent, in a repository named `shop`."""

    def __init__(self, folder: pathlib.Path):
        self.project = folder / "shop"
        self.project.mkdir(parents=True)
        (self.project / "README.md").write_text("# Shop\n\nA small shop.\n")
        (self.project / "prices.swift").write_text("let prices = [3, 5, 8]\nlet total = prices.reduce(0, +)  // 16\n")
        for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "Open the shop"]):
            names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
            subprocess.run(["git", *names, *command], cwd=self.project, check=True, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
        super().__init__(
            "switchboard", "endlesscode", "host", "--driver", "demo", "--project", str(self.project), "--data", str(folder / "host"))
        # The user's own agents are none of the tests'. The demo agent writes five times as fast as for people.
        self.command = ["env", f"HOME={folder}", "DEMO_AGENT_PACE=5", *self.command]

    def start(self) -> str:
        address = super().start()
        # The text of the QR code, on a line of its own.
        self.code = next(line.strip() for line in self.process.stdout if line.startswith("endlesscode://"))
        return address

    @property
    def notes(self) -> str:
        """The file that the demo agent writes; empty if it does not exist."""
        file = self.project / "NOTES.md"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def host(tmp_path):
    """A host of its own for each test."""
    host = AgentHost(tmp_path / "ada")
    host.start()
    yield host
    host.stop()


@pytest.fixture
def open_app(phones, tmp_path, host):
    """Opens the app on a phone that has the host's server, at its list of projects."""
    boxes: list[Box] = []

    def open_app(**options) -> Page:
        if not boxes:
            boxes.append(Box(tmp_path / "box", "--allow-server", host.address))
            boxes[0].start()
        page = phones(boxes[0].address + APP, **options)
        # The phone's screen stays as it is while its keyboard makes the page smaller.
        page.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
        paste_code(page, host.code)
        show(page, "Projects")
        expect(page.get_by_test_id("project shop")).to_be_visible()
        return page

    yield open_app
    for box in boxes:
        box.stop()


@pytest.fixture
def open_chat(open_app):
    """Opens the app, and a new session in it."""

    def open_chat(**options) -> Page:
        page = open_app(**options)
        start_session(page)
        return page

    return open_chat


def show(page: Page, tab: str):
    page.locator(".tabbar").get_by_text(tab, exact=True).tap()


def paste_code(page: Page, code: str):
    """Adds the server by the text of its QR code."""
    show(page, "Settings")
    field(page, "Token").fill(code)
    button(page, "Save and Connect").tap()
    expect(page.get_by_test_id("server-state")).to_contain_text("Connected")


def start_session(page: Page):
    page.get_by_test_id("project shop").tap()
    button(page, "New Session").tap()
    expect(message(page)).to_be_visible()


def message(page: Page) -> Locator:
    """The input."""
    return page.get_by_test_id("message")


def send(page: Page, text: str):
    message(page).fill(text)
    button(page, "Send").tap()
    expect(message(page)).to_have_value("")


def results(page: Page) -> Locator:
    """The ends of turns."""
    return page.get_by_test_id("result")


def sheet(page: Page) -> Locator:
    """The sheet with a question or permission."""
    return page.get_by_test_id("prompt-sheet")


def entries(page: Page) -> list[str]:
    """The texts of the user and of the agent, without relative times."""
    settle(page)
    return page.get_by_test_id("transcript").evaluate("""el => [...el.querySelectorAll('.text')].map(text => text.innerText)
        .filter(text => text && !/^(Now|\\d+ min ago|Today)$/.test(text))""")
