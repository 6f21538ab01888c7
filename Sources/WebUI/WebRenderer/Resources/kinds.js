// The document elements of each kind of node, and the effect of each prop.

import { allowed } from "./capabilities.js";
import { setFocus, setValue } from "./fields.js";
import { watchPinch } from "./pinch.js";
import { watch } from "./sight.js";
import { translate, word } from "./words.js";

/**
 * @typedef {Object} TreeNode
 * @property {number} i @property {string} k @property {number} g @property {Record<string, any>} p
 * @property {TreeNode[]} c @property {TreeNode | null} up
 * @property {HTMLElement} el the outer element @property {HTMLElement} body the parent of children
 * @property {Record<string, any>} part further elements, by name
 * @property {any} state of gestures, fields and the stage
 */

const base = document.body.dataset.static;
/** True if the keyboard has a Command key. Elsewhere Control takes its place. */
const onApple = /^(Mac|iP)/.test(navigator.platform);
export const dialogs = new Set(["sheet", "alert", "confirm", "menu"]);
const tags = { text: "span", run: "span", symbol: "span", picture: "img", label: "span", button: "button", link: "a" };
const known = new Set((
  "text run symbol picture vstack hstack zstack grid cells cellrow spacer divider pad frame layers layer shape path button link field toggle label " +
  "progress scroll list section header footer row nav page items tabs tab tabbar tabitem sheet alert confirm menu message picker gap root"
).split(" "));

/** @returns {HTMLElement} */
export function make(tag, name = "", ...inside) {
  const el = document.createElement(tag);
  el.className = name;
  el.append(...inside);
  if (tag === "button") el.setAttribute("type", "button");
  return el;
}

function drawing(tag, attributes = {}, ...inside) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
  el.append(...inside);
  return el;
}

/** The view box of a stretched path. */
const hundred = "0 0 100 100";

/** An activity indicator. */
export function spinner() {
  const spoke = (_, n) => drawing("rect", {
    x: 10.8, y: 1.5, width: 2.4, height: 6, rx: 1.2, transform: `rotate(${n * 45} 12 12)`, opacity: 0.25 + 0.75 * n / 8 });
  return make("span", "spinner", drawing("svg", { viewBox: "0 0 24 24" }, ...Array.from({ length: 8 }, spoke)));
}

/** @type {Record<string, (node: TreeNode, p: any) => HTMLElement>} */
const builders = {
  symbol(node) {
    node.part.use = drawing("use");
    return make("span", "", drawing("svg", { "aria-hidden": "true" }, node.part.use));
  },
  path(node) {
    node.part.path = drawing("path", { "vector-effect": "non-scaling-stroke" });
    const box = { viewBox: hundred, preserveAspectRatio: "none", "aria-hidden": "true" };
    node.part.svg = drawing("svg", box, node.part.path);
    return make("div", "", node.part.svg);
  },
  field: (_, p) => {
    const el = make(p.multi ? "textarea" : "input");
    if (p.multi) el.setAttribute("rows", "1");
    // Pasted text fits into a message to the box of 256 KiB.
    el.setAttribute("maxlength", "80000");
    el.setAttribute("autocomplete", "off");
    return el;
  },
  toggle(node) {
    node.body = make("span", "lead");
    return make("button", "", node.body, make("span", "switch"));
  },
  progress(node) {
    node.body = make("div", "lead");
    node.part.meter = make("div", "meter", spinner());
    return make("div", "", node.part.meter, node.body);
  },
  list(node) {
    node.body = make("div", "items");
    return make("div", "", node.body);
  },
  section(node) {
    Object.assign(node.part, { header: make("div", "top"), footer: make("div", "end") });
    node.body = make("div", "group");
    return make("div", "", node.part.header, node.body, node.part.footer);
  },
  tabitem(node) {
    node.part.badge = make("span", "badge");
    node.body = make("span", "lead");
    return make("button", "", node.body, node.part.badge);
  },
  page(node) {
    const part = node.part;
    for (const name of ["leading", "principal", "trailing", "bottom", "keyboard"]) part[name] = make("div", "slot " + name);
    part.back = make("button", "back", make("span"));
    part.title = make("h1", "title");
    part.heading = make("h1", "large");
    for (const heading of [part.title, part.heading]) heading.tabIndex = -1;
    part.bar = make("div", "bar", make("div", "side", part.back, part.leading), make("div", "middle", part.title, part.principal),
      make("div", "side far", part.trailing));
    node.body = make("div", "body");
    return make("div", "", part.bar, node.body, part.bottom, part.keyboard);
  },
  sheet(node) {
    node.part.grab = translate(make("button", "handle"), "resize");
    node.body = make("div", "body");
    return dialog(node, make("div", "card", node.body, node.part.grab));
  },
  alert(node) {
    const part = node.part;
    part.title = make("h2");
    for (const name of ["texts", "fields", "buttons"]) part[name] = make("div", name);
    node.body = part.texts;
    return dialog(node, make("div", "card", make("div", "words", part.title, part.texts, part.fields), part.buttons));
  },
  confirm(node) {
    const part = node.part;
    part.title = make("h2");
    for (const name of ["texts", "buttons"]) part[name] = make("div", name);
    part.cancel = make("div", "buttons apart");
    node.body = part.texts;
    const words = make("div", "words", part.title, part.texts);
    return dialog(node, make("div", "card", make("div", "block", words, part.buttons), part.cancel));
  },
  menu(node) {
    node.body = make("div", "actions");
    return dialog(node, make("div", "card", node.body));
  },
};

