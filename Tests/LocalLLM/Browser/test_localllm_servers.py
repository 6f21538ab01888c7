"""Replies of model servers as people meet them: in the app, and in the chat of a terminal."""

import subprocess
import threading

from conftest import PROGRAMS, TIMEOUT, button, screenshot
from model_host import answers, expect_chat, host, hosts, ollama, open_app, open_chat, send, stage  # noqa: F401
from playwright.sync_api import expect


def test_thoughts_are_not_the_answer(open_chat, ollama):
    page = open_chat()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    send(page, "First")
    answer = ollama.answer()
    answer.say("<th", "ink>hidden one</thi")
    expect(answers(page).last.get_by_text("Thinking", exact=True)).to_be_visible()
    answer.end("nk>\n\nShown \\(a_1 * b_1\\) one")
    last = answers(page).last
    expect(last.get_by_text("Shown \\(a_1 * b_1\\) one", exact=True)).to_be_visible()
    button(last, "Copy").tap()
    expect(button(last, "Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "Shown \\(a_1 * b_1\\) one"
    # Only the closing tag: what was shown turns out to be thoughts.
    send(page, "Second")
    answer = ollama.answer()
    assert answer.messages[1] == ("assistant", "Shown \\(a_1 * b_1\\) one")
    answer.say("hidden two")
    expect(answers(page).last.get_by_text("hidden two")).to_be_visible()
    answer.end("</think>\n\nShown two")
    expect(answers(page).last.get_by_text("Shown two", exact=True)).to_be_visible()
    expect(page.get_by_text("hidden")).to_have_count(0)
    send(page, "Third")
    answer = ollama.answer()
    assert answer.messages[3] == ("assistant", "Shown two")
    answer.end("Yes")
    screenshot(page, "localllm-thoughts")


def test_thoughts_of_an_answer_that_broke_off_can_be_read(open_chat, ollama):
    page = open_chat()
    send(page, "First")
    answer = ollama.answer()
    answer.say("<think>a hard one")
    expect(answers(page).last.get_by_text("Thinking", exact=True)).to_be_visible()
    answer.fail("out of memory")
    last = answers(page).last
    expect(last.get_by_test_id("reason")).to_contain_text("out of memory")
    expect(last.get_by_text("a hard one")).to_have_count(0)
    button(last, "The model’s thoughts").tap()
    expect(last.get_by_text("a hard one", exact=True)).to_be_visible()
    screenshot(page, "localllm-broken-thoughts")
    button(last, "Retry").tap()
    answer = ollama.answer()
    assert [text for _, text in answer.messages] == ["First"]
    answer.end("Yes")
    expect(answers(page).last.get_by_text("Yes", exact=True)).to_be_visible()
    expect(page.get_by_test_id("thoughts")).to_have_count(0)


def test_a_long_conversation_goes_on(open_chat, ollama):
    page = open_chat()
    for number in range(3):
        send(page, f"Question {number}")
        ollama.answer().end(f"Answer {number}")
        expect(answers(page).last.get_by_text(f"Answer {number}", exact=True)).to_be_visible()
    ollama.maximum_turns = 3
    send(page, "Question 3")
    answer = ollama.answer()
    assert len(answer.messages) == 3 and answer.messages[0] == ("user", "Question 2")
    answer.end("Answer 3")
    expect(page.get_by_text("The oldest messages were left out: 4.")).to_be_visible()
    screenshot(page, "localllm-omitted")
    ollama.maximum_turns = 0
    send(page, "Too long")
    expect(page.get_by_text("CONTEXT_EXCEEDED")).to_be_visible()
    expect(page.get_by_text("The prompt is longer than the model can read at once.")).to_be_visible()


def test_a_server_that_loads_is_waited_for(open_chat, ollama):
    page = open_chat()
    ollama.is_starting = True
    send(page, "Hello")
    expect(page.get_by_text("Loading the model", exact=True)).to_be_visible()
    screenshot(page, "localllm-loading")
    ollama.is_starting = False
    ollama.answer().end("Hello yourself")
    expect(answers(page).last.get_by_text("Hello yourself", exact=True)).to_be_visible()


class Chat:
    """`switchboard localllm chat` in a pipe."""

    def __init__(self, stage, host, folder):
        self.program = subprocess.Popen(
            [PROGRAMS / "switchboard", "localllm", "chat", host.id, "--bootstrap", stage.network.bootstrap, "--data", folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.errors: list[str] = []
        self.has_more = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.program.stderr:
            with self.has_more:
                self.errors.append(line)
                self.has_more.notify()

    def send(self, prompt: str):
        self.program.stdin.write(prompt + "\n")
        self.program.stdin.flush()

    def wait(self, text: str):
        """Waits for a line on standard error, which is then forgotten with those before."""
        with self.has_more:
            assert self.has_more.wait_for(lambda: any(text in line for line in self.errors), TIMEOUT / 1000), self.errors
            self.errors.clear()

    def end(self) -> str:
        """Ends the input. Returns all answers."""
        output, _ = self.program.communicate(timeout=TIMEOUT / 1000)
        return output


def test_the_terminal_says_what_became_of_an_answer(stage, host, ollama, tmp_path):
    chat = Chat(stage, host, tmp_path / "chat")
    try:
        chat.wait("Connected to Ada’s Studio")
        chat.send("half")
        answer = ollama.answer()
        answer.say("half an answer")
        answer.die()
        chat.wait("GENERATION_FAILED: The model server broke off in the middle of the answer. The answer is incomplete.")
        chat.send("long")
        ollama.answer().end("long", reason="length")
        chat.wait("reached its maximum length")
        chat.send("nothing")
        ollama.answer().end()
        chat.wait("The model gave no answer.")
        chat.send("thoughts")
        ollama.answer().end("<think>hidden</think>\n\nshown")
        ollama.models.insert(0, "newest:1b")
        ollama.loaded.add("newest:1b")
        chat.send("another model")
        answer = ollama.answer()
        assert answer.model == "newest:1b"
        answer.end("ok")
        chat.wait("newest:1b answers from now on.")
        assert chat.end() == "half an answer\nlong\nshown\nok\n"
    finally:
        chat.program.kill()
