// fields.js: typed text and the server's changes to it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers } from "./browser.mjs";

let page, fields, nodes, connection;

const field = (id, props = {}) => ({ i: id, k: "field", p: { val: "", on: "input submit", key: `field${id}`, ...props } });
const node = id => nodes.nodes.get(id);
const sent = name => page.socket.events.filter(event => event.e === name).map(event => event.v);

/** A page with these fields, connected. */
async function show(...children) {
  const { acknowledgeTexts, applyDue } = fields;
  connection.start(handlers({
    root: frame => nodes.applySnapshot(frame, page.screen), ops: frame => nodes.applyOperations(frame.ops),
    through: events => acknowledgeTexts(events, id => nodes.nodes.get(id)), acked: applyDue,
  }));
  fields.listen();
  page.socket.accept();
  page.socket.receive({ root: { i: 1, k: "root", c: [{ i: 2, k: "page", p: { title: "Letter" }, c: children }] }, session: "secret", ack: 0 });
}

/** The user types at the caret. */
function type(el, text) {
  const { selectionStart: start, selectionEnd: end, value } = el;
  el.value = value.slice(0, start) + text + value.slice(end);
  el.setSelectionRange(start + text.length, start + text.length);
  el.dispatch("input");
}

/** The server sets the text of a field. */
const set = (id, val, more = {}) => page.socket.receive({ ops: [["p", id, { val }]], ...more });

beforeEach(async () => {
  page = browser();
  [fields, nodes, connection] = await Promise.all(["fields.js", "nodes.js", "connection.js"].map(page.load));
});

test("typed text is sent with each keystroke", async () => {
  await show(field(3));
  const { el } = node(3);
  type(el, "H");
  type(el, "i");
  assert.deepEqual(sent("input"), ["H", "Hi"]);
});

// Node 18 cannot repair such a text, as old browsers cannot.
test("half of a character is not sent", { skip: !"".toWellFormed }, async () => {
  await show(field(3));
  type(node(3).el, "a\ud83d");
  assert.deepEqual(sent("input"), ["a\ufffd"]);
});

test("a text of the server is shown at once where nothing was typed", async () => {
  await show(field(3));
  set(3, "filled in");
  assert.equal(node(3).el.value, "filled in");
  assert.deepEqual(sent("input"), []);
});

test("a text of the server waits until the server has every keystroke", async () => {
  await show(field(3));
  const { el } = node(3);
  type(el, "a1");
  type(el, "b");
  set(3, "a", { ack: 1 });
  assert.equal(el.value, "a1b");
  set(3, "ab", { ack: 2 });
  assert.equal(el.value, "ab");
});

test("of two texts in one frame only the last one moves the caret", async () => {
  await show(field(3, { val: "abcd" }));
  const { el } = node(3);
  el.focus();
  el.setSelectionRange(2, 2);
  for (const letter of "x8y") type(el, letter);
  page.socket.receive({ ops: [["p", 3, { val: "abxcd" }], ["p", 3, { val: "abxycd" }]], ack: page.socket.events.at(-1).s });
  assert.equal(el.value, "abxycd");
  assert.equal(el.selectionStart, 4);
});

test("what was typed after Send stays when the field is emptied", async () => {
  await show(field(3));
  const { el } = node(3);
  type(el, "first");
  page.socket.receive({ ack: 1 });
  el.dispatch("keydown", { key: "Enter" });
  type(el, "second");
  set(3, "", { ack: 2 });
  page.socket.receive({ ack: 3 });
  assert.equal(el.value, "second");
  assert.equal(sent("input").at(-1), "second");
});

for (const [name, later] of [["and more follows", "econd"], ["and nothing follows", ""]]) {
  test(`a letter after Send stays when one frame empties the field and acknowledges it, ${name}`, async () => {
    await show(field(3));
    const { el } = node(3);
    type(el, "first");
    page.socket.receive({ ack: 1 });
    el.dispatch("keydown", { key: "Enter" });
    type(el, "s");
    if (later) type(el, later);
    set(3, "", { ack: 3 });
    if (later) page.socket.receive({ ack: 4 });
    assert.equal(el.value, "s" + later);
    assert.equal(sent("input").at(-1), "s" + later);
  });
}

test("a field that is emptied later loses all that was acknowledged", async () => {
  await show(field(3));
  const { el } = node(3);
  el.dispatch("keydown", { key: "Enter" });
  type(el, "Hello");
  page.socket.receive({ ack: 2 });
  set(3, "");
  assert.equal(el.value, "");
});

