"""Binary streams between the box and a page of Chromium."""

from playwright.sync_api import expect


def value(page, name):
    return page.get_by_test_id(name)


def send(page, name):
    page.get_by_role("button", name=f"Send the {name}", exact=True).tap()


def test_a_file_and_sound_come_back_unchanged(open_page):
    page = open_page("Bytes")
    # Both at once: the file does not hold up the sound.
    send(page, "sound")
    send(page, "file")
    for name, count in (("file", 64), ("sound", 200)):
        expect(value(page, f"{name}-state")).to_have_text("complete")
        expect(value(page, f"{name}-received")).to_have_text(str(count))
        expect(value(page, f"{name}-missing")).to_have_text("0")
        expect(value(page, f"{name}-changed")).to_have_text("0")


def test_a_file_survives_a_cut_and_sound_continues(proxy, open_page):
    page = open_page("Bytes", proxy.address)
    send(page, "sound")
    expect(value(page, "sound-received")).not_to_have_text("0")
    send(page, "file")
    # A request to open a stream fails with its connection: both are open here.
    expect(value(page, "file-received")).not_to_have_text("0")
    proxy.cut()
    expect(page.locator("#pill")).to_have_text("Reconnecting…")
    proxy.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(value(page, "file-state")).to_have_text("complete")
    expect(value(page, "file-received")).to_have_text("64")
    expect(value(page, "file-changed")).to_have_text("0")
    expect(value(page, "sound-state")).to_have_text("complete")
    expect(value(page, "sound-changed")).to_have_text("0")
    # Live items from the time of the cut are lost, and no item arrives twice.
    assert int(value(page, "sound-received").inner_text()) < 200


def test_a_reload_ends_a_stream(open_page):
    page = open_page("Bytes")
    send(page, "sound")
    expect(value(page, "sound-state")).to_have_text("sending")
    page.reload()
    expect(value(page, "sound-state")).to_have_text("failed")
    send(page, "file")
    expect(value(page, "file-state")).to_have_text("complete")