/** Adds a status bar and a home indicator to a dialog, which covers those of the screen. */
function dialog(node, card) {
  node.part.card = card;
  node.part.dim = make("div", "dim");
  card.tabIndex = -1;
  const own = [...document.querySelectorAll("main > .status, main > .home")].map(el => el.cloneNode(true));
  return make("dialog", "", node.part.dim, card, ...own);
}

/** Creates the elements of a node without props. */
export function build(node, props) {
  if (!known.has(node.k)) console.warn("unknown kind", node.k);
  const kind = node.k;
  node.el = Object.hasOwn(builders, kind) ? builders[kind](node, props) : make(Object.hasOwn(tags, kind) ? tags[kind] : "div");
  node.body ??= node.el;
  if (known.has(kind)) node.el.classList.add(kind);
  node.el.dataset.i = String(node.i);
}

/** The parent's element for a child. */
export function slot(parent, child) {
  const { part, body } = parent;
  const { k, p } = child;
  if (parent.k === "page" && k === "items") return part[p.slot] instanceof HTMLElement ? part[p.slot] : part.trailing;
  if (parent.k === "section" && (k === "header" || k === "footer")) return part[k];
  if (parent.k === "alert" && (k === "button" || k === "field")) return part[k + "s"];
  if (parent.k === "confirm" && k === "button") return p.cancel ? part.cancel : part.buttons;
  return body;
}

export function attribute(el, name, value) {
  if (value === null || value === undefined || value === "") el.removeAttribute(name);
  else el.setAttribute(name, String(value));
}

/** Props that set a class. */
const flags = {
  danger: "danger", chev: "chev", grab: "grab", cover: "cover", cancel: "cancel", bleed: "bleed", large: "largest",
  noback: "noback", sel: "sel", select: "select", spoken: "spoken", clear: "clear", busy: "busy", lines: "lines", targets: "targets",
};
/** Props that set a class when they are 0. */
const offs = { sep: "nosep", bars: "nobars", bar: "nobar", tabbar: "notabbar", hit: "nohit" };
/** Props of a field that set an attribute. */
const attributes = { ph: "placeholder", type: "type", mode: "inputmode", caps: "autocapitalize", enter: "enterkeyhint" };