test("a snapshot that repeats what the server had changes nothing", async () => {
  await show(field(3));
  const { el } = node(3);
  type(el, "Hello");
  page.socket.receive({ ack: 1 });
  type(el, " world");
  page.socket.receive({ root: { i: 1, k: "root", c: [{ i: 2, k: "page", p: { title: "Letter" }, c: [field(3, { val: "Hello" })] }] }, resumed: true, ack: 1 });
  assert.equal(el.value, "Hello world");
});

for (const [name, before, caret, after, expected] of [
  ["in front of what was removed", "ab7cd", 2, "abcd", 2],
  ["behind what was removed", "ab7cd", 4, "abcd", 3],
  ["at the end of what grew", "sky", 3, "sky★", 4],
  ["in the middle of what grew at the end", "sky", 1, "sky★", 1],
  ["behind what was put in front", "sky", 2, "blue sky", 7],
]) {
  test(`the caret stays ${name}`, async () => {
    await show(field(3));
    const { el } = node(3);
    el.focus();
    type(el, before);
    el.setSelectionRange(caret, caret);
    set(3, after, { ack: 1 });
    page.socket.receive({ ack: 2 });
    assert.equal(el.value, after);
    assert.equal(el.selectionStart, expected);
  });
}

test("a composition is one input when it ends", async () => {
  await show(field(3));
  const { el } = node(3);
  el.dispatch("compositionstart");
  for (const text of ["ㅎ", "하", "한"]) {
    el.value = text;
    el.dispatch("input", { isComposing: true });
  }
  assert.deepEqual(sent("input"), []);
  el.dispatch("compositionend");
  assert.deepEqual(sent("input"), ["한"]);
});

test("a text of the server waits for the end of a composition", async () => {
  await show(field(3));
  const { el } = node(3);
  type(el, "a1");
  el.dispatch("compositionstart");
  el.value = "a1한";
  set(3, "a", { ack: 1 });
  assert.equal(el.value, "a1한");
  el.dispatch("compositionend");
  set(3, "a한", { ack: 2 });
  assert.equal(el.value, "a한");
});

test("Return submits a line, not a composition", async () => {
  await show(field(3));
  const { el } = node(3);
  el.dispatch("keydown", { key: "Enter", isComposing: true });
  el.dispatch("keydown", { key: "a" });
  assert.equal(sent("submit").length, 0);
  assert.ok(el.dispatch("keydown", { key: "Enter" }).defaultPrevented);
  assert.equal(sent("submit").length, 1);
});

test("Return submits several lines on an attached keyboard only", async () => {
  await show(field(3, { multi: 1, on: "input" }), field(4, { multi: 1, enter: "send" }));
  assert.ok(!node(3).el.dispatch("keydown", { key: "Enter", code: "Enter" }).defaultPrevented);
  for (const press of [{ code: "" }, { code: "Enter", shiftKey: true }]) {
    assert.ok(!node(4).el.dispatch("keydown", { key: "Enter", ...press }).defaultPrevented);
  }
  assert.equal(sent("submit").length, 0);
  assert.ok(node(4).el.dispatch("keydown", { key: "Enter", code: "Enter" }).defaultPrevented);
  assert.equal(sent("submit").length, 1);
});

/** A field of a composer, and a press of Return in it on an attached keyboard. */
const composer = (props = {}) => field(3, { multi: 1, on: "input return submit", ...props });
const pressReturn = (more = {}) => node(3).el.dispatch("keydown", { key: "Enter", code: "Enter", ...more });

test("Return on an attached keyboard is sent after the text before it", async () => {
  await show(composer());
  type(node(3).el, "Hi");
  assert.ok(pressReturn().defaultPrevented);
  assert.deepEqual(page.socket.events.map(({ e, v }) => [e, v]), [["input", "Hi"], ["return", undefined]]);
});

test("Return reports a text that no keystroke has reported", async () => {
  await show(composer());
  node(3).el.value = "pasted by a program";
  pressReturn();
  assert.deepEqual(page.socket.events.map(({ e, v }) => [e, v]), [["input", "pasted by a program"], ["return", undefined]]);
});

for (const [name, press] of [
  ["with Shift", { shiftKey: true }], ["with Option", { altKey: true }], ["with Control", { ctrlKey: true }], ["with Command", { metaKey: true }],
  ["of a keyboard on the screen", { code: "" }], ["in a composition", { isComposing: true }], ["that ends a composition", { keyCode: 229 }],
]) {
  test(`Return ${name} is left to the browser`, async () => {
    await show(composer());
    type(node(3).el, "Hi");
    assert.ok(!pressReturn(press).defaultPrevented);
    assert.deepEqual([sent("return"), sent("submit")], [[], []]);
  });
}

