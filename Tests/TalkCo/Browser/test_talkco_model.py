"""A learner whose tutor is a model on another computer: a LocalLLM host, over the peer-to-peer network."""

from conftest import button, field, screenshot
from learner import APP, answers, end_talk, expect_answers, open_tab, show, start_talk, turns, write  # noqa: F401
from model_host import hosts, ollama, stage  # noqa: F401
from ollama import MODEL
from playwright.sync_api import Page, expect


def state(page: Page):
    return page.get_by_test_id("model-state")


def test_talk_with_a_host(phones, stage, hosts, ollama):  # noqa: F811
    host = hosts()
    page = open_tab(phones, phones.context(permissions=["clipboard-read", "clipboard-write"]), stage.box.address)
    show(page, "Me")
    # Another text is no Server ID.
    field(page, "Server ID").fill("my computer")
    page.get_by_test_id("use-model").tap()
    expect(page.get_by_test_id("model-card")).to_contain_text("This is not a Server ID")
    page.evaluate("text => navigator.clipboard.writeText(text)", f" localllm://{host.id} ")
    button(page, "Paste").tap()
    expect(field(page, "Server ID")).to_have_value(f" localllm://{host.id} ")
    page.get_by_test_id("use-model").tap()
    expect(state(page)).to_contain_text(f"Ready: {MODEL}")
    expect(state(page)).to_contain_text("Ada’s Studio")
    screenshot(page, "talkco-model")
    show(page, "Practice")
    expect(page.get_by_test_id("engine")).to_contain_text(MODEL)

    # The model greets, and hears what was said before.
    page.get_by_test_id("topic-travel").tap()
    answer = ollama.answer()
    assert answer.messages[0][0] == "user" and "patient tutor" in answer.messages[0][1]
    answer.end("Hello! Where would you like to go?")
    expect_answers(page, 1)
    expect(answers(page)).to_contain_text("Where would you like to go?")
    write(page, "To Korea.")
    answer = ollama.answer()
    assert answer.messages[-2:] == [("assistant", "Hello! Where would you like to go?"), ("user", "To Korea.")]
    answer.end("Korea is close. What will you eat there?")
    expect_answers(page, 2)

    # The computer is switched off: the built-in tutor answers, and the app says why.
    host.stop()
    write(page, "I will eat noodles.")
    expect(page.get_by_text("The built-in tutor answers until your model is back.")).to_be_visible()
    expect_answers(page, 3)
    screenshot(page, "talkco-model-away")
    host.start()
    write(page, "I like spicy noodles.")
    answer = ollama.answer()
    assert ("user", "I will eat noodles.") in answer.messages
    answer.end("So do I.")
    expect_answers(page, 4)
    expect(page.get_by_text("The built-in tutor answers until your model is back.")).to_have_count(0)


def test_choice_can_be_removed(phones, stage, hosts):  # noqa: F811
    page = open_tab(phones, phones.context(), stage.box.address)
    show(page, "Me")
    # Nobody has this key.
    field(page, "Server ID").fill("1" * 31 + "2")
    page.get_by_test_id("use-model").tap()
    expect(state(page)).to_contain_text("Your model does not answer.")
    expect(state(page)).to_contain_text("No computer is online")
    button(page, "Remove This Model").tap()
    expect(field(page, "Server ID")).to_have_value("")
    show(page, "Practice")
    expect(page.get_by_test_id("engine")).to_contain_text("built-in")