/** @type {Record<string, (node: TreeNode, value: any, old: any) => void>} */
const setters = {
  t(node, value) {
    const text = node.part.text ??= document.createTextNode("");
    text.data = String(value ?? "");
    markLanguage(node);
    if (text.parentNode !== node.body) node.body.prepend(text);
  },
  n: (node, name) => attribute(node.part.use, "href", name && `${base}/symbols.svg#${name}`),
  src(node, value) {
    const url = value ? allowed(value) : null;
    // A picture of another server would tell it of the visitor.
    attribute(node.el, "src", url?.origin === location.origin ? url.href : null);
    node.el.setAttribute("alt", "");
  },
  d2: (node, data) => attribute(node.part.path, "d", data),
  pt: (node, on) => attribute(node.part.svg, "viewBox", on ? null : hundred),
  autofill: (node, value) => attribute(node.el, "autocomplete", value ?? "off"),
  fix(node, value) {
    attribute(node.el, "autocorrect", value === 0 ? "off" : null);
    attribute(node.el, "spellcheck", value === 0 ? "false" : null);
  },
  look: (node, value, old) => swapClass(node, value, old),
  big: (node, value, old) => swapClass(node, value, old),
  axis: (node, value, old) => swapClass(node, value, old),
  href(node, value) {
    const url = value ? allowed(value) : null;
    attribute(node.el, "href", node.p.d ? null : url?.href);
    attribute(node.el, "target", url && url.protocol.startsWith("http") && url.origin !== location.origin ? "_blank" : null);
    attribute(node.el, "rel", node.el.getAttribute("target") && "noopener noreferrer");
  },
  val: node => setValue(node),
  focus: node => setFocus(node),
  id: (node, value) => attribute(node.el, "data-id", value),
  reach: (node, value) => attribute(node.el, "data-reach", value),
  keys: (node, keys) => attribute(node.el, "aria-keyshortcuts", onApple ? keys : keys?.replace("Meta+", "Control+")),
  scheme: (node, value) => attribute(node.el, "data-scheme", value),
  on(node, value, old) {
    const appear = /\bappear ?/;
    // After the element is inserted.
    if (appear.test(value ?? "") !== appear.test(old ?? "")) queueMicrotask(() => watch(node));
    watchPinch(node);
    const escapes = /\bescape ?/;
    node.el.classList.toggle("escapes", escapes.test(value ?? ""));
    // Visibility and escape handlers let touches through.
    attribute(node.el, "data-on", value?.replace(appear, "").replace(escapes, ""));
  },
  badge: (node, value) => { node.part.badge.textContent = value ?? ""; },
  back(node, value) {
    translate(node.part.back, "back");
    fitBack(node);
    requestAnimationFrame(() => fitBack(node));
    node.el.classList.toggle("returns", value !== undefined && value !== null);
  },
  title(node, value) {
    if (!node.part.title) return;
    node.part.title.textContent = value ?? "";
    // A sheet is named by the title of its page.
    if (value && node.k === "page") node.el.closest("dialog")?.setAttribute("aria-label", value);
    if (node.part.heading) node.part.heading.textContent = value ?? "";
    if (node.k === "page") setters.back(node, node.p.back, null);
  },
  fraction(node, value) {
    node.el.classList.toggle("known", value !== undefined && value !== null);
    node.part.meter.style.setProperty("--fraction", String(Number(value) || 0));
  },
};

/** Shortens the back button to its chevron and word where the title needs the room. */
export function fitBack(node) {
  const label = node.part.back.firstChild;
  delete label.dataset.word;
  label.textContent = node.p.back ?? "";
  if (!node.p.back || label.scrollWidth > label.clientWidth) translate(label, "back");
}

/** Props that affect the accessibility attributes. */
const spoken = new Set("on d l hint v r lv sel h t title ph fraction bar large href exp".split(" "));

function swapClass(node, value, old) {
  if (old) node.el.classList.remove(old);
  if (value) node.el.classList.add(value);
}

/** Applies new values of props, null for removed ones. `motion` is the CSS of a transition. */
export function patch(node, props, motion = "") {
  let speak = node.p === undefined;
  let styled = false;
  for (const [name, value] of Object.entries(props)) {
    const old = node.p[name];
    if (value === null) delete node.p[name]; else node.p[name] = value;
    if (old === value && name !== "val" && name !== "focus") continue;
    speak ||= spoken.has(name);
    styled ||= name === "s" || name === "lines" || name === "min" || name === "max";
    if (Object.hasOwn(flags, name)) node.el.classList.toggle(flags[name], Boolean(value));
    if (Object.hasOwn(offs, name)) node.el.classList.toggle(offs[name], value === 0);
    if (node.k === "field" && Object.hasOwn(attributes, name)) attribute(node.el, attributes[name], value);
    if (Object.hasOwn(setters, name)) attempt(() => setters[name](node, value, old));
  }
  if (styled) style(node, motion);
  if (speak) describe(node);
}

/** Marks Korean, Japanese and Chinese text, for line breaks, letters and speech in a page of another language. */
function markLanguage(node, added) {
  const text = added ?? node.p.t ?? "";
  const { el } = node;
  if (/[가-힣]/.test(text)) el.lang = "ko";
  else if (/[ぁ-ヿ]/.test(text)) { if (added === undefined || el.lang !== "ko") el.lang = "ja"; }
  else if (/[一-鿿]/.test(text)) { if (added === undefined || !el.lang) el.lang = chinese(); }
  else if (added === undefined && el.lang) el.removeAttribute("lang");
}

/** The Chinese of the page or the browser: the letters of its two scripts look different. */
function chinese() { return [document.documentElement.lang, ...navigator.languages].find(name => /^zh\b/i.test(name)) ?? "zh"; }

/** Appends to the text without replacing it, which keeps streaming cheap. */
export function append(node, suffix) {
  node.p.t = (node.p.t ?? "") + suffix;
  if (node.part.text) { node.part.text.appendData(suffix); markLanguage(node, suffix); } else setters.t(node, node.p.t, null);
}

function style(node, motion) {
  const { style } = node.el;
  style.cssText = node.p.s ?? "";
  for (const name of ["lines", "min", "max"]) if (node.p[name]) style.setProperty("--" + name, String(node.p[name]));
  setColumns(node);
  if (!motion) return;
  style.transition = "all " + motion;
  clearTimeout(node.state.still);
  node.state.still = setTimeout(() => { style.transition = ""; }, milliseconds(motion) + 50);
}

