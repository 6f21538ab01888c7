// The work at the end of a frame: transitions of pages and dialogs, bars over scrolling content, lists.

import { heed, startAtEnd, stickSoon, sticky } from "./ends.js";
import { attempt, attribute, countColumns, describe, dialogs, isTapped, make, milliseconds, slot, spinner } from "./kinds.js";
import { changes, nodes, tree } from "./nodes.js";
import { moveFocus } from "./fields.js";
import { owner } from "./owners.js";
import { keepNotice } from "./pill.js";
import { notePlace } from "./places.js";
import { watchDistance } from "./sight.js";
import { translate, word } from "./words.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

const curve = "cubic-bezier(0.32, 0.72, 0, 1)";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const still = () => tree.fresh || reduced.matches || performance.now() < tree.slid + 1000;
export const wants = (node, event) => (node.p.on ?? "").split(" ").includes(event);
const visible = node => node.c.filter(child => !dialogs.has(child.k));

/** Completes the document after the operations of a frame. */
export function finish() {
  const { parents, made, left, scrolls } = changes;
  for (const node of standing) if (nodes.get(node.i) !== node && !left.has(node)) standing.delete(node);
  const structural = parents.size + made.size + left.size > 0;
  const opened = [...made].filter(node => dialogs.has(node.k)).sort((a, b) => a.i - b.i);
  if (structural) {
    for (const node of made) attempt(() => prepare(node));
    for (const parent of parents) attempt(() => tidy(parent));
    for (const node of left) attempt(() => leave(node));
    attempt(() => sizeGaps(made));
    attempt(markEdges);
  }
  for (const node of opened) attempt(() => open(node));
  // A sheet may have gone with the screen around it, and the notice with the sheet.
  if (structural) { recede(); keepNotice(); }
  const moved = moveFocus();
  for (const parent of parents) if (parent.k === "nav") attempt(() => arrange(parent, moved));
  attempt(keepPlaces);
  if (structural) requestAnimationFrame(() => { measureRows(); markBareLists(); });
  if (scrolls.size) scrollSoon([...scrolls]);
  stickSoon();
  for (const set of [parents, made, left, scrolls]) set.clear();
  tree.fresh = false;
}

// MARK: nodes that come and go

function prepare(node) {
  if ((node.k === "scroll" || node.k === "list") && wants(node, "refresh")) addPull(node);
  // Assistive technology cannot reach a button inside a button: the outer one is then only a tap target.
  if (isTapped(node)) {
    node.state.nested = Boolean(node.el.querySelector("button, a, input, textarea, [tabindex]"));
    if (node.state.nested) describe(node);
  }
  if (node.k === "scroll" && node.p.stick) startAtEnd(node);
  if (node.p.tr && changes.motion && !still()) appear(node, false);
  if (node.k === "row") rows.add(node);
}

function addPull(node) {
  node.part.pull = make("div", "pull", spinner());
  node.part.pull.setAttribute("aria-hidden", "true");
  node.el.prepend(translate(make("button", "refresh unseen"), "refresh"), node.part.pull);
}

/** Animates an insertion or removal by SwiftUI's names of transitions. */
function appear(node, out) {
  const hidden = { opacity: 0 };
  const shifts = {
    "move-top": "0 -100%", "move-bottom": "0 100%", "move-leading": "-100% 0", "move-trailing": "100% 0",
    slide: out ? "100% 0" : "-100% 0",
  };
  const names = String(node.p.tr).split(" ");
  for (const name of names) {
    if (name === "scale") hidden.scale = 0;
    if (shifts[name]) hidden.translate = shifts[name];
  }
  if (!names.includes("opacity")) delete hidden.opacity;
  const duration = milliseconds(changes.motion);
  const ease = changes.motion.replace(/^\S+\s*/, "");
  const easing = CSS.supports("transition-timing-function", ease) ? ease : "ease-in-out";
  const shown = Object.fromEntries(Object.keys(hidden).map(name => [name, name === "translate" ? "0 0" : 1]));
  return node.el.animate(out ? [shown, hidden] : [hidden, shown], { duration, easing, fill: out ? "forwards" : "none" });
}

