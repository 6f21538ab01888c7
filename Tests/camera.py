"""A browser with a camera that shows QR codes, for tests that scan them."""

import pathlib
from collections.abc import Callable

import pytest
from conftest import FAKE_DEVICES, Phones, settle, visit
from playwright.sync_api import Browser, Page, expect

# Counts the cameras that are on, and keeps their tracks for `lights`.
RECORD_CAMERAS = """
    window.tracks = []
    const devices = navigator.mediaDevices
    const open = devices?.getUserMedia.bind(devices)
    if (open) devices.getUserMedia = async wishes => {
        const camera = await open(wishes)
        window.tracks.push(...camera.getTracks())
        return camera
    }
"""
# A part of the screen without a code.
TITLE = {"x": 0, "y": 0, "width": 320, "height": 240}
# A muted microphone hears nothing.
LIGHTS = "window.tracks.filter(track => track.readyState === 'live' && track.enabled).length"


class Camera:
    """A browser whose only camera shows a film of codes, each for half a second, again and again."""

    def __init__(self, browser: Browser, refusing: Browser):
        self.phones, self.refusing = Phones(browser), refusing

    def phone(self, address: str, *, allowed: bool = True, permissions: tuple[str, ...] = (), **options) -> Page:
        """A phone with this camera. Its user allows the camera, or refuses it."""
        browser = None if allowed else self.refusing
        context = self.phones.context(browser, permissions=[*permissions, *(["camera"] if allowed else [])], **options)
        context.add_init_script(RECORD_CAMERAS)
        return self.phones.tab(context, address)

    def close(self):
        self.phones.close()
        assert not self.phones.problems


class Films:
    """Browsers by the codes that their camera shows. Each is kept for later tests, since it takes seconds to start."""

    def __init__(self, launch: Callable[..., Browser], folder: pathlib.Path):
        self.launch, self.folder = launch, folder
        self.browsers: dict[tuple[str, ...], Browser] = {}

    def start(self, texts: tuple[str, ...], pictures: list[bytes]):
        film = self.folder / f"film-{len(self.browsers)}.mjpeg"
        # Motion JPEG: the pictures one after the other, 30 a second.
        film.write_bytes(b"".join(picture * 15 for picture in pictures))
        self.browsers[texts] = self.launch("chromium-headless-shell", *FAKE_DEVICES, f"--use-file-for-fake-video-capture={film}")

    def close(self):
        for browser in self.browsers.values():
            browser.close()


@pytest.fixture(scope="session")
def films(launch, tmp_path_factory):
    films = Films(launch, tmp_path_factory.mktemp("films"))
    yield films
    films.close()


class Cameras:
    """Makes cameras. The gallery draws the codes."""

    def __init__(self, films: Films, phones: Phones, gallery: str, refusing: Browser):
        self.films, self.phones, self.gallery, self.refusing = films, phones, gallery, refusing
        self.cameras: list[Camera] = []

    def __call__(self, *texts: str) -> Camera:
        """A camera that sees the codes of these texts; without a text it sees no code."""
        if texts not in self.films.browsers:
            page = self.phones(self.gallery)
            visit(page, "Scanner")
            self.films.start(texts, [self._picture(page, text) for text in texts] or [page.screenshot(type="jpeg", clip=TITLE)])
        self.cameras.append(Camera(self.films.browsers[texts], self.refusing))
        return self.cameras[-1]

    def close(self):
        for camera in self.cameras:
            camera.close()

    def _picture(self, page: Page, text: str) -> bytes:
        """A picture of the code of a text, as the gallery shows it, with its margin."""
        code = page.get_by_label("Code", exact=True)
        drawing = code.locator("path")
        if page.get_by_label("Content", exact=True).input_value() != text:
            before = drawing.get_attribute("d")
            page.get_by_label("Content", exact=True).fill(text)
            expect(drawing).not_to_have_attribute("d", before)
        code.scroll_into_view_if_needed()
        settle(page)
        return code.screenshot(type="jpeg", quality=95)


@pytest.fixture
def cameras(films, phones, gallery, refusing_browser):
    cameras = Cameras(films, phones, gallery, refusing_browser)
    yield cameras
    cameras.close()


def lights(page: Page) -> int:
    """The number of cameras of the page that are on."""
    return page.evaluate(LIGHTS)