test("Return breaks the line while a keyboard covers the screen", async () => {
  await show(composer());
  page.document.documentElement.classList.add("typing");
  assert.ok(!pressReturn().defaultPrevented);
  assert.deepEqual(sent("return"), []);
});

test("a Return that Safari reports after the composition sends nothing", async () => {
  await show(composer());
  const { el } = node(3);
  el.dispatch("compositionstart");
  el.value = "한";
  el.dispatch("input", { isComposing: true });
  el.dispatch("compositionend");
  assert.ok(!pressReturn({ keyCode: 229 }).defaultPrevented);
  pressReturn();
  assert.deepEqual(page.socket.events.map(({ e, v }) => [e, v]), [["input", "한"], ["return", undefined]]);
});

test("a held Return is sent once", async () => {
  await show(composer());
  type(node(3).el, "Hi");
  pressReturn();
  assert.ok(pressReturn({ repeat: true }).defaultPrevented);
  assert.equal(sent("return").length, 1);
});

test("Return in a field that does not ask for it is left to the browser", async () => {
  await show(field(3, { multi: 1, on: "input" }));
  assert.ok(!pressReturn().defaultPrevented);
  assert.deepEqual(sent("return"), []);
});

test("the server learns where the focus is", async () => {
  await show(field(3), field(4));
  node(3).el.focus();
  node(4).el.focus();
  assert.deepEqual(page.socket.events.map(({ e, i }) => [e, i]), [["focus", 3], ["blur", 3], ["focus", 4]]);
});

test("a focus that the server gives is not reported back", async () => {
  await show(field(3));
  page.socket.receive({ ops: [["p", 3, { focus: 1 }]] });
  fields.moveFocus();
  assert.equal(page.document.activeElement, node(3).el);
  assert.deepEqual(page.socket.events, []);
});

test("a focus that the server gives waits until the server knows the latest", async () => {
  await show(field(3), field(4));
  node(4).el.focus();
  page.socket.receive({ ops: [["p", 3, { focus: 1 }]] });
  assert.equal(fields.moveFocus(), false);
  assert.equal(page.document.activeElement, node(4).el);
});

test("drafts find their fields in another tree by key and page", async () => {
  await show(field(3, { key: "Message" }), field(4, { key: "To" }));
  type(node(3).el, "a long letter");
  const drafts = fields.drafts(nodes.nodes.values());
  assert.deepEqual([...drafts.values()], ["a long letter"]);
  page.socket.receive({ root: { i: 1, k: "root", c: [{ i: 2, k: "page", p: { title: "Letter" }, c: [field(8, { key: "To" }), field(9, { key: "Message" })] }] }, ack: 0 });
  fields.offer(drafts, nodes.nodes.values());
  assert.deepEqual([node(8).el.value, node(9).el.value], ["", "a long letter"]);
  assert.equal(sent("input").at(-1), "a long letter");
  assert.equal(drafts.size, 0);
});

test("a draft is not offered to the same field of another page", async () => {
  await show(field(3, { key: "Name" }));
  type(node(3).el, "Ada");
  const drafts = fields.drafts(nodes.nodes.values());
  page.socket.receive({ root: { i: 1, k: "root", c: [{ i: 2, k: "page", p: { title: "Alert" }, c: [field(8, { key: "Name" })] }] }, ack: 0 });
  fields.offer(drafts, nodes.nodes.values());
  assert.equal(node(8).el.value, "");
});

test("a draft replaces only its own beginning", async () => {
  await show(field(3, { key: "Message" }));
  type(node(3).el, "half a thought");
  const drafts = fields.drafts(nodes.nodes.values());
  const tree = val => ({ root: { i: 1, k: "root", c: [{ i: 2, k: "page", p: { title: "Letter" }, c: [field(9, { key: "Message", val })] }] }, ack: 0 });
  page.socket.receive(tree("another text"));
  fields.offer(new Map(drafts), nodes.nodes.values());
  assert.equal(node(9).el.value, "another text");
  page.socket.receive(tree("half a"));
  fields.offer(new Map(drafts), nodes.nodes.values());
  assert.equal(node(9).el.value, "half a thought");
});

test("what nobody typed is no draft", async () => {
  await show(field(3, { val: "from the server" }), field(4, { key: "" }));
  type(node(4).el, "without a key");
  assert.equal(fields.drafts(nodes.nodes.values()).size, 0);
});
