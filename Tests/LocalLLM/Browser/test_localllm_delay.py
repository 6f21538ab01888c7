"""The delay of one page while another page of the box shows a huge answer: figures for Docs/Performance.md, with -s."""

import threading

import pytest
from conftest import TIMEOUT, button
from model_host import answers, expect_chat, host, hosts, ollama, open_app, open_chat, send, stage  # noqa: F401
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.soak

ANSWERS = {
    "headings": "".join(f"# {number}\n" for number in range(33_000)),
    "table": "| a | b |\n| - | - |\n" + "".join(f"| {number} | x |\n" for number in range(30_000)),
    "list": "".join(f"- {number}\n" for number in range(33_000)),
    "paragraph": "word " * 60_000,
    "code": "```\n" + "".join(f"let x{number} = {number}\n" for number in range(30_000)) + "```\n",
    "quotes": "".join(f"> {number}\n\n" for number in range(20_000)),
}
# A letter in the field of the Connect screen enables Connect, and its removal disables it: the box decides.
MEASURE = """async milliseconds => {
    const field = document.querySelector("input")
    const connect = () => [...document.querySelectorAll("button")].find(button => button.textContent.includes("Connect"))
    const pause = time => new Promise(done => setTimeout(done, time))
    const times = [], end = performance.now() + milliseconds
    for (let isEmpty = false; performance.now() < end; isEmpty = !isEmpty) {
        field.focus()
        field.value = isEmpty ? "" : "a"
        const start = performance.now()
        field.dispatchEvent(new InputEvent("input", {bubbles: true}))
        while (connect().disabled !== isEmpty) await pause(1)
        times.push(performance.now() - start)
        await pause(15)
    }
    return times.sort((a, b) => a - b)
}"""


def measure(name: str, page: Page):
    times = page.evaluate(MEASURE, 4_000)
    assert len(times) > 10
    figures = [times[int(len(times) * fraction)] for fraction in (0.5, 0.99)] + [times[-1]]
    print(f"{name}: p50 {figures[0]:.1f}, p99 {figures[1]:.1f}, longest {figures[2]:.1f} ms of {len(times)}")


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_huge_answer_delays_no_other_page(open_chat, open_app, ollama, kind):
    page, other = open_chat(), open_app()
    measure("no answer", other)
    send(page, kind)
    answer, text = ollama.answer(), ANSWERS[kind]

    def write():
        # As fast as the host takes it.
        for start in range(0, len(text), 2_000):
            answer.say(text[start:start + 2_000])
        answer.end("")

    writing = threading.Thread(target=write)
    writing.start()
    measure(kind, other)
    writing.join(TIMEOUT / 1000)
    expect(answers(page).last).to_contain_text("word" if kind == "paragraph" else "0")
    expect(button(page, "Stop")).to_have_count(0)
