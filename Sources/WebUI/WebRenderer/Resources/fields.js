// The browser owns typed text: a text from the box waits until the box has acknowledged the newest keystroke.

import { acknowledged, isUnacknowledged, send } from "./connection.js";
import { owner } from "./owners.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */
/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** Fields with a pending text from the box. @type {Set<TreeNode>} */
const waiting = new Set();
/** Fields that gain or lose the focus at the end of the frame. @type {Map<TreeNode, boolean>} */
const wanted = new Map();
let quiet = false;

const element = node => node.el;
const busy = node => Boolean(node.state.composing) || (node.state.typed ?? 0) > acknowledged();

/** Sets a text from the box: at the end of the frame, which may have a newer one, or later. */
export function setValue(node) {
  const value = String(node.p.val ?? "");
  const state = node.state;
  // A snapshot repeats a text that the box had before: not a change.
  if (busy(node) && value === state.boxText) return;
  const sent = value === "" ? textsAtCommand.get(node) : undefined;
  if (!waiting.has(node)) state.base = sent ?? state.boxText ?? "";
  state.boxText = value;
  if (!node.el.isConnected) return apply(node, value);
  state.at = sent !== undefined && !busy(node) ? -1 : acknowledged();
  waiting.add(node);
}

/**
 * The texts of fields at the last command of the present frame, where more was typed after it: a busy box empties the field and acknowledges
 * that text in one frame. @type {Map<TreeNode, string>}
 */
const textsAtCommand = new Map();

/** Records the texts that the box has acknowledged. */
export function acknowledgeTexts(through, find) {
  textsAtCommand.clear();
  let isBehindCommand = false;
  for (const event of through) {
    if (["submit", "return", "tap"].includes(event.e)) {
      isBehindCommand = true;
      textsAtCommand.clear();
    }
    const node = event.e === "input" ? find(event.i) : undefined;
    if (!node || waiting.has(node)) continue;
    if (isBehindCommand && !textsAtCommand.has(node)) textsAtCommand.set(node, node.state.boxText ?? "");
    node.state.boxText = event.v;
  }
}

/** Applies the pending texts and focus that are due. */
export function applyDue() {
  textsAtCommand.clear();
  moveFocus();
  for (const node of waiting) {
    if (!node.el.isConnected) waiting.delete(node); else if (!busy(node)) applyLate(node);
  }
}

/**
 * Merges a text from the box with text typed in the meantime. If the text that the box knew is still a prefix, the rest stays: a composer that
 * Send has emptied keeps the next words. The box then receives the merged text.
 */
function applyLate(node) {
  waiting.delete(node);
  const { state } = node;
  const typed = element(node).value;
  const newest = state.at >= (state.typed ?? 0);
  const text = !newest && state.base && typed.startsWith(state.base) ? state.boxText + typed.slice(state.base.length) : state.boxText;
  apply(node, text);
  if (!newest && text !== typed) report(node);
}

/** Sets the text. The caret keeps its position between the same letters, or at the end. */
function apply(node, value) {
  const el = element(node);
  if (el.value === value) return;
  const { selectionStart, selectionEnd, value: old } = el;
  const focused = document.activeElement === el;
  el.value = value;
  if (focused && selectionStart !== null) {
    const [front, back] = common(old, value);
    const same = at => at <= front && at < old.length ? at : value.length - Math.min(back, old.length - at);
    el.setSelectionRange(same(selectionStart), same(selectionEnd ?? selectionStart));
  }
  grow(el);
}

/** The lengths of the common prefix of two texts, and of the common suffix of the rest. */
function common(one, other) {
  const shorter = Math.min(one.length, other.length);
  let front = 0, back = 0;
  while (front < shorter && one[front] === other[front]) front += 1;
  while (back < shorter - front && one.at(-1 - back) === other.at(-1 - back)) back += 1;
  return [front, back];
}

function report(node) {
  // A lone surrogate cannot be sent.
  node.state.sent = element(node).value.toWellFormed?.() ?? element(node).value;
  node.state.touched = true;
  node.state.typed = send("input", node.i, node.state.sent);
}

