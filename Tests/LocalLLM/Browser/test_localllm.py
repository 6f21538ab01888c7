"""Chats between phones in browsers and hosts of their own, over a private network."""

import re
import signal

import pytest
from conftest import TIMEOUT, bring_to_front, button, cut, field, mend, put_in_background, screenshot
from model_host import (  # noqa: F401
    answers, connect, expect_chat, expect_problem, host, hosts, old_hosts, ollama, open_app, open_chat, own_stage_box, send, server_id,
    stage)
from ollama import MODEL, OTHER_MODEL
from playwright.sync_api import Page, expect
from proxy import Proxy

# A topic, and two keys that are not it.
TOPIC = bytes(range(1, 33))
SEED, OTHER_SEED = bytes([7] * 32), bytes([8] * 32)


def expect_answer(page: Page, text: str):
    """Waits until the last answer is this paragraph, from its first piece to its end."""
    last = answers(page).last
    expect(last.get_by_text(text, exact=True)).to_be_visible()
    expect(last.get_by_role("button", name="Copy", exact=True)).to_be_visible()


def expect_prompts(page: Page, *prompts: str):
    """The prompts of the transcript. Each has an answer."""
    for prompt in prompts:
        expect(page.get_by_text(prompt, exact=True)).to_have_count(1)
    expect(answers(page)).to_have_count(len(prompts))


