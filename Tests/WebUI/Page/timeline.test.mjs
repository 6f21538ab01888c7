// timeline.js: when the parts of a sound are played.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "./browser.mjs";

const { fade, lead, Timeline } = await browser().load("timeline.js");
const rate = 48_000;

test("parts join to a sample, at any sample rate", () => {
  for (const rate of [44_100, 48_000, 24_000, 96_000]) {
    const timeline = new Timeline(rate);
    let { end } = timeline.place(Math.ceil(lead * rate), 1.2345);
    for (let part = 1; part < 200; part += 1) {
      const placed = timeline.place(part * 7, 1.25);
      assert.equal(placed.start, end);
      assert.ok(Math.abs(placed.end * rate - Math.round(placed.end * rate)) < 1e-6);
      end = placed.end;
    }
  }
});

test("a sound begins shortly after it was placed, at a sample", () => {
  const { start, replaces } = new Timeline(rate).place(rate, 1.00001);
  assert.ok(start > 1.00001 && start < 1.05);
  assert.equal(start * rate, Math.round(start * rate));
  assert.equal(replaces, null);
});

test("a part that follows replaces the fade before it", () => {
  const timeline = new Timeline(rate);
  const first = timeline.place(rate, 0);
  assert.ok(Math.abs(first.end - first.fadesFrom - fade) < 1e-9);
  assert.equal(timeline.place(rate, 0.5).replaces, first.fadesFrom);
});

test("a part that comes too late begins anew", () => {
  const timeline = new Timeline(rate);
  const first = timeline.place(rate, 0);
  for (const now of [first.fadesFrom - 0.001, first.end, first.end + 5]) {
    assert.equal(timeline.isRunning(now), false);
    const late = new Timeline(rate);
    late.place(rate, 0);
    const { start, replaces } = late.place(100, now);
    assert.ok(start > now && start > first.end);
    assert.equal(replaces, null);
  }
  assert.equal(timeline.isRunning(first.fadesFrom - 0.05), true);
});

test("a sound shorter than its fades keeps their order", () => {
  const { start, end, fadesFrom } = new Timeline(rate).place(10, 0);
  assert.ok(start < fadesFrom && fadesFrom < end);
});

test("what is placed and not played is ahead", () => {
  const timeline = new Timeline(rate);
  assert.equal(timeline.ahead(3), 0);
  const { end } = timeline.place(rate, 3);
  assert.equal(timeline.ahead(3.5), end - 3.5);
  assert.equal(timeline.ahead(9), 0);
});

test("a sound waits for a lead", () => {
  const timeline = new Timeline(rate);
  assert.equal(timeline.suffices(lead * rate - 1), false);
  assert.equal(timeline.suffices(lead * rate), true);
});
