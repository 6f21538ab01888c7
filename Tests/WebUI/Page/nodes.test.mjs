// nodes.js and kinds.js: the tree of the server as elements.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";

let page, kinds, nodes, owners;

beforeEach(async () => {
  page = browser();
  [kinds, nodes, owners] = await Promise.all(["kinds.js", "nodes.js", "owners.js"].map(page.load));
});

const node = id => nodes.nodes.get(id);
const show = (...children) => nodes.applySnapshot({ root: { i: 1, k: "root", c: children } }, page.screen);
const again = (...children) => nodes.applySnapshot({ root: { i: 1, k: "root", c: children }, resumed: true }, page.screen);
const text = (id, words, more = {}) => ({ i: id, k: "text", p: { t: words, ...more } });
const shown = () => page.screen.textContent;

// The tree

test("a snapshot is shown, and another one in its place", () => {
  show(text(2, "one"), text(3, "two"));
  assert.equal(shown(), "onetwo");
  show(text(2, "three"));
  assert.equal(shown(), "three");
  assert.equal(nodes.nodes.size, 2);
});

test("a snapshot of the same tree keeps its elements", () => {
  show(text(2, "one"), text(3, "two"));
  const [first, second] = [node(2).el, node(3).el];
  again(text(3, "two"), text(2, "new"));
  assert.equal(shown(), "twonew");
  assert.deepEqual([node(2).el === first, node(3).el === second], [true, true]);
});

test("the status of a connection has one form for a page with its box and one without", () => {
  show(text(2, "Connected", { reach: "reached" }), text(3, "Connecting", { reach: "away" }), text(4, "both"));
  assert.deepEqual([2, 3, 4].map(id => node(id).el.getAttribute("data-reach")), ["reached", "away", null]);
  again(text(2, "Disconnected"));
  assert.equal(node(2).el.getAttribute("data-reach"), null);
});

test("a snapshot takes away props that are gone", () => {
  show(text(2, "one", { l: "label" }));
  assert.equal(node(2).el.getAttribute("aria-label"), "label");
  again(text(2, "one"));
  assert.equal(node(2).el.getAttribute("aria-label"), null);
});

test("nodes are inserted, moved, changed and removed", () => {
  show(text(2, "a"), text(3, "b"));
  nodes.applyOperations([["i", 1, 3, text(4, "x")], ["i", 1, 0, text(5, "z")]]);
  assert.equal(shown(), "axbz");
  nodes.applyOperations([["m", 1, 2, 5]]);
  assert.equal(shown(), "zaxb");
  nodes.applyOperations([["p", 4, { t: "y" }], ["a", 2, "aa"]]);
  assert.equal(shown(), "zaaayb");
  nodes.applyOperations([["r", 2]]);
  assert.ok(!nodes.nodes.has(2) && nodes.changes.left.size === 1);
});

test("one operation that fails keeps no other from being done", context => {
  const warn = context.mock.method(console, "warn", () => {});
  show(text(2, "a"));
  nodes.applyOperations([["r", 404], ["constructor", 2], ["p", 2, { t: "b" }]]);
  assert.equal(shown(), "b");
  assert.equal(warn.mock.callCount(), 2);
});

test("an element leads to its node, and what is inside of it too", () => {
  show({ i: 2, k: "button", p: { on: "tap" }, c: [text(3, "Send")] });
  const inner = page.document.createElement("i");
  node(3).el.append(inner);
  assert.equal(owners.within(inner), node(3));
  assert.equal(owners.owner(node(2).el), node(2));
});

test("a text that grows keeps its element", () => {
  show(text(2, "Hello"));
  const words = node(2).part.text;
  kinds.append(node(2), " world");
  assert.equal(shown(), "Hello world");
  assert.equal(node(2).part.text, words);
});

test("Korean is marked as such, and not any more when it is gone", () => {
  show(text(2, "one"));
  nodes.applyOperations([["a", 2, " 둘"]]);
  assert.equal(node(2).el.lang, "ko");
  nodes.applyOperations([["p", 2, { t: "one" }]]);
  assert.equal(node(2).el.lang, "");
});

test("Chinese is marked with the script of the page or the browser", () => {
  const marked = () => {
    show(text(2, "字"));
    return node(2).el.lang;
  };
  assert.equal(marked(), "zh");
  navigator.languages = ["en", "zh-TW"];
  assert.equal(marked(), "zh-TW");
  page.document.documentElement.lang = "zh-Hant";
  assert.equal(marked(), "zh-Hant");
});

// Kinds

