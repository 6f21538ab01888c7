"""A browser whose microphone hears a tone, and whose loudspeaker tests can hear."""

import array
import math
import wave

import pytest
from camera import RECORD_CAMERAS
from conftest import FAKE_DEVICES, Phones
from playwright.sync_api import Page

# Of a beep: in Hz, and as the root mean square of a microphone that takes it as it is.
PITCH, LOUDNESS = 600, 12_000 / 32_768 / math.sqrt(2)
# The tone as it is: browsers suppress it as noise, and make it louder while it lasts.
HEAR_EVERYTHING = """
    const ask = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices)
    if (ask) navigator.mediaDevices.getUserMedia = wishes => ask({
        ...wishes, audio: wishes.audio && { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    })
"""
# An ear at the loudspeaker, for `heard` and `purity`. What leads from the microphone to the loudspeaker is silent.
LISTEN = """
    const connect = AudioNode.prototype.connect
    AudioNode.prototype.connect = function (target, ...rest) {
        if (target instanceof AudioDestinationNode && this instanceof GainNode) {
            window.ear ??= new AnalyserNode(target.context, { fftSize: 16384 })
            connect.call(this, window.ear)
        }
        return connect.call(this, target, ...rest)
    }
    window.hear = length => {
        const samples = new Float32Array(16384)
        window.ear?.getFloatTimeDomainData(samples)
        return { rate: window.ear?.context.sampleRate ?? 1, samples: Array.from(samples.slice(-length)) }
    }
"""


def write_tone(path):
    """Writes beeps of half a second."""
    rate = 48_000
    beep = [math.sin(2 * math.pi * PITCH * index / rate) for index in range(rate // 2)]
    samples = array.array("h", [int(12_000 * sample) for sample in beep] + [0] * (rate // 4))
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", "not compressed"))
        file.writeframes(samples.tobytes())


@pytest.fixture(scope="session")
def hearing_browser(launch, tmp_path_factory):
    path = tmp_path_factory.mktemp("tone") / "tone.wav"
    write_tone(path)
    browser = launch("chromium-headless-shell", *FAKE_DEVICES, f"--use-file-for-fake-audio-capture={path}")
    yield browser
    browser.close()


@pytest.fixture
def microphones(hearing_browser, refusing_browser):
    """Makes phones with a microphone: `microphones(address, allowed=True)`."""
    phones = Phones(hearing_browser)

    def phone(address: str, *, allowed: bool = True, **options) -> Page:
        context = phones.context(None if allowed else refusing_browser, permissions=["microphone"] if allowed else [], **options)
        context.add_init_script(HEAR_EVERYTHING + RECORD_CAMERAS + LISTEN)
        return phones.tab(context, address)

    yield phone
    phones.close()
    assert not phones.problems


def heard(page: Page) -> tuple[float, float]:
    """The root mean square of what the loudspeaker plays, and its frequency in Hz, over the last 85 ms."""
    sound = page.evaluate("window.hear(4096)")
    samples = sound["samples"]
    crossings = sum((one < 0) != (other < 0) for one, other in zip(samples, samples[1:]))
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples)), crossings * sound["rate"] / len(samples) / 2


def impurity(page: Page, pitch: float) -> float:
    """The part of the last third of a second that is not one sine of this frequency: clicks, gaps, and parts that do not join."""
    sound = page.evaluate("window.hear(16384)")
    samples = sound["samples"]
    step = 2 * math.pi * pitch / sound["rate"]
    sine, cosine = ([wave(step * index) for index in range(len(samples))] for wave in (math.sin, math.cos))
    parts = [2 * sum(a * b for a, b in zip(samples, one)) / len(samples) for one in (sine, cosine)]
    rest = sum((sample - parts[0] * a - parts[1] * b) ** 2 for sample, a, b in zip(samples, sine, cosine))
    return math.sqrt(rest / sum(sample * sample for sample in samples))