/** Removes the element of a removed node, after its animation. */
function leave(node) {
  const { el, up } = node;
  if (!el.isConnected) return;
  for (const inner of el.querySelectorAll("dialog[open]")) if (inner !== el) inner.close();
  if (dialogs.has(node.k)) return close(node);
  // The navigation animates its topmost page.
  if (node.k === "page" && up?.k === "nav" && up.state.top === node && nodes.has(up.i) && !still()) {
    up.state.leaving = node;
    return;
  }
  if (!node.p.tr || !changes.motion || still()) return el.remove();
  retire(el);
  const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = el;
  Object.assign(el.style, { position: "absolute", margin: "0" });
  for (const [side, length] of Object.entries({ left, top, width, height })) el.style[side] = `${length}px`;
  after(appear(node, true), () => el.remove());
}

/** Makes a disappearing element inert. */
function retire(el) {
  el.inert = true;
  el.classList.add("leaving");
  attribute(el, "aria-hidden", "true");
}

/** Runs `work` after an animation, also a cancelled one, or at once on a hidden page. */
function after(animation, work) {
  let done = false;
  const once = () => { if (!done) { done = true; work(); } };
  animation.finished.then(once, once);
  setTimeout(once, Number(animation.effect?.getComputedTiming().endTime ?? 0) + 100);
}

// MARK: navigation

/** Shows the last page. Added and removed pages decide the direction of the transition. */
function arrange(nav, focused) {
  const pages = nav.c.filter(child => child.k === "page");
  const top = pages.at(-1);
  const old = nav.state.top;
  nav.state.top = top;
  pages.forEach((page, n) => cover(page, n < pages.length - 1));
  const { leaving } = nav.state;
  nav.state.leaving = null;
  if (!top || !old || old === top || still()) {
    if (leaving) leaving.el.remove();
    if (reduced.matches && old && top && old !== top && !tree.fresh) top.el.animate([{ opacity: 0 }, { opacity: 1 }], 150);
    if (top && old && top !== old) moveAttention(top, old, pages.includes(old), focused);
    return;
  }
  if (pages.includes(old)) push(top, old); else pop(top, old);
  moveAttention(top, old, pages.includes(old), focused);
}

function cover(page, covered) {
  // Inert rather than hidden: a dialog inside is not covered.
  page.el.inert = covered;
  page.el.classList.toggle("covered", covered);
}

const timing = { duration: 350, easing: curve };
const shade = "::after";

function push(top, below) {
  below.el.classList.add("peek");
  below.el.animate([{ translate: "0" }, { translate: "-30% 0" }], timing);
  below.el.animate([{ opacity: 0 }, { opacity: 1 }], { ...timing, pseudoElement: shade });
  after(top.el.animate([{ translate: "100% 0" }, { translate: "0" }], timing), () => below.el.classList.remove("peek"));
}

/** Animates a page out, from the position where a finger left it. */
function pop(top, gone) {
  const from = gone.state.pulled ?? 0;
  const left = { ...timing, duration: timing.duration * (1 - from) };
  release(gone);
  retire(gone.el);
  top.el.animate([{ translate: `${-30 * (1 - from)}% 0` }, { translate: "0" }], left);
  top.el.animate([{ opacity: 1 - from }, { opacity: 0 }], { ...left, pseudoElement: shade });
  const out = gone.el.animate([{ translate: `${100 * from}% 0` }, { translate: "100% 0" }], { ...left, fill: "forwards" });
  after(out, () => gone.el.remove());
}

/** Positions a page during a swipe: 0 is in place, 1 is gone. The page below follows. */
export function pull(page, below, part) {
  const { state } = page;
  const paused = { duration: 1000, fill: "both" };
  state.pulls ??= [
    page.el.animate([{ translate: "0" }, { translate: "100% 0" }], paused),
    below.el.animate([{ translate: "-30% 0" }, { translate: "0" }], paused),
    below.el.animate([{ opacity: 1 }, { opacity: 0 }], { ...paused, pseudoElement: shade }),
  ];
  below.el.classList.add("peek");
  page.el.classList.add("pulled");
  state.pulled = part;
  for (const animation of state.pulls) { animation.pause(); animation.currentTime = part * 1000; }
}

export function release(page, below = undefined) {
  page.state.pulls?.forEach(animation => animation.cancel());
  page.state.pulls = null;
  page.state.pulled = 0;
  page.el.classList.remove("pulled");
  below?.el.classList.remove("peek");
}