test("parts of a page, a section and an alert stand where they belong", () => {
  show(
    { i: 2, k: "page", p: { title: "T" }, c: [{ i: 3, k: "items", p: { slot: "leading" } }, { i: 4, k: "items", p: { slot: "constructor" } }] },
    { i: 5, k: "section", c: [{ i: 6, k: "header" }, { i: 7, k: "row" }, { i: 8, k: "footer" }] },
    { i: 9, k: "alert", c: [{ i: 10, k: "message" }, { i: 11, k: "button" }, { i: 12, k: "field" }] },
    { i: 13, k: "confirm", c: [{ i: 14, k: "button" }, { i: 15, k: "button", p: { cancel: 1 } }] });
  const place = id => node(id).el.parentElement.className;
  assert.deepEqual([3, 4, 6, 7, 8, 10, 11, 12, 14, 15].map(place), [
    "slot leading", "slot trailing", "top", "group", "end", "texts", "buttons", "fields", "buttons", "buttons apart"]);
});

test("an unknown kind is a box", context => {
  context.mock.method(console, "warn", () => {});
  show({ i: 2, k: "constructor", c: [text(3, "inside")] });
  assert.equal(shown(), "inside");
  assert.equal(node(2).el.className, "");
});

test("markup in a text is text", () => {
  show(text(2, "<img src=x onerror=alert(1)>"));
  assert.equal(node(2).el.children.length, 0);
  assert.equal(shown(), "<img src=x onerror=alert(1)>");
});

for (const [address, leads] of [
  ["https://example.com/x", true], ["mailto:a@example.com", true], ["tel:+15550123", true], ["/apps/", true],
  ["javascript:alert(1)", false], ["data:text/html,x", false], ["file:///etc/passwd", false], ["http://[", false],
]) {
  test(`a link ${leads ? "leads" : "does not lead"} to ${address}`, () => {
    show({ i: 2, k: "link", p: { href: address } });
    assert.equal(node(2).el.hasAttribute("href"), leads);
  });
}

test("a link in a text is a link that opens in another tab", () => {
  show({ i: 2, k: "text", c: [
    { i: 3, k: "run", p: { t: "See " } }, { i: 4, k: "link", p: { t: "this", href: "https://example.com/" } }] });
  const { el } = node(4);
  assert.deepEqual([el.tagName, el.getAttribute("href"), el.getAttribute("target"), el.getAttribute("rel")],
    ["A", "https://example.com/", "_blank", "noopener noreferrer"]);
  assert.deepEqual([el.getAttribute("role"), el.getAttribute("tabindex"), shown()], [null, null, "See this"]);
});

test("a link that the app opens is a link for the keyboard and assistive technology", () => {
  show({ i: 2, k: "link", p: { t: "chapter", on: "tap" } }, { i: 3, k: "link", p: { t: "off", on: "tap", d: 1 } });
  assert.deepEqual([2, 3].map(id => [node(id).el.getAttribute("role"), node(id).el.getAttribute("tabindex")]),
    [["link", "0"], [null, null]]);
  nodes.applyOperations([["p", 2, { on: null, href: "https://example.com/" }]]);
  assert.deepEqual([node(2).el.getAttribute("role"), node(2).el.getAttribute("tabindex")], [null, null]);
});

test("a grid has as many columns as its longest row", () => {
  const row = (id, count) => ({ i: id, k: "cellrow", c: Array.from({ length: count }, (_, n) => text(id + 1 + n, "cell")) });
  const columns = () => { kinds.countColumns(node(2)); return node(2).el.style["--columns"]; };
  show({ i: 2, k: "cells", c: [{ i: 3, k: "divider" }, row(10, 2), row(20, 3)] });
  assert.equal(columns(), "3");
  nodes.applyOperations([["i", 10, 0, text(40, "new")], ["i", 10, 0, text(41, "new")]]);
  assert.equal(columns(), "4");
  // A style of the box replaces all declarations.
  delete node(2).el.style["--columns"];
  nodes.applyOperations([["p", 2, { s: "row-gap:4px" }]]);
  assert.equal(node(2).el.style["--columns"], "4");
  nodes.applyOperations([["r", 10]]);
  assert.equal(columns(), "3");
});

test("only another site opens in another tab", () => {
  show({ i: 2, k: "link", p: { href: "https://example.com" } }, { i: 3, k: "link", p: { href: "/apps/" } }, { i: 4, k: "link", p: { href: "tel:1" } });
  assert.deepEqual([2, 3, 4].map(id => node(id).el.getAttribute("target")), ["_blank", null, null]);
  assert.equal(node(2).el.getAttribute("rel"), "noopener noreferrer");
});

