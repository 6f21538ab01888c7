// connection.js: events that are stored, repeated and refused across reconnects.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers, settled } from "./browser.mjs";

let page, connection, heard;

/** The notices of the page so far: "lost", "undone", or none. */
const notice = () => page.pill.dataset.word ?? "";
const texts = () => page.socket.events.map(({ e, v }) => `${e} ${v}`);
const snapshot = (more = {}) => ({ root: {}, session: "secret", resumed: true, ack: 0, ...more });

async function connect(more = {}) {
  page.socket.accept();
  page.socket.receive(snapshot(more));
}

async function cut() {
  page.socket.breaks();
  await page.clock.advance(1_000);
}

beforeEach(async () => {
  page = browser();
  heard = { root: [], ops: [], gone: [], through: [] };
  connection = await page.load("connection.js");
  connection.start(handlers({
    root: frame => heard.root.push(frame), ops: frame => heard.ops.push(frame), request: request => { heard.request = request; },
    gone: reason => heard.gone.push(reason), through: events => heard.through.push(...events.map(event => event.s)),
  }));
});

test("the hello describes the page", async () => {
  await connect();
  const [{ hello }] = page.socket.sent;
  assert.deepEqual([hello.width, hello.height, hello.scheme, hello.languages, hello.session], [390, 844, "light", ["en-US"], null]);
  assert.equal(hello.secure, true);
  assert.equal(page.socket.address, "ws://box.test/socket?version=1");
});

test("an event has the next number and the time it was made", async () => {
  await connect();
  await page.clock.advance(70);
  assert.equal(connection.send("tap", 7), 1);
  assert.equal(connection.send("tap", 8), 2);
  assert.deepEqual(page.socket.events[1], { e: "tap", i: 8, s: 2, t: 70 });
});

test("after a reload, numbers go on where the session is", async () => {
  await connect({ ack: 12 });
  assert.equal(connection.send("tap", 7), 13);
});

test("acknowledged events are reported once", async () => {
  await connect();
  connection.send("tap", 7);
  connection.send("tap", 7);
  page.socket.receive({ ack: 1 });
  page.socket.receive({ ack: 1 });
  assert.deepEqual(heard.through, [1]);
  assert.equal(connection.acknowledged(), 1);
  assert.ok(connection.isUnacknowledged("tap"));
});

test("a tap without a connection is refused visibly", async () => {
  const row = Object.assign(page.document.createElement("button"));
  row.dataset.i = "7";
  page.screen.append(row);
  assert.equal(connection.send("tap", 7), 0);
  assert.equal(notice(), "undone");
  assert.ok(row.classList.contains("undone"));
  await connect();
  assert.deepEqual(page.socket.events, []);
});

test("a report without a connection is dropped silently", () => {
  for (const report of ["focus", "blur", "appear"]) assert.equal(connection.send(report, 7), 0);
  assert.equal(notice(), "");
});

test("a tap that was sent and not acknowledged is sent once more", async () => {
  await connect();
  connection.send("tap", 7);
  await cut();
  await connect();
  assert.deepEqual(page.socket.events.map(event => event.s), [1]);
});

test("a tap that the snapshot acknowledges is not sent again", async () => {
  await connect();
  connection.send("tap", 7);
  await cut();
  await connect({ ack: 1 });
  assert.deepEqual(page.socket.events, []);
  assert.equal(notice(), "");
});

test("a tap older than four seconds is not sent after a cut", async () => {
  await connect();
  connection.send("tap", 7);
  connection.send("input", 3, "typed");
  await cut();
  await page.clock.advance(3_100);
  await connect();
  assert.deepEqual(texts(), ["input typed"]);
  assert.equal(notice(), "undone");
});

test("the end of a press is sent however late", async () => {
  await connect();
  connection.send("press", 7, 0);
  await cut();
  await page.clock.advance(5_000);
  await connect();
  assert.deepEqual(texts(), ["press 0"]);
});

test("only the newest text of each field is sent after a cut", async () => {
  await connect();
  await cut();
  for (const [field, text] of [[1, "A"], [2, "x"], [1, "Ad"], [1, "Ada"]]) connection.send("input", field, text);
  await connect();
  assert.deepEqual(texts(), ["input x", "input Ada"]);
});

