// What happens between nodes at the end of a frame: pages that slide, dialogs that rise, bars over scrolling content, lists.

import { attempt, attribute, describe, dialogs, isTapped, make, milliseconds, slot, spinner } from "./kinds.js";
import { changes, nodes, owner, tree } from "./nodes.js";
import { moveFocus } from "./fields.js";
import { say, word } from "./words.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

const curve = "cubic-bezier(0.32, 0.72, 0, 1)";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const still = () => tree.fresh || reduced.matches || performance.now() < tree.slid + 1000;
export const wants = (node, event) => (node.p.on ?? "").split(" ").includes(event);
const visible = node => node.c.filter(child => !dialogs.has(child.k));

/** Brings the document in order after the operations of a frame. */
export function finish() {
  const { parents, made, left, scrolls } = changes;
  for (const node of standing) if (nodes.get(node.i) !== node && !left.has(node)) standing.delete(node);
  const structural = parents.size + made.size + left.size > 0;
  const opened = [...made].filter(node => dialogs.has(node.k)).sort((a, b) => a.i - b.i);
  if (structural) {
    for (const node of made) attempt(() => prepare(node));
    for (const parent of parents) attempt(() => tidy(parent));
    for (const node of left) attempt(() => leave(node));
    attempt(markEdges);
  }
  for (const node of opened) attempt(() => open(node));
  const moved = moveFocus();
  for (const parent of parents) if (parent.k === "nav") attempt(() => arrange(parent, moved));
  attempt(keepPlaces);
  if (structural) requestAnimationFrame(() => { measureRows(); markBareLists(); });
  if (scrolls.size) { const targets = [...scrolls]; requestAnimationFrame(() => targets.forEach(scrollTo)); }
  stickSoon();
  for (const set of [parents, made, left, scrolls]) set.clear();
  tree.fresh = false;
}

// MARK: nodes that come and go

function prepare(node) {
  if ((node.k === "scroll" || node.k === "list") && wants(node, "refresh")) addPull(node);
  // A button inside a button cannot be reached with assistive technology: the outer one is then only a place to tap.
  if (isTapped(node)) {
    node.state.nested = Boolean(node.el.querySelector("button, a, input, textarea, [tabindex]"));
    if (node.state.nested) describe(node);
  }
  if (node.k === "scroll" && node.p.stick) {
    node.state.atEnd = true;
    // Not every browser keeps the place of who reads, and none does at the very top: see keepPlaces.
    node.el.style.overflowAnchor = "none";
    sizes.observe(node.el);
  }
  if (node.p.tr && changes.motion && !still()) appear(node, false);
  if (node.k === "row") rows.add(node);
}

function addPull(node) {
  node.part.pull = make("div", "pull", spinner());
  node.part.pull.setAttribute("aria-hidden", "true");
  node.el.prepend(say(make("button", "refresh unseen"), "refresh"), node.part.pull);
}

/** The two ends of a transition of SwiftUI's names. */
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