/** Moves the focus into a new page, and back to the origin of a removed one. */
function moveAttention(top, old, forward, focused) {
  const active = document.activeElement;
  if (forward && !old.state.attention) old.state.attention = active && old.el.contains(active) ? active : null;
  if (focused || active && active !== document.body && !old.el.contains(active)) return;
  const back = top.state.attention;
  top.state.attention = null;
  const target = !forward && back?.isConnected ? back : top.p.bar === 0 ? null : top.p.large ? top.part.heading : top.part.title;
  target?.focus({ preventScroll: true });
}

// MARK: dialogs

const dialogOf = node => node.el;
/** The open dialogs, the topmost last. @type {Set<TreeNode>} */
const standing = new Set();
export const stands = node => standing.has(node);
export const dialogsUp = () => [...standing];
export const topDialog = () => dialogsUp().at(-1);

function open(node) {
  const { el, part, p, k } = node;
  if (!el.isConnected) return;
  attribute(el, "aria-label", p.l ?? p.title ?? titleWithin(node) ?? word(k === "sheet" ? "sheet" : "choose"));
  standing.add(node);
  dialogOf(node).showModal();
  if (k === "sheet") {
    const heights = detentsOf(node);
    setDetent(node, heights[0]);
    // The button changes the size without dragging.
    if (heights.length < 2) { part.grab.tabIndex = -1; attribute(part.grab, "aria-hidden", "true"); }
  }
  const field = k === "alert" ? el.querySelector("input, textarea") : null;
  (field ?? part.card).focus({ preventScroll: true });
  recede();
  if (k === "menu") hang(node);
  if (tree.fresh) return;
  const time = { duration: k === "sheet" ? 400 : 250, easing: curve };
  part.dim.animate([{ opacity: 0 }, { opacity: 1 }], time);
  if (reduced.matches) part.card.animate([{ opacity: 0 }, { opacity: 1 }], 150);
  else if (k === "alert") part.card.animate([{ opacity: 0, scale: 1.15 }, { opacity: 1, scale: 1 }], time);
  else if (k === "menu") part.card.animate([{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: 1 }], time);
  else part.card.animate([{ translate: "0 100%" }, { translate: "0 0" }], time);
}

/** Places a menu below or above its button, on the side with more room. */
function hang({ el, part: { card }, up, ...node }) {
  const screen = el.getBoundingClientRect();
  const button = up?.c[up.c.findIndex(child => child.i === node.i) - 1]?.el.getBoundingClientRect() ?? screen;
  const style = getComputedStyle(el);
  const room = { above: button.top - screen.top - parseFloat(style.paddingTop) - 16,
    below: screen.bottom - button.bottom - parseFloat(style.paddingBottom) - 16 };
  const below = card.offsetHeight <= room.below || room.below >= room.above;
  const centre = (button.left + button.right) / 2 - screen.left;
  const left = Math.min(Math.max(8, centre - card.offsetWidth / 2), screen.width - card.offsetWidth - 8);
  Object.assign(card.style, {
    left: `${left}px`,
    top: below ? `${button.bottom - screen.top + 8}px` : "auto",
    bottom: below ? "auto" : `${screen.bottom - button.top + 8}px`,
    maxHeight: `${Math.max(88, below ? room.below : room.above)}px`,
    transformOrigin: `${centre - left}px ${below ? "0" : "100%"}`,
  });
}

function titleWithin(node) {
  let found;
  const look = inner => { found ??= inner.k === "page" ? inner.p.title : undefined; inner.c.forEach(look); };
  look(node);
  return found;
}

function close(node) {
  const { el, part, k } = node;
  standing.delete(node);
  const gone = () => { dialogOf(node).close(); el.remove(); recede(); keepNotice(); };
  if (still()) return gone();
  retire(el);
  recede();
  const time = { duration: k === "alert" || k === "menu" ? 180 : 300, easing: curve, fill: "forwards" };
  part.dim.animate([{ opacity: 0 }], time);
  after(part.card.animate([k === "alert" || k === "menu" ? { opacity: 0 } : { translate: "0 100%" }], time), gone);
}

/** The heights of a sheet in px, the initial one first. */
export function detentsOf(node) {
  const full = node.el.clientHeight;
  const listed = Array.isArray(node.p.detents) && node.p.detents.length ? node.p.detents : ["large"];
  return listed.map(detent => {
    const share = detent === "large" ? 1 : detent === "medium" ? 0.5 : Math.min(1, Math.max(0.1, Number(detent) || 1));
    // The style sheet defines the space above a full sheet.
    return share === 1 ? full - parseFloat(getComputedStyle(node.part.dim).paddingTop) : full * share;
  });
}