test("a text that may have arrived before the cut is sent again before the newer one", async () => {
  await connect();
  connection.send("input", 1, "Hello");
  await cut();
  connection.send("input", 1, "Hello w");
  connection.send("input", 1, "Hello world");
  await connect();
  assert.deepEqual(texts(), ["input Hello", "input Hello world"]);
});

test("a text before a notification keeps its place", async () => {
  await connect();
  await cut();
  connection.send("input", 1, "one");
  connection.send("notification", 0, "chat-1");
  connection.send("input", 1, "two");
  await connect();
  assert.deepEqual(texts(), ["input one", "notification chat-1", "input two"]);
});

test("events of another tree are dropped, and taps among them are reported", async () => {
  await connect();
  connection.send("tap", 7);
  await cut();
  await connect({ resumed: false });
  assert.deepEqual(page.socket.events, []);
  assert.equal(notice(), "undone");
  assert.equal(connection.send("tap", 7), 1);
});

test("a tapped notification is sent to another tree, numbered anew", async () => {
  await connect();
  connection.send("tap", 7);
  await cut();
  connection.send("notification", 0, "chat-1");
  await connect({ resumed: false });
  assert.deepEqual(page.socket.events.map(({ e, s, v }) => [e, s, v]), [["notification", 1, "chat-1"]]);
  assert.equal(connection.send("tap", 7), 2);
});

test("typed text of another tree is dropped without a notice", async () => {
  await connect();
  connection.send("input", 1, "typed");
  await cut();
  await connect({ resumed: false });
  assert.deepEqual(page.socket.events, []);
  assert.equal(notice(), "");
});

test("a tap that reached the server too late is reported", async () => {
  await connect();
  connection.send("tap", 7);
  connection.send("tap", 8);
  page.socket.receive({ ack: 2, late: [1] });
  assert.equal(notice(), "undone");
  assert.deepEqual(heard.through, [1, 2]);
});

test("two hundred events may wait, and of a field then only the newest text", async () => {
  await connect();
  for (let count = 0; count < 200; count += 1) connection.send("appear", count + 1);
  assert.equal(connection.send("tap", 7), 0);
  assert.equal(notice(), "slow");
  assert.ok(connection.send("input", 1, "one") > 0);
});

test("an event of more than 256 KiB is refused", async () => {
  await connect();
  assert.equal(connection.send("input", 1, "x".repeat(270_000)), 0);
  assert.equal(notice(), "large");
  assert.equal(connection.send("input", 1, "가".repeat(90_000)), 0);
  assert.ok(connection.send("input", 1, "가".repeat(80_000)) > 0);
  assert.equal(page.socket.events.length, 1);
});

test("a reply of more than 256 KiB is an error", async () => {
  await connect();
  connection.reply({ reply: 4, v: "x".repeat(270_000) });
  assert.deepEqual(page.socket.sent.at(-1), { reply: 4, error: "failed" });
});

test("a frame that cannot be read ends nothing", async context => {
  context.mock.method(console, "warn", () => {});
  await connect();
  page.socket.onmessage({ data: "{" });
  page.socket.receive({ ops: [] });
  assert.equal(heard.ops.length, 1);
});

test("a broken connection is tried again at once, then after longer and longer pauses", async () => {
  const pauses = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    const began = page.clock.time;
    const count = page.sockets.length;
    page.socket.breaks();
    while (page.sockets.length === count) await page.clock.advance(100);
    pauses.push(page.clock.time - began);
  }
  assert.deepEqual(pauses, [100, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

test("a connection that breaks after every snapshot is not tried without a pause", async () => {
  const pauses = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await connect();
    const began = page.clock.time;
    const count = page.sockets.length;
    page.socket.breaks();
    while (page.sockets.length === count) await page.clock.advance(100);
    pauses.push(page.clock.time - began);
  }
  assert.deepEqual(pauses, [100, 500, 1_000, 2_000]);
});

test("any frame after the snapshot resets the pauses", async () => {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await connect();
    page.socket.receive({ ack: 0 });
    page.socket.breaks();
    await page.clock.advance(0);
  }
  assert.equal(page.sockets.length, 5);
});

test("the third failure asks whether the browser is still admitted", async () => {
  globalThis.fetch = async () => ({ status: 401 });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    page.socket.breaks();
    await page.clock.advance(500);
  }
  assert.equal(globalThis.location.reloads, 1);
});