/** Gives a grid as many columns as its longest row has cells. */
export function countColumns(grid) {
  grid.state.columns = grid.c.reduce((most, row) => Math.max(most, row.k === "cellrow" ? row.c.length : 1), 1);
  setColumns(grid);
}

/** Sets the number of columns, which the style declarations of the box do not contain. */
function setColumns({ el, state }) {
  if (state.columns) el.style.setProperty("--columns", String(state.columns));
}

/** The duration of a motion, such as `300ms ease-in-out` or `0.3s linear`. */
export const milliseconds = motion => (parseFloat(motion) || 0) * (/^[\d.]+ms/.test(motion) ? 1 : 1000);

const roles = { header: "heading", button: "button", image: "img", link: "link", group: "group" };
const ownRoles = { toggle: "switch", tabbar: "tablist", tabitem: "tab", progress: "progressbar", alert: "alertdialog", picker: "group" };
const native = new Set(["button", "link", "toggle", "tabitem", "field"]);

/** True if the node handles taps or double taps. */
export const isTapped = node => /\b(tap|double)\b/.test(node.p.on ?? "");

/** Sets the accessibility attributes of a node from its props. */
export function describe(node) {
  const { el, k, p } = node;
  const wants = isTapped(node);
  let role = ownRoles[(k)] ?? (native.has(k) ? null : roles[(p.r)] ?? null);
  if (wants && !native.has(k)) role = node.state.nested ? null : "button";
  // Without an address the browser does not know it as a link.
  const isBare = k === "link" && !p.href && !p.d;
  if (isBare && wants) role = "link";
  // A name is only valid with a role.
  if (!role && p.l && !native.has(k) && !dialogs.has(k)) role = node.c.length ? "group" : "img";
  if (k === "row" && !wants) role = node.state.item ? "listitem" : role === "img" ? "group" : role;
  attribute(el, "role", role);
  attribute(el, "aria-level", role === "heading" ? p.lv ?? 2 : null);
  // Scrolling elements can be scrolled with keys.
  const isReached = native.has(k) || wants && !p.d || k === "scroll" || node.state.bare;
  // The Tab key reaches what assistive technology reaches.
  attribute(el, "tabindex", !isReached ? null : isHidden(node) ? -1 : native.has(k) && !(isBare && wants) ? null : 0);
  if (!dialogs.has(k)) attribute(el, "aria-label", name(node, role));
  attribute(el, "aria-description", [p.l ? null : role === "progressbar" ? null : p.v, p.hint].filter(Boolean).join(". "));
  attribute(el, "aria-expanded", p.exp === undefined ? null : Boolean(p.exp));
  attribute(el, "aria-hidden", p.h || k === "symbol" && !p.l ? "true" : null);
  attribute(el, "aria-checked", k === "toggle" ? Boolean(p.sel) : null);
  attribute(el, "aria-selected", k === "tabitem" ? Boolean(p.sel) : null);
  attribute(el, "aria-pressed", k === "button" && p.sel ? "true" : null);
  attribute(el, "aria-current", p.sel && !["toggle", "tabitem", "button", "tab"].includes(k) ? "true" : null);
  if (k === "button" || k === "toggle" || k === "tabitem" || k === "field") el.disabled = Boolean(p.d);
  else attribute(el, "aria-disabled", p.d && (role || k === "link") ? "true" : null);
  if (k === "link") setters.href(node, p.href, null);
  if (k === "progress") describeProgress(node);
  // Only one of the two title elements is a heading at a time; the style sheet shows it.
  if (k === "page") attribute(node.part.title, "aria-hidden", p.large && p.bar !== 0 ? "true" : null);
}

const isHidden = node => Boolean(node && (node.p.h || isHidden(node.up)));

function name(node, role) {
  const { k, p } = node;
  if (k === "field") return p.h ? null : p.l || p.ph || word("text");
  if (k === "progress") return p.l ?? (node.c.length ? null : word("progress"));
  if (!p.l || k === "sheet") return null;
  return p.v && role !== "switch" ? `${p.l}, ${p.v}` : p.l;
}

function describeProgress({ el, p, i, body, c }) {
  body.id = `label${i}`;
  attribute(el, "aria-labelledby", !p.l && c.length ? body.id : null);
  attribute(el, "aria-valuetext", p.v);
  attribute(el, "aria-valuenow", p.fraction === undefined ? null : Math.round(p.fraction * 100));
}

/** Runs `work`. An error in one node must not affect the others. */
export function attempt(work) {
  try { work(); } catch (error) { console.warn("not shown", error); }
}