/** Sets the height of a sheet as a fraction, so that it follows a change of the screen. */
export function setDetent(node, height) {
  const large = height > node.el.clientHeight * 0.9;
  node.state.large = large && !node.p.cover;
  node.part.card.style.height = node.p.cover || large ? "" : `${100 * height / node.el.clientHeight}%`;
  recede();
}

/** Scales the screen down behind a full-height sheet. */
function recede() {
  document.documentElement.classList.toggle("receded", [...standing].some(node => node.state.large));
}

// MARK: edges, bars and scrolling

/** @type {Map<TreeNode, string>} */
let edges = new Map();
const scrolling = node => node.k === "list" || node.k === "scroll" && node.p.axis !== "h";

/** Marks the elements that reach the top or bottom of their screen: they extend under the bars and into the safe areas. */
function markEdges() {
  const before = edges;
  edges = new Map();
  if (tree.root) walk(tree.root, true, true, null);
  for (const node of [...standing, ...changes.made]) {
    if (dialogs.has(node.k)) for (const child of visible(node)) if (child.g & 2) walk(child, true, true, null);
  }
  for (const node of before.keys()) if (!edges.has(node)) node.el.classList.remove("et", "eb");
  for (const [node, place] of edges) {
    node.el.classList.toggle("et", place.includes("t"));
    node.el.classList.toggle("eb", place.includes("b"));
  }
}

function walk(node, top, bottom, page) {
  if (!top && !bottom) return;
  if (node.k === "page") return walkPage(node);
  edges.set(node, (top ? "t" : "") + (bottom ? "b" : ""));
  if (page && top && scrolling(node)) page.state.scroller ??= node;
  if (scrolling(node) || node.p.bleed) return;
  const inside = visible(node);
  const { paddingTop, paddingBottom } = node.el.style;
  if (node.k === "vstack") {
    if (inside.length) for (const child of new Set([inside[0], inside.at(-1)])) {
      if (child) walk(child, top && child === inside[0], bottom && child === inside.at(-1), page);
    }
  } else if (["root", "zstack", "layers", "frame", "hstack", "pad", "layer", "nav", "tabs", "tab"].includes(node.k)) {
    for (const child of inside) {
      if (child.k === "layer" || child.k === "page" || child.k === "tab" || child.g & 2 || node.k === "layers") {
        walk(child, top && !parseFloat(paddingTop), bottom && !parseFloat(paddingBottom), page);
      }
    }
  }
}

/** Moves the large title into the first scrolling view under the bar. */
function walkPage(page) {
  const { state, part, p } = page;
  const before = state.scroller;
  state.scroller = null;
  for (const child of visible(page)) if (child.k !== "items" && child.g & 2) walk(child, true, true, page);
  part.heading.hidden = !p.large || p.bar === 0;
  const home = state.scroller?.el ?? page.body;
  if (part.heading.parentNode !== home) {
    const pull = state.scroller?.part.pull;
    if (pull) pull.after(part.heading); else home.prepend(part.heading);
  }
  page.el.classList.toggle("toolbar", part.bottom.childElementCount > 0);
  part.principal.parentNode.classList.toggle("own", part.principal.childElementCount > 0);
  if (before !== state.scroller) scrolledUnder(page);
}

function scrolledUnder(page) {
  const at = page.state.scroller?.el.scrollTop ?? 0;
  page.el.classList.toggle("scrolled", at > (page.p.large && page.state.scroller ? 40 : 1));
}

/** Updates bars and the end of content after scrolling. Reads no layout that a frame could have invalidated. */
export function onScroll(event) {
  const node = event.target instanceof Element ? owner(event.target) : undefined;
  if (!node) return;
  if (node.p.stick) heed(node);
  if (node.p.at) notePlace(node);
  if (finePointer.matches && (scrolling(node) || node.p.axis === "h")) indicate(node);
  const page = edges.has(node) ? owner((node.el.closest(".page")) ?? node.el) : undefined;
  if (page?.state.scroller === node) scrolledUnder(page);
}

const finePointer = matchMedia("(hover: hover) and (pointer: fine)");