def test_whole_story_with_the_demo(open_app):
    page = open_app()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=re.compile("^Demo")).tap()
    expect_chat(page)
    expect(page.get_by_text("Ask a question")).to_be_visible()
    send(page, "What is this?")
    # Markdown, while it arrives.
    expect(answers(page).get_by_text(re.compile("^This is the demo of LocalLLM"))).to_be_visible()
    expect(button(page, "Stop")).to_be_visible()
    answer = answers(page).last
    expect(answer.get_by_text("The words from last to first: this? is What")).to_be_visible()
    button(answer, "Copy Code").tap()
    expect(button(answer, "Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "What is this?"
    button(answer, "Copy").tap()
    expect(button(answer, "Copied")).to_have_count(2)
    assert page.evaluate("navigator.clipboard.readText()").startswith("This is the **demo** of LocalLLM.")
    send(page, "Once more, please")
    button(page, "Stop").tap()
    expect(page.get_by_text("Stopped", exact=True)).to_be_visible()
    button(page, "Disconnect").tap()
    # The demo's Server ID is in the field, and works like any other.
    server = field(page, "Server ID").input_value()
    button(page, "Remove Demo").tap()
    button(page, "Remove Host").tap()
    expect(page.get_by_text("Saved hosts")).to_have_count(0)
    connect(page, server)
    expect_chat(page)
    expect(answers(page)).to_have_count(0)


def test_whole_story_with_a_host(open_app, host, ollama):
    page = open_app()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(button(page, "Connect")).to_be_disabled()
    page.evaluate("text => navigator.clipboard.writeText(text)", f" localllm://{host.id} ")
    button(page, "Paste").tap()
    expect(field(page, "Server ID")).to_have_value(f" localllm://{host.id} ")
    button(page, "Connect").tap()
    expect_chat(page)
    expect(page.get_by_test_id("title")).to_have_text("Ada’s Studio")
    for text in ("Verified", MODEL):
        expect(page.get_by_text(text, exact=True)).to_be_visible()
    for name in ("Send", "Clear"):
        expect(button(page, name)).to_be_disabled()
    field(page, "Message").fill("가" * 2731)
    expect(page.get_by_text("The prompt is too long. Shorten it to 8,192 bytes.")).to_be_visible()
    expect(button(page, "Send")).to_be_disabled()

    send(page, "Tell me a story")
    answer = ollama.answer()
    assert answer.messages == [("user", "Tell me a story")] and answer.model == MODEL
    expect(button(page, "Stop")).to_be_visible()
    expect(button(page, "Clear")).to_be_disabled()
    answer.say("Once upon ", "a time")
    expect(answers(page).get_by_text("Once upon a time", exact=True)).to_be_visible()
    answer.say(" there was")
    expect(answers(page).get_by_text("Once upon a time there was", exact=True)).to_be_visible()
    answer.end(" a **fox**.")
    expect_answer(page, "Once upon a time there was a fox.")
    button(page, "Copy").tap()
    expect(button(page, "Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "Once upon a time there was a **fox**."

    # The model knows the first turn. Stop reaches it.
    send(page, "Go on")
    answer = ollama.answer()
    assert answer.messages == [
        ("user", "Tell me a story"), ("assistant", "Once upon a time there was a **fox**."), ("user", "Go on")]
    answer.say("The fox")
    expect(answers(page).last.get_by_text("The fox", exact=True)).to_be_visible()
    button(page, "Stop").tap()
    expect(answers(page).last.get_by_text("Stopped", exact=True)).to_be_visible()
    assert answer.is_stopped.wait(TIMEOUT / 1000)
    expect_answer(page, "The fox")

    page.reload()
    expect_prompts(page, "Tell me a story", "Go on")
    expect_chat(page)
    screenshot(page, "localllm-story")

    button(page, "Clear").tap()
    expect(page.get_by_text("Clear the transcript?")).to_be_visible()
    button(page, "Cancel").tap()
    expect_prompts(page, "Tell me a story", "Go on")
    button(page, "Clear").tap()
    button(page, "Clear Transcript").tap()
    expect(page.get_by_text("Ask a question")).to_be_visible()
    expect_prompts(page)

    # Neither the cleared turns nor the host's own choice count now.
    page.get_by_test_id("model").tap()
    button(page, OTHER_MODEL).tap()
    # The menu shows the name as well.
    expect(page.get_by_text(MODEL, exact=True)).to_have_count(0)
    expect(page.get_by_text(OTHER_MODEL, exact=True)).to_be_visible()
    send(page, "And you?")
    answer = ollama.answer()
    assert answer.messages == [("user", "And you?")] and answer.model == OTHER_MODEL
    answer.end("Me too.")
    expect_answer(page, "Me too.")


def test_an_answer_of_the_demo_and_one_of_a_host_are_apart(open_app, host, ollama):
    page = open_app()
    connect(page, host.id)
    expect_chat(page)
    send(page, "Who are you?")
    ollama.answer().end("A llama.")
    expect_answer(page, "A llama.")
    button(page, "Disconnect").tap()
    expect(page.get_by_text("Saved hosts")).to_be_visible()
    screenshot(page, "localllm-connect")
    page.get_by_role("button", name=re.compile("^Demo")).tap()
    expect_chat(page)
    expect_prompts(page)
    button(page, "Disconnect").tap()
    # A saved host is one tap away.
    page.get_by_role("button", name=re.compile("^Ada’s Studio")).tap()
    expect_prompts(page, "Who are you?")


# The model server


def test_failures_of_the_model_server_have_codes_and_can_be_retried(open_chat, ollama):
    page = open_chat()

    def retry(text: str):
        button(answers(page).last, "Retry").tap()
        ollama.answer().end(text)
        expect_answer(page, text)

    # The first piece stays where the server dies, sends half a line, or reports an error.
    endings = {"Dies": lambda answer: answer.die(), "Half": lambda answer: answer.end_in_half_a_line(),
               "Error": lambda answer: answer.fail("out of memory")}
    for prompt, end in endings.items():
        send(page, prompt)
        answer = ollama.answer()
        answer.say("The first piece")
        expect(answers(page).last.get_by_text("The first piece", exact=True)).to_be_visible()
        end(answer)
        expect_problem(page, "GENERATION_FAILED")
        if prompt == "Error":
            expect(page.get_by_test_id("reason").last).to_contain_text("out of memory")
        expect(answers(page).last.get_by_text("The first piece", exact=True)).to_be_visible()
        screenshot(page, f"localllm-failed-{prompt.lower()}")
        retry(f"{prompt}, and complete.")
    ollama.models.clear()
    send(page, "Are you there?")
    expect_problem(page, "OLLAMA_MODEL_NOT_AVAILABLE")
    ollama.models.append(MODEL)
    retry("I am back.")
    ollama.stop()
    send(page, "And now?")
    expect_problem(page, "OLLAMA_NOT_FOUND")
    ollama.start()
    retry("Always.")
    # A request that failed without a piece leaves no trace.
    expect(page.get_by_test_id("error")).to_have_count(len(endings))


def test_work_before_the_first_piece_is_named(open_chat, ollama):
    page = open_chat()
    ollama.unload()
    send(page, "Think about it")
    expect(page.get_by_text("Loading the model", exact=True)).to_be_visible()
    screenshot(page, "localllm-loading")
    ollama.may_load.set()
    answer = ollama.answer()
    expect(page.get_by_text("Reading the prompt", exact=True)).to_be_visible()
    answer.think("Hm")
    expect(page.get_by_text("Thinking", exact=True)).to_be_visible()
    answer.end("Done.", reason="length")
    expect_answer(page, "Done.")
    expect(page.get_by_text("The answer reached the maximum length.")).to_be_visible()
    expect(page.get_by_text("Hm", exact=True)).to_have_count(0)


# The connection


@pytest.mark.soak
def test_a_host_that_was_killed_is_dialled_until_it_is_back(open_chat, host, ollama):
    page = open_chat()
    send(page, "Count")
    ollama.answer().say("One, two")
    expect(answers(page).get_by_text("One, two", exact=True)).to_be_visible()
    host.kill()
    expect_problem(page, "HOST_DISCONNECTED")
    expect(field(page, "Server ID")).to_have_value(host.id)
    expect(page.get_by_test_id("status")).to_be_visible()
    screenshot(page, "localllm-disconnected")
    host.start()
    expect_chat(page)
    # What the killed host has stored is all that there is.
    expect_problem(page, "GENERATION_FAILED")
    expect(answers(page).get_by_text("One, two", exact=True)).to_be_visible()
    button(page, "Retry").tap()
    ollama.answer().end("One, two, three.")
    expect_answer(page, "One, two, three.")


def test_a_host_that_stops_aborts_the_answer(open_chat, host, ollama):
    page = open_chat()
    send(page, "Count")
    answer = ollama.answer()
    answer.say("One, two")
    expect(answers(page).get_by_text("One, two", exact=True)).to_be_visible()
    host.say("stop")
    expect_problem(page, "HOST_DISCONNECTED")
    assert answer.is_stopped.wait(TIMEOUT / 1000)
    host.say("name Ada’s Attic", "start")
    expect_chat(page)
    expect(page.get_by_test_id("title")).to_have_text("Ada’s Attic")
    expect_problem(page, "GENERATION_ABORTED")
    expect(answers(page).get_by_text("One, two", exact=True)).to_be_visible()


def test_an_answer_survives_a_line_that_stalls_and_breaks(open_app, stage, host, ollama):
    proxy = Proxy(stage.box.address)
    page = open_app(proxy.address)
    connect(page, host.id)
    expect_chat(page)
    send(page, "Count")
    answer = ollama.answer()
    answer.say("One, ")
    expect(answers(page).get_by_text("One,")).to_be_visible()
    proxy.stall()
    answer.say("two, ")
    proxy.flow()
    expect(answers(page).get_by_text("One, two,")).to_be_visible()
    proxy.stall()
    answer.say("three, ")
    cut(proxy, page)
    answer.end("four.")
    mend(proxy, page)
    expect_answer(page, "One, two, three, four.")
    button(page, "Disconnect").tap()
    expect(button(page, "Connect")).to_be_visible()
    proxy.close()


def test_a_locked_phone_finds_the_whole_answer(open_chat, host, ollama):
    page = open_chat()
    send(page, "Count")
    answer = ollama.answer()
    answer.say("One, ")
    expect(answers(page).get_by_text("One,")).to_be_visible()
    put_in_background(page)
    answer.say("two, ")
    bring_to_front(page)
    expect(answers(page).get_by_text("One, two,")).to_be_visible()
    context, address = page.context, page.url
    page.close()
    answer.say("three, ")
    answer.end("four.")
    host.wait("The answer ended")
    page = context.new_page()
    page.goto(address)
    expect_answer(page, "One, two, three, four.")
    button(page, "Disconnect").tap()
    expect(button(page, "Connect")).to_be_visible()


def test_an_answer_goes_on_while_the_box_is_away(own_stage_box, open_app, host, ollama):
    page = open_app(own_stage_box.address)
    connect(page, host.id)
    expect_chat(page)
    send(page, "Count")
    answer = ollama.answer()
    answer.say("One, ")
    expect(answers(page).get_by_text("One,")).to_be_visible()

    def meanwhile():
        answer.end("two, three.")
        host.wait("The answer ended")

    own_stage_box.restart(page, how=signal.SIGKILL, meanwhile=meanwhile)
    # A launch begins at the Connect screen and dials nobody.
    expect(button(page, "Connect")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Ada’s Studio")).tap()
    expect_answer(page, "One, two, three.")


# Several phones


def test_a_second_phone_sees_a_busy_host_and_has_a_transcript_of_its_own(open_chat, ollama):
    ada, bob = open_chat(), open_chat()
    send(ada, "Tell me a long story")
    answer = ollama.answer()
    expect(bob.get_by_text("Busy", exact=True)).to_be_visible()
    expect(ada.get_by_text("Busy", exact=True)).to_have_count(0)
    send(bob, "Tell me a short one")
    expect_problem(bob, "MODEL_BUSY")
    screenshot(bob, "localllm-busy")
    answer.end("Ada’s story.")
    expect_answer(ada, "Ada’s story.")
    expect(bob.get_by_text("Busy", exact=True)).to_have_count(0)
    button(bob, "Retry").tap()
    answer = ollama.answer()
    assert answer.messages == [("user", "Tell me a short one")]
    answer.end("Bob’s story.")
    expect_answer(bob, "Bob’s story.")
    expect_prompts(ada, "Tell me a long story")
    expect_prompts(bob, "Tell me a short one")


def test_a_sixth_phone_is_sent_away(open_app, host):
    for _ in range(5):
        page = open_app()
        connect(page, host.id)
        expect_chat(page)
    sixth = open_app()
    connect(sixth, host.id)
    expect_problem(sixth, "MODEL_BUSY")
    expect(button(sixth, "Connect")).to_be_visible()
    button(page, "Disconnect").tap()
    host.wait("disconnected")
    button(sixth, "Connect").tap()
    expect_chat(sixth)


# Codes of connections


def test_connections_that_fail_have_codes(open_app, old_hosts):
    page = open_app()
    connect(page, "nonsense")
    expect_problem(page, "INVALID_SERVER_ID")
    connect(page, server_id(bytes([9] * 32)))
    expect_problem(page, "HOST_OFFLINE")
    silent = old_hosts(TOPIC, SEED)
    silent.say_nothing()
    connect(page, silent.id)
    expect_problem(page, "CONNECT_FAILED")
    expect(page.get_by_text("The host answered, but didn’t introduce itself. Restart it, and try again.")).to_be_visible()


def test_a_host_of_version_1_is_unverified_and_its_errors_have_codes(open_app, old_hosts):
    page = open_app()
    old = old_hosts(TOPIC, SEED)
    connect(page, old.id)
    old.introduce()
    expect_chat(page)
    for text in ("Unverified", "Old Mac", "llama"):
        expect(page.get_by_text(text, exact=True)).to_be_visible()
    send(page, "Hello")
    request = old.start()
    old.send("chat_chunk", request, text="Hel")
    old.send("chat_chunk", request, text="lo.")
    old.send("chat_end", request, finish_reason="stop")
    expect_answer(page, "Hello.")
    send(page, "Do you understand?")
    old.send("error", old.start(), code="BAD_MESSAGE", message="no")
    expect_problem(page, "BAD_MESSAGE")
    old.send("server_info", version=2, host_name="New Mac", model="llama", status="ready")
    expect_problem(page, "UNSUPPORTED_VERSION")
    expect(button(page, "Connect")).to_be_visible()


def test_a_changed_key_is_shown_before_anything_is_sent(open_app, old_hosts):
    page = open_app()
    old = old_hosts(TOPIC, SEED)
    connect(page, old.id)
    old.introduce()
    expect_chat(page)
    button(page, "Disconnect").tap()
    old.stop()
    other = old_hosts(TOPIC, OTHER_SEED)
    button(page, "Connect").tap()
    expect(page.get_by_text("The key of this host has changed")).to_be_visible()
    for host in (old, other):
        expect(page.get_by_text(host.key, exact=True)).to_be_visible()
    screenshot(page, "localllm-key")
    button(page, "Don’t Connect").tap()
    expect_problem(page, "CONNECT_FAILED")
    other.stop()
    other = old_hosts(TOPIC, OTHER_SEED)
    button(page, "Connect").tap()
    button(page, "Trust the New Key").tap()
    other.introduce()
    expect_chat(page)


# The debug screen


def test_seven_taps_on_the_title_open_the_debug_screen(open_chat, host):
    page = open_chat()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    title = page.get_by_test_id("title")
    for _ in range(7):
        title.tap()
    debug = page.locator("dialog[open]")
    expect(debug.get_by_text("Debug Log")).to_be_visible()
    # The doctor: each hop of the connection with its time.
    for hop in ("Looking for the host", "Opening the encrypted connection", "Waiting for the host", "Connected"):
        expect(debug.get_by_text(hop, exact=True)).to_be_visible()
    expect(debug.get_by_text("received server_info").first).to_be_visible()
    field(debug, "Filter").fill("CONNECTED: VERIFIED")
    expect(debug.get_by_text("received server_info")).to_have_count(0)
    expect(debug.get_by_text(re.compile("^connected: verified"))).to_be_visible()
    button(debug, "Copy Log").tap()
    expect(button(debug, "Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"\S+Z connected: verified, features \[.*\]", copied), copied
    screenshot(page, "localllm-debug")
    button(debug, "Done").tap()
    button(page, "Disconnect").tap()
    for _ in range(7):
        page.get_by_text("LocalLLM", exact=True).tap()
    expect(debug.get_by_text("Debug Log")).to_be_visible()
    button(debug, "Done").tap()
    expect(debug).to_have_count(0)
