// capabilities.js: the server's requests to the browser.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers, settled } from "./browser.mjs";

let page, capabilities;

beforeEach(async () => {
  page = browser();
  const connection = await page.load("connection.js");
  capabilities = await page.load("capabilities.js");
  const notifications = await page.load("notifications.js");
  connection.start(handlers({ live: notifications.live }));
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", ack: 0 });
});

/** The reply to a request. */
async function ask(name, value) {
  await capabilities.answer([9, name, value]);
  return page.socket.sent.at(-1);
}

test("a request is answered by its number", async () => {
  assert.deepEqual(await ask("title", "Pager"), { reply: 9, v: true });
  assert.equal(page.document.title, "Pager");
});

test("announcements go to a live region, the last three stay", async () => {
  const main = page.document.createElement("main");
  page.document.body.prepend(main);
  const regions = () => page.document.querySelectorAll(".announcements");
  await ask("announce", "one");
  assert.equal(regions()[0].children.length, 0, "a reader hears changes of what is there");
  // What comes meanwhile is read after it.
  await ask("announce", "two");
  await page.clock.advance(100);
  assert.deepEqual(regions()[0].children.map(line => line.textContent), ["one", "two"]);
  for (const text of ["three", "four"]) await ask("announce", text);
  assert.equal(regions().length, 1);
  assert.equal(regions()[0].getAttribute("aria-live"), "polite");
  assert.deepEqual(regions()[0].children.map(line => line.textContent), ["two", "three", "four"]);
});

test("what is no capability is unsupported", async () => {
  assert.deepEqual(await ask("constructor"), { reply: 9, error: "unsupported" });
});

test("what the browser lacks is unsupported", async () => {
  delete globalThis.Notification;
  for (const name of ["clipboard.read", "notification.permission", "vibrate", "badge"]) {
    assert.deepEqual(await ask(name), { reply: 9, error: "unsupported" }, name);
  }
});

test("a request without a number is not answered", async () => {
  const count = page.socket.sent.length;
  await capabilities.answer([0, "title", "Pager"]);
  assert.equal(page.socket.sent.length, count);
});

test("a refusal of the browser is denied, or wants a gesture", async () => {
  const denied = async () => { throw Object.assign(new Error(), { name: "NotAllowedError" }); };
  globalThis.navigator.clipboard = { readText: denied, writeText: denied };
  assert.equal((await ask("clipboard.read")).error, "denied");
  globalThis.navigator.userActivation = { isActive: false };
  assert.equal((await ask("clipboard.write", "x")).error, "gesture");
});

test("without a worker the page shows notifications, and a tap is an event with the tag", async () => {
  const shown = [];
  globalThis.Notification = class {
    static permission = "granted";
    constructor(title, { tag, body }) { shown.push(Object.assign(this, { title, tag, body })); }
    close() { this.isClosed = true; }
  };
  globalThis.focus = () => {};
  assert.deepEqual(await ask("notification.show", { tag: "chat-1", title: "Ada", body: "WAKE UP" }), { reply: 9, v: true });
  assert.deepEqual([shown[0].title, shown[0].body], ["Ada", "WAKE UP"]);
  shown[0].onclick();
  assert.deepEqual(page.socket.events.map(({ e, v }) => [e, v]), [["notification", "chat-1"]]);
  await ask("notification.clear", "chat-1");
  assert.ok(shown[0].isClosed);
});

test("a page leads only to addresses that a page may be sent to", async () => {
  assert.equal((await ask("open", "javascript:alert(1)")).error, "denied");
  globalThis.navigator.userActivation = { isActive: false };
  assert.equal((await ask("open", "https://example.com")).error, "gesture");
});

test("copying inside of a tap needs no reply", async () => {
  const copied = [];
  globalThis.navigator.clipboard = { writeText: async text => { copied.push(text); } };
  capabilities.perform(["copy", "481516"]);
  await settled();
  assert.deepEqual(copied, ["481516"]);
});