/** Shows a scroll indicator as a phone does; the scroll bar of a desktop browser would take room. */
function indicate({ el, p, part, state }) {
  if (p.bars === 0) return;
  const across = p.axis === "h";
  const seen = across ? el.clientWidth : el.clientHeight;
  const all = across ? el.scrollWidth : el.scrollHeight;
  const at = across ? el.scrollLeft : el.scrollTop;
  if (all <= seen + 1) return;
  const thumb = part.thumb ??= make("span", across ? "thumb across" : "thumb");
  const length = Math.max(36, seen * seen / all);
  const place = at + 3 + (seen - length - 6) * at / (all - seen);
  thumb.style.cssText = across ? `width: ${length}px; left: ${place}px` : `height: ${length}px; top: ${place}px`;
  if (!thumb.parentNode) el.append(thumb);
  clearTimeout(state.thumb);
  state.thumb = setTimeout(() => thumb.remove(), 900);
}

/** The vertical scrolling views with rows that are still to be created. */
const gapped = () => new Set([...document.querySelectorAll(".gap")].map(el => owner(el.closest(".list, .scroll.v, .scroll.both"))).filter(Boolean));

/** Gives new gaps the height that their rows will have, judged by the rows beside them. Rows with a height of their own move nothing later. */
function sizeGaps(made) {
  const heights = new Map();
  for (const gap of made) {
    if (gap.k !== "gap" || !gap.up) continue;
    if (!heights.has(gap.up)) heights.set(gap.up, rowHeight(gap.up));
    gap.el.style.height = `${Math.round(gap.p.rows * heights.get(gap.up))}px`;
    const scroller = gap.el.closest(".list, .scroll.v, .scroll.both");
    if (scroller) scroller.style.overflowAnchor = "none";
  }
}

/** The mean height of the rows of a parent, with the space between them. */
function rowHeight(parent) {
  if (parent.state.rowHeight) return parent.state.rowHeight;
  const boxes = parent.c.filter(child => child.k !== "gap" && !dialogs.has(child.k)).map(child => child.el.offsetHeight).filter(Boolean);
  // Hidden rows have no height.
  if (!boxes.length) return 44;
  const space = parseFloat(getComputedStyle(parent.body).rowGap) || 0;
  return parent.state.rowHeight = boxes.reduce((sum, height) => sum + height, 0) / boxes.length + space;
}

const topIn = (scroller, el) => el.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** The scrolling views whose visible rows are noted. */
let noted = new Set();

/** Notes the visible rows of content that sticks to its end, and of lists with gaps. Call before the operations of a frame. */
export function notePlaces() {
  noted = new Set([...sticky(), ...gapped()]);
  for (const node of noted) {
    if (node.p.stick) heed(node);
    const isFree = node.p.stick ? node.state.atEnd : node.el.scrollTop <= 0;
    node.state.read = isFree ? [] : node.p.stick ? rowsInSight(node) : rowsBeside(node);
  }
}

/** The visible rows except the first, which older rows may replace. */
function rowsInSight({ el, c }) {
  while (c.length === 1) [{ c }] = c;
  return c.slice(1).map(row => ({ el: row.el, top: topIn(el, row.el) }))
    .filter(row => row.top < el.clientHeight && row.top + row.el.offsetHeight > 0);
}

/** The visible rows beside gaps. */
function rowsBeside({ el }) {
  const parents = new Set([...el.querySelectorAll(".gap")].map(gap => owner(gap)?.up).filter(Boolean));
  return [...parents].flatMap(({ c }) => c).filter(row => row.k !== "gap").map(row => ({ el: row.el, top: topIn(el, row.el) }))
    .filter(row => row.top < el.clientHeight && row.top + row.el.offsetHeight > 0);
}

/** Keeps the visible rows in place when rows were inserted above. */
function keepPlaces() {
  for (const { el, state, p } of noted) {
    const row = state.read?.find(row => row.el.isConnected);
    const moved = row ? topIn(el, row.el) - row.top : 0;
    if (Math.abs(moved) > 1) el.scrollTop += moved;
    state.read = [];
    if (!p.stick && !el.querySelector(".gap")) el.style.overflowAnchor = "";
  }
}

// MARK: scroll positions

