// ends.js: scrolling views that stay at the end of their content.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";

let ends, node;

beforeEach(async () => {
  const page = browser();
  ends = await page.load("ends.js");
  const el = page.document.createElement("div");
  Object.assign(el, { scrollTop: 600, scrollHeight: 1000, clientWidth: 390, clientHeight: 400 });
  node = { i: 7, k: "scroll", el, p: { stick: "bottom" }, c: [], state: {} };
  ends.startAtEnd(node);
  ends.heed(node);
});

/** Changes the view, as far as its content reaches, and tells whether it stays at the end. */
const after = change => {
  Object.assign(node.el, change);
  node.el.scrollTop = Math.max(0, Math.min(node.el.scrollTop, node.el.scrollHeight - node.el.clientHeight));
  ends.heed(node);
  return node.state.atEnd;
};

test("a user who scrolls up leaves the end, and returns by scrolling down", () => {
  assert.deepEqual([570, 550, 555, 561].map(scrollTop => after({ scrollTop })), [true, false, false, true]);
});

test("content that grows below the end is followed", () => {
  assert.ok(after({ scrollHeight: 1200 }));
  assert.ok(!after({ scrollTop: 500 }));
  assert.ok(!after({ scrollHeight: 1300 }));
});

test("a view that grows until its content fits does not return to the end", () => {
  after({ scrollHeight: 470, scrollTop: 70 });
  assert.ok(!after({ scrollTop: 20 }));
  // A bar leaves, stays away, and returns.
  assert.ok(!after({ clientHeight: 460 }));
  assert.ok(!after({}));
  assert.ok(!after({ clientHeight: 400 }));
});

test("content whose end is in sight is followed, whatever brought it there", () => {
  after({ scrollTop: 540 });
  assert.ok(!after({ clientHeight: 460 }));
  assert.ok(after({ scrollHeight: 1100 }));
});

test("content that shrinks to its end in sight is followed from then on", () => {
  assert.ok(!after({ scrollTop: 300 }));
  assert.ok(after({ scrollHeight: 700 }));
});

test("a smaller view stays at the end", () => {
  assert.ok(after({ clientHeight: 150 }));
  assert.ok(after({ clientHeight: 400 }));
  assert.ok(after({ clientWidth: 844, clientHeight: 200, scrollHeight: 600 }));
});