/** Takes an element out that has no node any more, after the animation that belongs to it. */
function leave(node) {
  const { el, up } = node;
  if (!el.isConnected) return;
  for (const inner of el.querySelectorAll("dialog[open]")) if (inner !== el) inner.close();
  if (dialogs.has(node.k)) return close(node);
  // The page on top goes with the navigation, which knows what it slides to.
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

/** What goes away is seen for a moment but can no longer be used. */
function retire(el) {
  el.inert = true;
  el.classList.add("leaving");
  attribute(el, "aria-hidden", "true");
}

/** Runs when an animation is over, or was cancelled, or never gets there because the page is hidden. */
function after(animation, work) {
  let done = false;
  const once = () => { if (!done) { done = true; work(); } };
  animation.finished.then(once, once);
  setTimeout(once, Number(animation.effect?.getComputedTiming().endTime ?? 0) + 100);
}

// MARK: navigation

/** Shows the last page. Which way it slides follows from who came and who went. */
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
  // Not hidden from assistive technology by itself: a dialog that stands in it is not covered.
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

/** The page that goes may have been pulled some way by the finger already. */
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

/** Shows a page part of the way out, and the page below as far in: 0 is in place, 1 is gone. */
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

/** The focus goes along: into the new page, and back to what had led there. */
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
/** Dialogs that are open, the topmost last. @type {Set<TreeNode>} */
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
    // Another size is for people who cannot drag, too.
    if (heights.length < 2) { part.grab.tabIndex = -1; attribute(part.grab, "aria-hidden", "true"); }
  }
  const field = k === "alert" ? el.querySelector("input, textarea") : null;
  (field ?? part.card).focus({ preventScroll: true });
  recede();
  if (tree.fresh) return;
  const time = { duration: k === "sheet" ? 400 : 250, easing: curve };
  part.dim.animate([{ opacity: 0 }, { opacity: 1 }], time);
  if (reduced.matches) part.card.animate([{ opacity: 0 }, { opacity: 1 }], 150);
  else if (k === "alert") part.card.animate([{ opacity: 0, scale: 1.15 }, { opacity: 1, scale: 1 }], time);
  else part.card.animate([{ translate: "0 100%" }, { translate: "0 0" }], time);
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
  const gone = () => { dialogOf(node).close(); el.remove(); recede(); };
  if (still()) return gone();
  retire(el);
  recede();
  const time = { duration: k === "alert" ? 180 : 300, easing: curve, fill: "forwards" };
  part.dim.animate([{ opacity: 0 }], time);
  after(part.card.animate([k === "alert" ? { opacity: 0 } : { translate: "0 100%" }], time), gone);
}

/** The heights of a sheet in px; the first is the one it starts with. */
export function detentsOf(node) {
  const full = node.el.clientHeight;
  const listed = Array.isArray(node.p.detents) && node.p.detents.length ? node.p.detents : ["large"];
  return listed.map(detent => {
    const share = detent === "large" ? 1 : detent === "medium" ? 0.5 : Math.min(1, Math.max(0.1, Number(detent) || 1));
    // The style sheet knows what must stay free above a full sheet.
    return share === 1 ? full - parseFloat(getComputedStyle(node.part.dim).paddingTop) : full * share;
  });
}

/** A sheet keeps its share of the screen when the screen changes, so the height is a fraction and not a length. */
export function setDetent(node, height) {
  const large = height > node.el.clientHeight * 0.9;
  node.state.large = large && !node.p.cover;
  node.part.card.style.height = node.p.cover || large ? "" : `${100 * height / node.el.clientHeight}%`;
  recede();
}

/** Under a sheet of full height the screen steps back. */
function recede() {
  document.documentElement.classList.toggle("receded", [...standing].some(node => node.state.large));
}

// MARK: edges, bars and scrolling

/** @type {Map<TreeNode, string>} */
let edges = new Map();
const scrolling = node => node.k === "list" || node.k === "scroll" && node.p.axis !== "h";

/** Finds what reaches the top or bottom of its screen: that runs under the bars and into the safe areas. */
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

/** The first scrolling view under the bar carries the large title. */
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

/** Follows scrolling: bars over content, and whether the end is in view. Reads nothing that a frame could have made stale. */
export function onScroll(event) {
  const node = event.target instanceof Element ? owner(event.target) : undefined;
  if (!node) return;
  if (node.p.stick) heed(node);
  if (finePointer.matches && (scrolling(node) || node.p.axis === "h")) indicate(node);
  const page = edges.has(node) ? owner((node.el.closest(".page")) ?? node.el) : undefined;
  if (page?.state.scroller === node) scrolledUnder(page);
}

const finePointer = matchMedia("(hover: hover) and (pointer: fine)");

/** Draws the indicator that a phone shows while it scrolls; a desk's own scroll bar would take room. */
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

const sizes = new ResizeObserver(() => stick());
let sticking = false;

/** However many texts grew, the ends are found once per picture. */
function stickSoon() {
  if (sticking) return;
  sticking = true;
  requestAnimationFrame(() => { sticking = false; stick(); });
}

const sticky = () => [...document.querySelectorAll(".scroll")].map(owner).filter(node => node?.p.stick);

/** Whoever scrolls up leaves the end, and is back there when it comes into sight. */
function heed({ el, state }) {
  const rest = el.scrollHeight - el.clientHeight - el.scrollTop;
  if (rest < 40) state.atEnd = true; else if (el.scrollTop < (state.lastTop ?? 0)) state.atEnd = false;
  state.lastTop = el.scrollTop;
}