test("the lengths of motions are read in both units", () => {
  assert.deepEqual(["300ms ease-in-out", "0.3s linear", "250.5ms", "none"].map(kinds.milliseconds), [300, 300, 250.5, 0]);
});

test("classes follow props, also those that are one when they are 0", () => {
  show({ i: 2, k: "row", p: { danger: 1, sep: 0 } });
  assert.ok(node(2).el.classList.contains("danger") && node(2).el.classList.contains("nosep"));
  nodes.applyOperations([["p", 2, { danger: null, sep: null, look: "plain" }]]);
  nodes.applyOperations([["p", 2, { look: "inset" }]]);
  assert.equal(node(2).el.className.trim(), "row inset");
});

test("Command is Control where there is no Command key", async () => {
  const keys = async platform => {
    const other = browser({ platform });
    const [, nodes] = await Promise.all(["kinds.js", "nodes.js"].map(other.load));
    nodes.applySnapshot({ root: { i: 1, k: "root", c: [{ i: 2, k: "toggle", p: { keys: "Meta+m" } }] } }, other.screen);
    return nodes.nodes.get(2).el.getAttribute("aria-keyshortcuts");
  };
  assert.deepEqual([await keys("MacIntel"), await keys("iPhone"), await keys("Win32")], ["Meta+m", "Meta+m", "Control+m"]);
});

// Assistive technology

test("roles come from kinds and traits", () => {
  show(
    { i: 2, k: "toggle", p: { sel: 1 } }, text(3, "Title", { r: "header", lv: 3 }), { i: 4, k: "symbol", p: { n: "star" } },
    { i: 5, k: "symbol", p: { n: "star", l: "Star" } }, text(6, "tap", { on: "tap" }), { i: 7, k: "progress", p: { fraction: 0.5 } });
  const roles = [2, 3, 4, 5, 6, 7].map(id => node(id).el.getAttribute("role"));
  assert.deepEqual(roles, ["switch", "heading", null, "img", "button", "progressbar"]);
  assert.equal(node(2).el.getAttribute("aria-checked"), "true");
  assert.equal(node(3).el.getAttribute("aria-level"), "3");
  assert.equal(node(4).el.getAttribute("aria-hidden"), "true");
  assert.equal(node(6).el.getAttribute("tabindex"), "0");
  assert.equal(node(7).el.getAttribute("aria-valuenow"), "50");
});

test("a label with a value is one name, a hint is a description", () => {
  show({ i: 2, k: "button", p: { l: "Favorite", v: "no", hint: "Adds this page" } }, { i: 3, k: "field", p: { ph: "Name" } }, { i: 4, k: "field" });
  assert.equal(node(2).el.getAttribute("aria-label"), "Favorite, no");
  assert.equal(node(2).el.getAttribute("aria-description"), "Adds this page");
  assert.deepEqual([3, 4].map(id => node(id).el.getAttribute("aria-label")), ["Name", "Text"]);
});

test("keys do not lead to what is hidden, however far out", () => {
  show({ i: 2, k: "vstack", c: [{ i: 3, k: "button" }] });
  assert.equal(node(3).el.getAttribute("tabindex"), null);
  nodes.applyOperations([["p", 2, { h: 1 }]]);
  assert.equal(node(3).el.getAttribute("tabindex"), "-1");
  nodes.applyOperations([["p", 2, { h: null }]]);
  assert.equal(node(3).el.getAttribute("tabindex"), null);
});

test("what is disabled is so for everybody", () => {
  show({ i: 2, k: "button", p: { d: 1 } }, text(3, "tap", { on: "tap", d: 1 }), { i: 4, k: "link", p: { href: "/", d: 1 } });
  assert.equal(node(2).el.disabled, true);
  assert.equal(node(3).el.getAttribute("aria-disabled"), "true");
  assert.equal(node(3).el.getAttribute("tabindex"), null);
  assert.equal(node(4).el.getAttribute("href"), null);
});

test("a picture is one of the box", async () => {
  const picture = src => ({ i: 2, k: "picture", p: { src } });
  for (const [src, expected] of [["/apps/test/icon.svg", "http://box.test/apps/test/icon.svg"], ["https://example.com/a.svg", null], ["javascript:0", null]]) {
    nodes.applySnapshot({ root: { i: 1, k: "root", c: [picture(src)] } }, page.screen);
    assert.equal(nodes.nodes.get(2).el.getAttribute("src"), expected, src);
  }
});