test("a connection without a snapshot is given up after ten seconds", async () => {
  page.socket.accept();
  const first = page.socket;
  await page.clock.advance(10_000);
  assert.ok(first.isClosed);
  assert.notEqual(page.socket, first);
});

test("the notice appears after a second without a connection and leaves with the snapshot", async () => {
  await connect();
  page.socket.breaks();
  await page.clock.advance(900);
  assert.equal(notice(), "");
  await page.clock.advance(200);
  assert.equal(notice(), "lost");
  assert.ok(page.document.documentElement.classList.contains("away"));
  await connect();
  assert.equal(notice(), "");
});

test("a connection that recovers within a second shows no notice", async () => {
  await connect();
  page.socket.breaks();
  await page.clock.advance(900);
  await connect();
  await page.clock.advance(1_500);
  assert.equal(notice(), "");
});

test("a tap after the connection broke is refused before the notice about that", async () => {
  await connect();
  page.socket.breaks();
  assert.equal(connection.send("tap", 7), 0);
  assert.equal(notice(), "undone");
});

/** Answers every ping, as the server does. */
async function idle(milliseconds) {
  for (let time = 0; time < milliseconds; time += 100) {
    const asked = page.socket.sent.length;
    await page.clock.advance(100);
    if (page.socket.sent.length > asked) page.socket.receive({});
  }
}

test("a pinch, a drag and a touch that scrolls are never said to be undone", async () => {
  const course = [["pinch", { m: 2 }], ["drag", { x: 1 }], ["press", 1], ["place", 4], ["appear", undefined]];
  for (const [event, value] of course) assert.equal(connection.send(event, 7, value), 0);
  assert.equal(notice(), "");
  await connect();
  for (const [event, value] of course) connection.send(event, 7, value);
  await cut();
  await page.clock.advance(60_000);
  await connect();
  assert.ok(notice() === "" || notice() === "lost", notice());
});

test("the end of a pinch reaches the box after a cut", async () => {
  await connect();
  await cut();
  connection.send("pinch", 7, { m: 2, end: 1 });
  await connect();
  assert.deepEqual(page.socket.events.map(({ e, v }) => [e, v.end]), [["pinch", 1]]);
});

test("a busy box has a notice of its own while it answers pings", async () => {
  await connect();
  connection.send("tap", 7);
  await idle(2_900);
  assert.equal(notice(), "");
  await idle(1_000);
  assert.equal(notice(), "busy");
  assert.ok(connection.send("tap", 8) > 0);
  page.socket.receive({ ack: 2 });
  await idle(600);
  assert.equal(notice(), "");
});

for (const [list, reason] of [["late", "undone"], ["slow", "slow"]]) {
  test(`a command that is listed as ${list} is said to be ${reason}`, async () => {
    await connect();
    connection.send("tap", 7);
    page.socket.receive({ ack: 1, [list]: [1] });
    assert.equal(notice(), reason);
  });
}

test("an idle page pings and shows nothing", async () => {
  await connect();
  await idle(10_000);
  assert.ok(page.socket.sent.filter(frame => frame.ping).length >= 4);
  assert.equal(notice(), "");
  assert.equal(page.sockets.length, 1);
});

test("three seconds without a byte are a stall, in which taps are refused and text is sent", async () => {
  await connect();
  await page.clock.advance(2_900);
  assert.equal(notice(), "");
  await page.clock.advance(700);
  assert.equal(notice(), "lost");
  assert.equal(connection.send("tap", 7), 0);
  assert.ok(connection.send("input", 1, "typed") > 0);
  assert.deepEqual(texts(), ["input typed"]);
});

test("a byte ends a stall", async () => {
  await connect();
  await page.clock.advance(4_000);
  page.socket.receive({});
  assert.equal(notice(), "");
  assert.ok(connection.send("tap", 7) > 0);
});