/** Scrolls to the present targets in the next animation frame. A change that arrives before that frame may clear `to`. */
function scrollSoon(scrollers) {
  const wanted = scrollers.map(node => [node, nodes.get(node.p.to), node.p.align]).filter(([, target]) => target);
  requestAnimationFrame(() => wanted.forEach(([node, target, edge]) => scrollTo(node, target, edge)));
}

function scrollTo(node, target, edge) {
  const last = target.up?.c.at(-1) === target;
  // The report of what the app has set would be news to nobody.
  if (node.p.at) node.state.noted = target.i;
  const staysAtEnd = last && node.p.stick;
  if (staysAtEnd) node.state.atEnd = true;
  // The end is jumped to: on a longer way there rows that follow would move it, and the way would end short of it.
  const behavior = staysAtEnd || reduced.matches ? "auto" : "smooth";
  target.el.scrollIntoView({ block: edge ?? (last ? "end" : "nearest"), inline: "nearest", behavior });
}

/** True if an element is outside covered pages and hidden tabs. */
export const seen = el => el.checkVisibility?.({ visibilityProperty: true }) ?? true;

/** Scrolls the visible content to its start, after a tap on the status bar. */
export function scrollToTop() {
  const shown = [...document.querySelectorAll(".scroll.et, .list.et")].filter(seen);
  shown.at(-1)?.scrollTo({ top: 0, behavior: reduced.matches ? "auto" : "smooth" });
}

// MARK: rows, tabs and bars

/** Rows whose separator is not positioned yet. @type {Set<TreeNode>} */
const rows = new Set();
const fillers = new Set(["button", "link", "toggle"]);

function tidy(parent) {
  if (parent.k === "row") { rows.add(parent); fillRow(parent); }
  if (parent.k === "list" || parent.k === "section") tidyList(parent);
  if (parent.k === "grid") watchDistance(parent);
  for (const grid of [parent, parent.up]) if (grid?.k === "cells") countColumns(grid);
  if (parent.k === "nav" && tree.fresh) arrange(parent, true);
  if (parent.k === "tabs") for (const tab of parent.c) if (tab.k === "tab") tab.el.inert = !tab.p.sel;
  if (parent.k === "tab" && parent.up) tidy(parent.up);
  if (parent.up?.k === "row") fillRow(parent.up);
  if (parent.k === "page" || parent.k === "items") describe(parent);
}

/** Extends a button that is the whole content of a row over the row. */
function fillRow(row) {
  const inside = visible(row);
  const { k, p } = inside[0] ?? { k: "", p: {} };
  row.el.classList.toggle("fills", inside.length === 1 && fillers.has(k) && p.look !== "bordered" && p.look !== "prominent");
}

/** Sets the role `list` where all children are rows, as the role requires. */
function tidyList(parent) {
  const own = parent.c.filter(child => child.k !== "gap" && slot(parent, child) === parent.body);
  const all = own.length > 0 && own.every(child => child.k === "row" && !wants(child, "tap"));
  attribute(parent.body, "role", all ? "list" : null);
  for (const row of own) if (row.k === "row") { row.state.item = all; describe(row); }
}

/** Makes lists without a focusable element focusable, so that keys scroll them. */
function markBareLists() {
  for (const el of document.querySelectorAll(".list")) {
    const node = owner(el);
    const bare = !el.querySelector('button, a, input, textarea, [tabindex="0"]');
    if (!node || bare === Boolean(node.state.bare)) continue;
    node.state.bare = bare;
    describe(node);
  }
}

/** Aligns each separator with the text of its row. All positions are read before any is written. */
function measureRows() {
  const found = [...rows].filter(row => row.el.isConnected).map(row => {
    const texts = [...row.el.querySelectorAll(".text, .field")];
    // Letters in a picture of fixed size or in a badge are not the text of the row.
    const inPicture = el => { const box = el.closest(".frame:not(.gw), .layers"); return box !== null && row.el.contains(box); };
    const plain = texts.filter(el => !inPicture(el));
    const starts = (plain.length ? plain : texts.slice(0, 1)).map(el => el.getBoundingClientRect().left);
    return { row, start: starts.length ? Math.min(...starts) - row.el.getBoundingClientRect().left : 0 };
  });
  rows.clear();
  for (const { row, start } of found) {
    const line = row.part.line ??= row.el.appendChild(make("span", "line"));
    line.style.insetInlineStart = start > 16 && start < 120 ? `${start}px` : "";
  }
}