/** Resizes a field to its content, for browsers without `field-sizing`. */
function grow(el) {
  if (el.tagName !== "TEXTAREA" || CSS.supports("field-sizing", "content")) return;
  el.style.height = "auto";
  if (el.scrollHeight) el.style.height = `${el.scrollHeight}px`;
}

export function setFocus(node) { wanted.set(node, Boolean(node.p.focus)); }

/**
 * Moves the focus as the box requests, without reporting it back. A request from before the box knew the current focus waits, and may be
 * replaced.
 */
export function moveFocus() {
  if (!wanted.size || isUnacknowledged("focus") || isUnacknowledged("blur")) return false;
  quiet = true;
  for (const [node, on] of wanted) {
    const el = element(node);
    if (!on && document.activeElement === el) el.blur();
    if (on && document.activeElement !== el) el.focus({ preventScroll: document.activeElement !== document.body });
  }
  quiet = false;
  const moved = [...wanted.values()].includes(true);
  wanted.clear();
  return moved;
}

/** Ends a composition so that its text is sent before the next event. The keyboard stays. */
export function finishComposition() {
  const el = document.activeElement;
  const node = el instanceof HTMLElement ? owner(el) : undefined;
  if (!node?.state.composing) return;
  quiet = true;
  node.el.blur();
  node.el.focus();
  quiet = false;
}

/** The identity of a field across trees: its key, and the titles of its pages. */
export function place(node) {
  const titles = [];
  for (let up = node.up; up; up = up.up) if (up.k === "page") titles.push(up.p.title ?? "");
  return JSON.stringify([node.p.key, ...titles]);
}

/** The typed texts that would be lost with the tree. */
export function drafts(all) {
  const found = new Map();
  for (const node of all) {
    if (node.k === "field" && node.p.key && node.state.touched && element(node).value) found.set(place(node), element(node).value);
  }
  return found;
}

/** Restores typed texts in their fields, unless a field has another text. */
export function offer(found, all) {
  if (!found.size) return;
  for (const node of all) {
    const text = node.k === "field" ? found.get(place(node)) : undefined;
    if (!text) continue;
    found.delete(place(node));
    const stands = element(node).value;
    if (stands === text || !text.startsWith(stands) || node.p.d) continue;
    element(node).value = text;
    grow(element(node));
    report(node);
  }
}

function fieldOf(event) {
  const node = event.target instanceof HTMLElement ? owner(event.target) : undefined;
  return node?.k === "field" ? node : undefined;
}

/** The event for a key in a field; undefined where the browser handles it. A Return that ends a composition is none. */
function eventOf(node, event) {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || node.state.composing) return;
  const asked = (node.p.on ?? "").split(" ");
  const isBare = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
  if (!node.p.multi) return asked.includes("return") && isBare && isAttached(event) ? "return" : "submit";
  // A keyboard on the screen breaks the line.
  if (isBare && isAttached(event)) return ["return", "submit"].find(name => asked.includes(name));
}

/** True if the key is one of an attached keyboard. A keyboard on the screen covers a part of the page, or its keys have no place. */
const isAttached = ({ code }) => code !== "" && !document.documentElement.classList.contains("typing");

export function listen() {
  const on = (name, act) =>
    document.addEventListener(name, event => { const node = fieldOf(event); if (node) act(node, event); }, true);
  on("input", (node, event) => {
    grow(element(node));
    if (!event.isComposing && !node.state.composing) report(node);
  });
  on("compositionstart", node => { node.state.composing = true; });
  on("compositionend", node => {
    node.state.composing = false;
    if (element(node).value !== node.state.sent) report(node);
    applyDue();
  });
  on("keydown", (node, event) => {
    const name = eventOf(node, event);
    if (!name) return;
    event.preventDefault();
    // A held key sends once.
    if (event.repeat) return;
    // The box handles the event with all that was typed before it.
    if (element(node).value !== (node.state.sent ?? "") && element(node).value !== node.state.boxText) report(node);
    send(name, node.i);
  });
  on("focus", node => { if (!quiet) send("focus", node.i); });
  on("blur", node => { if (!quiet && node.el.isConnected) send("blur", node.i); });
}