test("ten seconds without a byte open another connection, which does not repeat a late tap", async () => {
  await connect();
  await page.clock.advance(1_000);
  connection.send("tap", 7);
  const first = page.socket;
  await page.clock.advance(10_000);
  assert.ok(first.isClosed);
  await connect();
  assert.deepEqual(page.socket.events, []);
  assert.equal(notice(), "undone");
});

test("frames of an abandoned connection are ignored", async () => {
  await connect();
  const first = page.socket;
  await page.clock.advance(11_000);
  await connect();
  first.receive({ ops: ["late"] });
  assert.deepEqual(heard.ops, []);
});

test("a hidden page does not ping and is not given up", async () => {
  await connect();
  page.hide();
  await page.clock.advance(60_000);
  assert.deepEqual(page.socket.sent.filter(frame => frame.ping), []);
  assert.equal(page.sockets.length, 1);
});

test("a page that returns after half a minute drops a connection that does not answer", async () => {
  await connect();
  page.hide();
  await page.clock.advance(31_000);
  page.show();
  await page.clock.advance(3_000);
  assert.equal(page.sockets.length, 2);
});

test("time in sleep counts as age", async () => {
  await connect();
  connection.send("tap", 7);
  // The wall clock goes on while the clock of `performance` stands still.
  const wall = Date.now;
  Date.now = () => wall() + 60_000;
  page.socket.breaks();
  await page.clock.advance(500);
  await connect();
  assert.deepEqual(page.socket.events, []);
  assert.equal(notice(), "undone");
});

test("the page tells the link to the network, and its changes", async () => {
  const link = new EventTarget();
  page = browser();
  navigator.connection = Object.assign(link, { type: "cellular" });
  (await page.load("connection.js")).start(handlers({}));
  page.socket.accept();
  assert.equal(page.socket.sent[0].hello.network, "cellular");
  page.socket.receive(snapshot());
  link.type = "wifi";
  link.dispatchEvent(new Event("change"));
  navigator.onLine = false;
  page.happens("offline");
  assert.deepEqual(texts(), ["network local", "network none"]);
});

test("going online opens a connection at once", async () => {
  await connect();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    page.socket.breaks();
    await page.clock.advance(4_000);
  }
  page.socket.breaks();
  const count = page.sockets.length;
  page.happens("online");
  assert.equal(page.sockets.length, count + 1);
});

test("a hidden page keeps its session in the tab, a visible one takes it out", async () => {
  await connect({ scene: { settings: true } });
  page.hide();
  assert.equal(sessionStorage.getItem("session /socket"), "secret");
  assert.equal(sessionStorage.getItem("scene /socket"), '{"settings":true}');
  page.show();
  assert.equal(sessionStorage.getItem("session /socket"), null);
});

test("the front and the background are reported once each", async () => {
  await connect();
  page.happens("focus");
  page.happens("blur");
  page.hide();
  page.show();
  assert.deepEqual(texts(), ["phase inactive", "phase background", "phase active"]);
});

test("a page whose session ended does not reconnect by itself", async () => {
  await connect();
  page.socket.receive({ gone: "moved" });
  page.socket.breaks();
  await page.clock.advance(60_000);
  assert.deepEqual(heard.gone, ["moved"]);
  assert.equal(page.sockets.length, 1);
  connection.restart();
  await connect();
  assert.equal(page.socket.sent[0].hello.session, "secret");
});

test("a page that was closed for its idleness comes back when somebody looks", async () => {
  await connect();
  page.hide();
  page.socket.receive({ gone: "idle" });
  page.show();
  assert.equal(page.sockets.length, 2);
});

test("a forgotten page has no session to come back with", async () => {
  await connect();
  page.socket.receive({ gone: "forgotten" });
  connection.restart();
  page.socket.accept();
  assert.equal(page.socket.sent[0].hello.session, null);
});

test("a full server is asked again after a pause", async () => {
  await connect();
  page.socket.receive({ gone: "full" });
  connection.later(15_000);
  await page.clock.advance(14_900);
  assert.equal(page.sockets.length, 1);
  await page.clock.advance(200);
  assert.equal(page.sockets.length, 2);
});

test("requests of the server reach their handler", async () => {
  await connect();
  page.socket.receive({ ask: [3, "title", "Pager"] });
  await settled();
  assert.deepEqual(heard.request, [3, "title", "Pager"]);
});
