"""A learner who speaks into a phone's microphone, and boxes with tutors: for the tests of TalkCo's app."""

import pathlib
import subprocess
import wave

import pytest
from camera import RECORD_CAMERAS
from conftest import FAKE_DEVICES, Box, Finger, Phones, Program, button, center, settle, wait_until
from microphone import LISTEN, heard
from playwright.sync_api import Locator, Page, expect

APP = "/apps/talkco/"


class Mouth:
    """What a browser's microphone hears. Each recording hears it from its beginning, once."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.say("Hello.")

    def say(self, text: str) -> float:
        """Lets the next recording hear a text. Returns its length in seconds."""
        speech = self.path.with_suffix(".speech.wav")
        subprocess.run(["flite", "-voice", "slt", "-t", text, "-o", speech], check=True)
        with wave.open(str(speech)) as file:
            setting, samples = file.getparams(), file.readframes(file.getnframes())
        # The microphone hears silence before and after the words.
        pause = bytes(2 * setting.framerate // 3 * setting.nchannels)
        self._write(setting, pause + samples + pause)
        return (len(samples) + 2 * len(pause)) / setting.sampwidth / setting.nchannels / setting.framerate

    def hush(self):
        """Lets the next recording hear nothing, for ten seconds."""
        self._write((1, 2, 16_000, 0, "NONE", "not compressed"), bytes(10 * 2 * 16_000))

    def _write(self, setting, samples: bytes):
        with wave.open(str(self.path), "wb") as file:
            file.setparams(setting)
            file.writeframes(samples)


@pytest.fixture(scope="session")
def mouth(tmp_path_factory):
    return Mouth(tmp_path_factory.mktemp("mouth") / "heard.wav")


@pytest.fixture(scope="session")
def talking_browser(launch, mouth):
    browser = launch("chromium-headless-shell", *FAKE_DEVICES, f"--use-file-for-fake-audio-capture={mouth.path}%noloop")
    yield browser
    browser.close()


@pytest.fixture
def learners(talking_browser, refusing_browser):
    """Makes phones that show the app: `learners(address, allowed=True)`."""
    phones = Phones(talking_browser)

    def learner(address: str, *, allowed: bool = True, **options) -> Page:
        context = phones.context(None if allowed else refusing_browser, permissions=["microphone"] if allowed else [], **options)
        # With the app's own constraints: echo and noise are suppressed, and the gain follows the voice.
        context.add_init_script(RECORD_CAMERAS + LISTEN)
        return open_tab(phones, context, address)

    yield learner
    phones.close()
    assert not phones.problems


@pytest.fixture
def open_app(phones):
    """Opens the app on a new phone without a microphone."""
    return lambda address, **options: open_tab(phones, phones.context(**options), address)


def open_tab(phones: Phones, context, address: str) -> Page:
    page = phones.tab(context, address + APP)
    # The phone's screen stays as it is while its keyboard makes the page smaller.
    page.evaluate("for (const side of ['width', 'height']) Object.defineProperty(screen, side, { value: screen[side] })")
    return page


@pytest.fixture
def tutors(tmp_path):
    """Starts boxes whose tutor is a model's stand-in: `tutors("realtime", key="secret")`, with options of `model-servers`."""
    programs: list[Program] = []

    def start(engine: str, *faults: str, key: str = "secret") -> Box:
        servers = Program("model-servers", "--key", "secret", *faults)
        programs.append(servers)
        base = servers.start() + "/v1"
        if engine == "realtime":
            settings = {"OPENAI_BASE_URL": base, "OPENAI_API_KEY": key}
        else:
            parts = ("TRANSCRIPTION", "CHAT", "SPEECH")
            settings = {f"{part}_URL": base for part in parts} | {f"{part}_API_KEY": key for part in parts}
        box = Box(tmp_path / f"box-{len(programs)}")
        box.command = ["env", *(f"TALKCO_{name}={value}" for name, value in settings.items()), *box.command]
        programs.append(box)
        box.start()
        return box

    yield start
    for program in reversed(programs):
        program.stop()


# Using the app


def start_talk(page: Page, topic: str = "travel"):
    """Chooses a topic, and waits for the greeting."""
    page.get_by_test_id(f"topic-{topic}").tap()
    expect_answers(page, 1)


def answers(page: Page) -> Locator:
    """The tutor's messages."""
    return page.get_by_test_id("message-tutor")


def turns(page: Page) -> Locator:
    """The learner's messages."""
    return page.get_by_test_id("message-user")


def expect_answers(page: Page, count: int):
    """Waits for the words of the tutor's last message."""
    expect(answers(page)).to_have_count(count)
    expect(answers(page).last.locator(".text").first).to_be_visible()
    expect(answers(page).last).not_to_contain_text("…")


def choices(page: Page) -> list[str]:
    """The sentences that may be read aloud."""
    list = page.get_by_test_id("choices")
    expect(list).to_be_visible()
    return [text.strip() for text in list.get_by_role("button").all_inner_texts()]


def say(page: Page, mouth: Mouth, text: str, meanwhile=lambda: None):
    """Holds the talk button while the learner speaks."""
    length = mouth.say(text)
    give_back(page)
    talk = page.get_by_test_id("talk")
    expect(talk).to_be_enabled()
    settle(page)
    finger = Finger(page)
    finger.down(*center(talk))
    hint = page.get_by_test_id("recording-hint")
    expect(hint).to_contain_text("0:01")
    meanwhile()
    wait_until(page, lambda: int(hint.inner_text().split(":")[-1]) >= length)
    finger.up()


def give_back(page: Page):
    """Closes the muted microphone of the last recording: the next one hears its sound from the beginning."""
    page.evaluate("for (const track of window.tracks) track.stop()")


def expect_voice(page: Page):
    """Waits until the loudspeaker plays."""
    wait_until(page, lambda: heard(page)[0] > 0.005)


def write(page: Page, text: str):
    """Types an answer, and sends it."""
    draft = page.get_by_test_id("draft")
    if draft.count() == 0:
        button(page, "Write").tap()
    draft.fill(text)
    button(page, "Send").tap()
    expect(draft).to_have_value("")


def end_talk(page: Page):
    """Ends the conversation, and waits for the marks of the review."""
    page.get_by_test_id("end-conversation").tap()
    expect(page.get_by_test_id("segments")).to_be_visible()
    expect(page.get_by_test_id("end-review")).to_be_enabled()


def end_review(page: Page):
    page.get_by_test_id("end-review").tap()
    expect(page.get_by_test_id("done")).to_be_visible()


def show(page: Page, tab: str):
    page.locator(".tabbar").get_by_text(tab, exact=True).tap()
