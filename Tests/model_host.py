"""A private network of ten nodes, hosts on it, and a box whose phones reach them: for the tests of LocalLLM's app."""

import json
import pathlib
import queue
import random
import re
import subprocess
import threading

import pytest
from accounts import Host
from conftest import PROGRAMS, TIMEOUT, Box, button, field, tap_until
from ollama import Ollama
from playwright.sync_api import Page, expect

APP = "/apps/localllm/"
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def server_id(key: bytes) -> str:
    """The Server ID of a key or of a topic, which begins with a digit other than 0."""
    number, text = int.from_bytes(key), ""
    while number:
        number, digit = divmod(number, 58)
        text = DIGITS[digit] + text
    return text


class PrivateNetwork:
    """Ten nodes of Hyperswarm on this machine."""

    def __init__(self):
        self.nodes: list[subprocess.Popen] = []
        self.bootstrap = self._start()
        for _ in range(9):
            self._start("--bootstrap", self.bootstrap)

    def _start(self, *options: str) -> str:
        """Starts a node and returns its address. Nodes do not know their port unless they are told, so a free one is tried."""
        while True:
            # Below those that the system gives to others.
            address = f"127.0.0.1:{random.randrange(10_000, 32_000)}"
            node = subprocess.Popen(
                [PROGRAMS / "switchboard", "swarm", "node", "--listen", address, *options], stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True)
            if node.stderr.readline().startswith("Listening on "):
                self.nodes.append(node)
                return address
            node.wait()

    def stop(self):
        for node in self.nodes:
            node.kill()
        for node in self.nodes:
            node.wait()
            node.stderr.close()


class ModelHost(Host):
    """`switchboard localllm host`, which answers with the stand-in for Ollama."""

    def __init__(self, stage: "Stage", folder: pathlib.Path, *options: str):
        self.command = [
            PROGRAMS / "switchboard", "localllm", "host", "--bootstrap", stage.network.bootstrap, "--engine", "ollama", "--engine-url",
            stage.ollama.address, "--data", folder, "--open", "--name", "Ada’s Studio", *options]
        self.has_more = threading.Condition()
        self.start()

    def start(self):
        super().start()
        self.id = self.wait(r"Server ID: (\S+)").group(1)
        self.wait("Phones can connect now")
        self.wait("Models: ")


