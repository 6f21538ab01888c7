// words.js: the page's own texts.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { browser } from "./browser.mjs";

const names = ["back", "sheet", "choose", "resize", "refresh", "home", "text", "progress", "lost", "undone", "busy", "slow", "large", "moved", "here", "full", "again", "idle", "reopen", "cancel"];

test("every word is there in every language", async () => {
  const page = browser();
  const { speak, word } = await page.load("words.js");
  const english = names.map(word);
  assert.ok(english.every(Boolean));
  for (const language of ["ko", "zh-Hant"]) {
    speak(language);
    assert.ok(names.map(word).every((text, at) => text && text !== english[at]), language);
  }
});

test("the page's modules use no other words", async () => {
  const page = browser();
  const { word } = await page.load("words.js");
  const folder = new URL("../../../Sources/WebUI/WebRenderer/Resources/", import.meta.url);
  const files = ["page", "pill", "kinds", "stage", "gestures", "nodes", "scanner"];
  const sources = await Promise.all(files.map(name => readFile(new URL(`${name}.js`, folder), "utf8")));
  const used = sources.flatMap(text => [...text.matchAll(/\b(?:translate\((?:[^()]|\([^()]*\))*, |word\()"(\w+)"\)/g)].map(found => found[1]));
  assert.ok(used.length > 8);
  for (const name of used) assert.ok(word(name), name);
});

test("the first language with words is spoken, else English", async () => {
  const page = browser({ languages: ["fr-FR", "ko-KR"] });
  const { speak, word } = await page.load("words.js");
  assert.equal(word("back"), "뒤로");
  speak("en-GB");
  assert.equal(word("back"), "Back");
  for (const language of ["zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-CN", "zh_TW"]) {
    speak(language);
    assert.equal(word("back"), "返回", language);
  }
  for (const language of ["zh-CN", "zh", "zh-Hans", "zh-Hans-TW"]) {
    speak(language);
    assert.equal(word("back"), "뒤로", language);
  }
  const other = browser({ languages: ["fr", "constructor"] });
  assert.equal((await other.load("words.js")).word("back"), "Back");
});

test("an element changes its word with the language", async () => {
  const page = browser();
  const { speak, translate } = await page.load("words.js");
  const [label, back] = [page.document.createElement("p"), page.document.createElement("button")];
  back.className = "back";
  page.screen.append(translate(label, "lost"), translate(back, "back"));
  assert.equal(label.textContent, "Reconnecting…");
  assert.equal(back.getAttribute("aria-label"), "Back");
  speak("ko");
  assert.equal(label.textContent, "다시 연결하는 중…");
  assert.equal(back.getAttribute("aria-label"), "뒤로");
  assert.equal(back.textContent, "");
});
