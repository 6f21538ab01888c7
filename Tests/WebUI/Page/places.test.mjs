// places.js: the child at the edge of a scrolling view.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers } from "./browser.mjs";

const rowHeight = 40, rowCount = 50;
let page, places, scroller, height;

/** Scrolls by this distance, as far as the content reaches. */
const scroll = async by => {
  scroller.el.scrollTop = Math.min(Math.max(scroller.el.scrollTop + by, 0), rowCount * rowHeight - height);
  places.notePlace(scroller);
  await page.clock.advance(100);
};
const reports = () => page.socket.events.map(({ v }) => v);

beforeEach(async () => {
  page = browser();
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "0px" });
  const connection = await page.load("connection.js");
  connection.start(handlers({}));
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", resumed: true, ack: 0 });
  places = await page.load("places.js");
  height = 400;
  const el = page.document.createElement("div");
  Object.assign(el, {
    scrollTop: 800, scrollHeight: rowCount * rowHeight,
    getBoundingClientRect: () => ({ left: 0, top: 100, right: 390, bottom: 100 + height, width: 390, height }),
  });
  page.screen.append(el);
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const top = () => 100 + index * rowHeight - el.scrollTop;
    return { i: index, k: "row", p: {}, c: [], el: { getBoundingClientRect: () => ({ top: top(), bottom: top() + rowHeight }) } };
  });
  scroller = { i: 7, k: "scroll", el, p: { at: "end" }, c: [{ k: "v", p: { targets: 1 }, c: rows }], state: {} };
});

test("scrolling reports the row at the edge, once", async () => {
  await scroll(1);
  await scroll(1);
  await scroll(40);
  await scroll(-80);
  assert.deepEqual(reports(), [30, 31, 29]);
  assert.deepEqual(page.socket.events.map(({ e, i }) => `${e} ${i}`), Array(3).fill("place 7"));
});

test("scroll targets inside a target are reported in its place", async () => {
  const outer = scroller.c[0].c[31];
  const part = top => ({ getBoundingClientRect: () => ({ top: outer.el.getBoundingClientRect().top + top, bottom: outer.el.getBoundingClientRect().top + top + 20 }) });
  const parts = [101, 102].map((i, index) => ({ i, k: "text", p: {}, c: [], el: part(index * 20) }));
  outer.c = [{ k: "v", p: {}, c: [{ k: "v", p: { targets: 1 }, c: parts }] }];
  await scroll(10);
  await scroll(30);
  await scroll(20);
  await scroll(20);
  await scroll(20);
  assert.deepEqual(reports(), [30, 101, 102, 32]);
});

test("a bar that comes on the way down reports no row above", async () => {
  await scroll(10);
  height -= 60;
  for (let step = 0; step < 40; step += 1) await scroll(4);
  // By then the edge of the view is where it was before, and beyond.
  assert.deepEqual(reports(), [30, 31, 32]);
});

test("a bar that leaves on the way up reports no row below", async () => {
  await scroll(10);
  height += 60;
  for (let step = 0; step < 40; step += 1) await scroll(-4);
  assert.deepEqual(reports(), [30, 29, 28, 27]);
});

test("after a bar the other direction is reported at once", async () => {
  await scroll(10);
  height -= 60;
  await scroll(10);
  await scroll(-30);
  assert.deepEqual(reports(), [30, 29]);
});

test("at the ends of the content the row is the one that is seen", async () => {
  await scroll(10);
  height += 60;
  await scroll(2000);
  assert.deepEqual(reports(), [30, 49]);
  height -= 60;
  await scroll(-2000);
  assert.deepEqual(reports(), [30, 49, 9]);
});

test("content that stays at its end stays there for the reports as well", async () => {
  await scroll(2000);
  // A keyboard comes and leaves, and the view follows.
  height -= 300;
  await scroll(300);
  height += 300;
  await scroll(-300);
  assert.deepEqual(reports(), [49]);
});

test("the edge at the start is none of the bars' below", async () => {
  scroller.p.at = "start";
  await scroll(10);
  height -= 60;
  await scroll(4);
  await scroll(-40);
  assert.deepEqual(reports(), [20, 19]);
});
