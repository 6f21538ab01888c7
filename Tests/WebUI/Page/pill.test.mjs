// pill.js: the notice about the connection.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";

let page, pill;

beforeEach(async () => {
  page = browser();
  pill = await page.load("pill.js");
});

function button(id) {
  const el = page.document.createElement("button");
  el.dataset.i = String(id);
  page.screen.append(el);
  return el;
}

test("says that the connection is lost, and nothing when it is back", () => {
  pill.showAway(true);
  assert.equal(page.pill.textContent, "Reconnecting…");
  assert.ok(page.pill.classList.contains("shown"));
  pill.showAway(false);
  assert.equal(page.pill.textContent, "");
  assert.ok(!page.pill.classList.contains("shown"));
});

test("controls look unavailable while the connection is away", () => {
  pill.showAway(true);
  assert.ok(page.document.documentElement.classList.contains("away"));
  pill.showAway(false);
  assert.ok(!page.document.documentElement.classList.contains("away"));
});

test("what was not done is said for five seconds and marked", async () => {
  const row = button(7);
  pill.showUndone([7, 404]);
  assert.equal(page.pill.textContent, "Not done: the connection was lost");
  assert.ok(row.classList.contains("undone"));
  await page.clock.advance(4_900);
  assert.ok(page.pill.classList.contains("shown"));
  await page.clock.advance(200);
  assert.ok(!page.pill.classList.contains("shown") && !row.classList.contains("undone"));
});

test("a busy box is shown below a lost connection and a refusal", async () => {
  pill.showBusy(true);
  assert.equal(page.pill.textContent, "The server is busy…");
  assert.ok(!page.document.documentElement.classList.contains("away"));
  pill.showAway(true);
  assert.equal(page.pill.dataset.word, "lost");
  pill.showAway(false);
  pill.showUndone([], "slow");
  assert.equal(page.pill.textContent, "Not done: the server was too busy");
  await page.clock.advance(5_000);
  assert.equal(page.pill.dataset.word, "busy");
  pill.showBusy(false);
  assert.ok(!page.pill.classList.contains("shown"));
});

test("the notice about the connection comes back after the other", async () => {
  pill.showUndone([]);
  pill.showAway(true);
  assert.equal(page.pill.dataset.word, "undone");
  await page.clock.advance(5_000);
  assert.equal(page.pill.dataset.word, "lost");
});

test("a second refusal prolongs the notice and pulses again", async () => {
  pill.showUndone([]);
  await page.clock.advance(3_000);
  assert.ok(page.pill.classList.contains("pulse"));
  pill.showUndone([]);
  assert.ok(!page.pill.classList.contains("pulse"));
  await page.clock.advance(3_000);
  assert.ok(page.pill.classList.contains("pulse") && page.pill.classList.contains("shown"));
});

test("the notice stands in the topmost dialog, and on the page again without one", () => {
  const dialogs = [1, 2].map(() => page.document.createElement("dialog"));
  for (const dialog of dialogs) {
    dialog.setAttribute("open", "");
    page.document.body.append(dialog);
  }
  pill.showUndone([]);
  assert.equal(page.pill.parentElement, dialogs[1]);
  for (const dialog of dialogs) dialog.remove();
  pill.showUndone([]);
  assert.equal(page.pill.parentElement.localName, "main");
});