class OldHost:
    """A host that knows version 1 only: it announces a topic under a key of its own, and a test writes its messages.

    It speaks over real streams of Hyperswarm, to one phone: the pipe of `switchboard swarm announce`.
    """

    def __init__(self, network: PrivateNetwork, topic: bytes, seed: bytes):
        self.id = server_id(topic)
        self.process = subprocess.Popen(
            [PROGRAMS / "switchboard", "swarm", "announce", topic.hex(), "--seed", seed.hex(), "--bootstrap", network.bootstrap],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.notices, self.messages = self._lines(self.process.stderr), self._lines(self.process.stdout)
        self.key = self._wait("Announced ").split()[-1]

    @staticmethod
    def _lines(pipe) -> queue.SimpleQueue[str]:
        """The lines of a pipe, as they come."""
        lines = queue.SimpleQueue()

        def read():
            with pipe:
                for line in pipe:
                    lines.put(line)

        threading.Thread(target=read, daemon=True).start()
        return lines

    def _wait(self, beginning: str) -> str:
        while not (line := self.notices.get(timeout=TIMEOUT / 1000)).startswith(beginning):
            pass
        return line

    def introduce(self):
        """Waits for the phone, and introduces itself to it."""
        self._wait("Connected: ")
        self.send("server_info", host_name="Old Mac", model="llama", status="ready")

    def say_nothing(self):
        """Ends the stream of the next phone at once."""
        self.process.stdin.close()

    def start(self) -> str:
        """Waits for a prompt, and returns the id of its request."""
        while (message := json.loads(self.messages.get(timeout=TIMEOUT / 1000)))["type"] != "chat_start":
            pass
        return message["request_id"]

    def send(self, kind: str, request: str | None = None, version: int | None = None, **payload):
        envelope = {"type": kind, "payload": payload}
        envelope |= {"request_id": request} if request else {}
        envelope |= {"version": version} if version else {}
        self.process.stdin.write(json.dumps(envelope) + "\n")

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


class Stage:
    """What the tests of a worker share: the network, and a box that has joined it."""

    def __init__(self, folder: pathlib.Path):
        self.network = PrivateNetwork()
        self.box = self.make_box(folder / "box")
        self.box.start()

    def make_box(self, folder: pathlib.Path) -> Box:
        box = Box(folder)
        names = ("LOCALLLM_BOOTSTRAP", "TALKCO_BOOTSTRAP")
        box.command = ["env", *(f"{name}={self.network.bootstrap}" for name in names), *box.command]
        return box

    def close(self):
        self.box.stop()
        self.network.stop()


_stages: list[Stage] = []


@pytest.fixture(scope="session")
def stage(tmp_path_factory):
    # Every module that imports this has a fixture of its own. All of them end with the session.
    if not _stages:
        _stages.append(Stage(tmp_path_factory.mktemp("localllm")))
    yield _stages[0]
    _stages[0].close()


@pytest.fixture
def own_stage_box(stage, tmp_path):
    """A box on the network that the test may restart."""
    box = stage.make_box(tmp_path / "own-box")
    box.start()
    yield box
    box.stop()


@pytest.fixture
def ollama():
    ollama = Ollama()
    yield ollama
    ollama.stop()


@pytest.fixture
def hosts(stage, ollama, tmp_path):
    """Starts hosts. Called again, it starts another one."""
    started: list[ModelHost] = []
    stage.ollama = ollama

    def start(*options: str) -> ModelHost:
        started.append(ModelHost(stage, tmp_path / f"host-{len(started)}", *options))
        return started[-1]

    yield start
    for host in started:
        host.stop()


@pytest.fixture
def host(hosts):
    return hosts()


@pytest.fixture
def old_hosts(stage):
    """Starts hosts of version 1."""
    started: list[OldHost] = []

    def start(topic: bytes, seed: bytes) -> OldHost:
        started.append(OldHost(stage.network, topic, seed))
        return started[-1]

    yield start
    for host in started:
        host.stop()


@pytest.fixture
def open_app(phones, stage):
    """Opens the app on a new phone. When the test ends, no phone keeps trying to reach a host that is gone."""
    pages: list[Page] = []

    def open_app(address: str = stage.box.address, **options) -> Page:
        pages.append(phones(address + APP, **options))
        expect(pages[-1].get_by_test_id("server-id")).to_be_visible()
        return pages[-1]

    yield open_app
    for page in pages:
        leave = page.get_by_role("button", name=re.compile("^(Disconnect|Cancel|연결 끊기|취소)$"))
        if not page.is_closed() and leave.count() == 1:
            # A phone that keeps trying changes its button.
            tap_until(leave, lambda: leave.count() == 0)


@pytest.fixture
def open_chat(open_app, host):
    """Opens the app on a new phone that is connected to the host."""

    def open_chat(**options) -> Page:
        page = open_app(**options)
        connect(page, host.id)
        expect_chat(page)
        return page

    return open_chat


# Using the app


def connect(page: Page, text: str):
    field(page, "Server ID").fill(text)
    button(page, "Connect").tap()


def expect_chat(page: Page):
    """Waits for the Chat screen with an open connection."""
    expect(field(page, "Message")).to_be_visible()
    expect(page.get_by_text("Connecting", exact=True)).to_have_count(0)


def send(page: Page, prompt: str):
    field(page, "Message").fill(prompt)
    button(page, "Send").tap()


def answers(page: Page):
    """The answers of the transcript."""
    return page.get_by_role("group", name="Answer", exact=True)


def expect_problem(page: Page, code: str):
    """Waits for the newest failure on the screen."""
    expect(page.get_by_test_id("error").last.get_by_text(code, exact=True)).to_be_visible()