function stick() {
  for (const node of sticky()) {
    // The event of a scroll that has just begun may come after this.
    heed(node);
    if (node.state.atEnd) node.el.scrollTop = node.el.scrollHeight;
  }
}

const topIn = (scroller, el) => el.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** To be called before the operations of a frame: finds the rows that are read further up in what sticks to its end. */
export function notePlaces() {
  for (const node of sticky()) {
    heed(node);
    node.state.read = node.state.atEnd ? [] : rowsInSight(node);
  }
}

/** All but the very first, which may be there only until older ones come. */
function rowsInSight({ el, c }) {
  while (c.length === 1) [{ c }] = c;
  return c.slice(1).map(row => ({ el: row.el, top: topIn(el, row.el) }))
    .filter(row => row.top < el.clientHeight && row.top + row.el.offsetHeight > 0);
}

/** Whoever reads further up goes on reading there, whatever came above. */
function keepPlaces() {
  for (const { el, state } of sticky()) {
    const row = state.read?.find(row => row.el.isConnected);
    const moved = row ? topIn(el, row.el) - row.top : 0;
    if (Math.abs(moved) > 1) el.scrollTop += moved;
    state.read = [];
  }
}

function scrollTo(node) {
  const target = nodes.get(node.p.to);
  if (!target) return;
  const last = target.up?.c.at(-1) === target;
  target.el.scrollIntoView({ block: last ? "end" : "nearest", inline: "nearest", behavior: reduced.matches ? "auto" : "smooth" });
}

/** Not in a covered page, and not in a hidden tab. */
export const seen = el => el.checkVisibility?.({ visibilityProperty: true }) ?? true;

/** The scrolling view that a tap on the clock brings back to its start. */
export function scrollToTop() {
  const shown = [...document.querySelectorAll(".scroll.et, .list.et")].filter(seen);
  shown.at(-1)?.scrollTo({ top: 0, behavior: reduced.matches ? "auto" : "smooth" });
}

// MARK: rows, tabs and bars

/** Rows whose separator has no place yet. @type {Set<TreeNode>} */
const rows = new Set();
const fillers = new Set(["button", "link", "toggle"]);

function tidy(parent) {
  if (parent.k === "row") { rows.add(parent); fillRow(parent); }
  if (parent.k === "list" || parent.k === "section") tidyList(parent);
  if (parent.k === "nav" && tree.fresh) arrange(parent, true);
  if (parent.k === "tabs") for (const tab of parent.c) if (tab.k === "tab") tab.el.inert = !tab.p.sel;
  if (parent.k === "tab" && parent.up) tidy(parent.up);
  if (parent.up?.k === "row") fillRow(parent.up);
  if (parent.k === "page" || parent.k === "items") describe(parent);
}

/** A button that is all of a row takes touches in all of it. */
function fillRow(row) {
  const inside = visible(row);
  const { k, p } = inside[0] ?? { k: "", p: {} };
  row.el.classList.toggle("fills", inside.length === 1 && fillers.has(k) && p.look !== "bordered" && p.look !== "prominent");
}

/** A list may contain nothing but items for a screen reader: only what is all rows is one. */
function tidyList(parent) {
  const own = parent.c.filter(child => slot(parent, child) === parent.body);
  const all = own.length > 0 && own.every(child => child.k === "row" && !wants(child, "tap"));
  attribute(parent.body, "role", all ? "list" : null);
  for (const row of own) if (row.k === "row") { row.state.item = all; describe(row); }
}

/** The focus leads into a list, where keys scroll it; one with nothing that takes the focus takes it itself. */
function markBareLists() {
  for (const el of document.querySelectorAll(".list")) {
    const node = owner(el);
    const bare = !el.querySelector('button, a, input, textarea, [tabindex="0"]');
    if (!node || bare === Boolean(node.state.bare)) continue;
    node.state.bare = bare;
    describe(node);
  }
}

/** A separator starts where the text of its row starts: all are read before any is written. */
function measureRows() {
  const found = [...rows].filter(row => row.el.isConnected).map(row => {
    const texts = [...row.el.querySelectorAll(".text, .field")];
    // The letters in a picture of fixed size, and in a badge, are not the text of the row.
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
