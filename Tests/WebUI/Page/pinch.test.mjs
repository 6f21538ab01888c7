// pinch.js: two fingers, and wheels with Control.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers } from "./browser.mjs";

let page, pinch, node;

const finger = (identifier, clientX, clientY = 100) => ({ identifier, clientX, clientY, target: node.el });
const touch = (name, ...touches) => node.el.dispatch(name, { touches, changedTouches: [], cancelable: true });
const wheel = (deltaY, more = {}) => node.el.dispatch("wheel", { deltaY, deltaMode: 0, ctrlKey: true, clientX: 60, clientY: 40, ...more });
const reports = () => page.socket.events.map(({ v }) => v);
const scales = () => reports().map(({ m }) => m);

beforeEach(async () => {
  page = browser();
  const connection = await page.load("connection.js");
  connection.start(handlers({}));
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", resumed: true, ack: 0 });
  pinch = await page.load("pinch.js");
  const el = page.document.createElement("div");
  Object.assign(el, { contains: other => other === el, getBoundingClientRect: () => ({ left: 10, top: 20, width: 200, height: 160 }) });
  page.screen.append(el);
  node = { i: 7, el, p: { on: "pinch tap" }, state: {} };
  pinch.watchPinch(node);
});

test("two fingers report the scale from their start, and the end", async () => {
  touch("touchstart", finger(1, 60), finger(2, 160));
  const move = touch("touchmove", finger(1, 50), finger(2, 170));
  assert.equal(move.defaultPrevented, true);
  await page.clock.advance(100);
  touch("touchend", finger(1, 50));
  assert.deepEqual(scales(), [1.2, 1.2]);
  assert.deepEqual(page.socket.events.map(({ e, i }) => `${e} ${i}`), ["pinch 7", "pinch 7"]);
  // The point between the fingers, in the element and as a part of it.
  const { x, y, ax, ay, end } = reports()[1];
  assert.deepEqual({ x, y, ax, ay, end }, { x: 100, y: 80, ax: 0.5, ay: 0.5, end: 1 });
});

test("the fingers' place at the end is a change too, also without a move to it", async () => {
  touch("touchstart", finger(1, 60), finger(2, 160));
  touch("touchmove", finger(1, 50), finger(2, 170));
  node.el.dispatch("touchend", { touches: [finger(1, 10)], changedTouches: [finger(2, 210)] });
  await page.clock.advance(100);
  assert.deepEqual(reports().map(({ m, end }) => [m, end]), [[1.2, undefined], [2, undefined], [2, 1]]);
});

test("fingers that keep their distance are no pinch", async () => {
  touch("touchstart", finger(1, 60), finger(2, 160));
  touch("touchmove", finger(1, 70), finger(2, 170));
  touch("touchend", finger(1, 70));
  assert.deepEqual(reports(), []);
});

test("one finger and a third one are no pinch of their own", async () => {
  touch("touchstart", finger(1, 60));
  touch("touchmove", finger(1, 90));
  touch("touchstart", finger(1, 90), finger(2, 190));
  touch("touchstart", finger(1, 90), finger(2, 190), finger(3, 300));
  touch("touchmove", finger(1, 90), finger(2, 290), finger(3, 300));
  touch("touchend", finger(1, 90), finger(2, 290));
  assert.deepEqual(scales(), [2], "the third finger leaves the pinch to the first two");
  touch("touchend", finger(1, 90));
  assert.deepEqual(scales(), [2, 2]);
});

/** The box handles all reports at once. */
const acknowledge = () => page.socket.receive({ ack: page.socket.events.length });

test("at most 30 scales a second are reported, and the last one", async () => {
  touch("touchstart", finger(1, 0), finger(2, 100));
  for (let step = 1; step <= 100; step += 1) {
    touch("touchmove", finger(1, 0), finger(2, 100 + step));
    acknowledge();
    await page.clock.advance(10);
  }
  touch("touchend");
  assert.ok(scales().length >= 25, String(scales().length));
  assert.ok(scales().length <= 32, String(scales().length));
  assert.equal(scales().at(-1), 2);
  assert.equal(reports().filter(({ end }) => end).length, 1);
});

test("a wheel with Control pinches until it rests", async () => {
  assert.equal(wheel(100, { ctrlKey: false }).defaultPrevented, false);
  assert.equal(wheel(-10).defaultPrevented, true);
  await page.clock.advance(100);
  wheel(-10);
  await page.clock.advance(249);
  assert.equal(reports().some(({ end }) => end), false);
  await page.clock.advance(1);
  assert.deepEqual(reports().at(-1).end, 1);
  assert.equal(scales().at(-1), Math.round(Math.exp(0.2) * 1000) / 1000);
  assert.deepEqual([reports()[0].x, reports()[0].y], [50, 20]);
});

test("a notch of a wheel is a small step", async () => {
  wheel(1000);
  await page.clock.advance(300);
  assert.equal(scales().at(-1), Math.round(Math.exp(-0.25) * 1000) / 1000);
});

test("a node that takes no pinches any more hears nothing, and its pinch ends", async () => {
  touch("touchstart", finger(1, 60), finger(2, 160));
  touch("touchmove", finger(1, 50), finger(2, 170));
  node.p.on = "tap";
  pinch.watchPinch(node);
  touch("touchmove", finger(1, 0), finger(2, 170));
  touch("touchend");
  wheel(-10);
  await page.clock.advance(500);
  assert.deepEqual(scales(), [1.2]);
});

test("an element that left the page does not block the next pinch", async () => {
  touch("touchstart", finger(1, 60), finger(2, 160));
  node.el.remove();
  page.screen.append(node.el);
  const other = page.document.createElement("div");
  Object.assign(other, { contains: el => el === node.el, getBoundingClientRect: node.el.getBoundingClientRect });
  node.el.remove();
  page.screen.append(other);
  const next = { i: 8, el: other, p: { on: "pinch" }, state: {} };
  pinch.watchPinch(next);
  other.dispatch("touchstart", { touches: [finger(4, 0), finger(5, 100)] });
  other.dispatch("touchmove", { touches: [finger(4, 0), finger(5, 200)], cancelable: true });
  assert.deepEqual(page.socket.events.map(({ i }) => i), [8]);
});

test("a box that is busy gets no further scale until it has handled the last one", async () => {
  touch("touchstart", finger(1, 0), finger(2, 100));
  for (let step = 1; step <= 60; step += 1) {
    touch("touchmove", finger(1, 0), finger(2, 100 + step));
    await page.clock.advance(34);
  }
  assert.equal(reports().length, 1);
  acknowledge();
  await page.clock.advance(34);
  assert.deepEqual(scales().slice(1), [1.6]);
  touch("touchmove", finger(1, 0), finger(2, 500));
  touch("touchend");
  assert.deepEqual(reports().slice(2).map(({ m, end }) => [m, end]), [[5, undefined], [5, 1]]);
});
