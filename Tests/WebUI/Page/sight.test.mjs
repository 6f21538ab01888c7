// sight.js: content out of sight.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "./browser.mjs";

test("high content out of sight is neither laid out nor painted", async () => {
  const page = browser();
  const observed = [];
  let report;
  globalThis.IntersectionObserver = class {
    constructor(act) { report = act; }
    observe(el) { observed.push(el); }
    unobserve() {}
  };
  const { watchDistance } = await page.load("sight.js");
  const [high, low] = [1, 2].map(() => page.document.createElement("div"));
  watchDistance({ c: [{ el: high }, { el: low }] });
  assert.deepEqual(observed, [high, low]);
  const entry = (target, isIntersecting, height) => ({ target, isIntersecting, boundingClientRect: { height } });
  report([entry(high, false, 3000), entry(low, false, 40)]);
  assert.deepEqual([high, low].map(el => el.classList.contains("far")), [true, false]);
  // The height stays, so that nothing moves.
  assert.equal(high.style["--height"], "3000px");
  report([entry(high, true, 3000)]);
  assert.equal(high.classList.contains("far"), false);
});
