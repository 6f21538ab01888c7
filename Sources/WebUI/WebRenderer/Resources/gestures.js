// Touch, mouse and keyboard input: taps, drags, the swipe back, sheets that follow the finger, pull to refresh.

import { wake } from "./audio.js";
import { perform } from "./capabilities.js";
import { isUnacknowledged, send } from "./connection.js";
import { finishComposition } from "./fields.js";
import { dismiss, hasSwiped, leaveTop } from "./history.js";
import { dialogs, isTapped } from "./kinds.js";
import { currentOverlay } from "./overlay.js";
import { within } from "./owners.js";
import { detentsOf, pull, release, scrollToTop, seen, setDetent, stands, topDialog, wants } from "./stage.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */
/** @typedef {{x: number, y: number, t: number}} Point */
/**
 * A gesture along an axis. `first` decides whether it claims a movement.
 * @typedef {Object} Follower
 * @property {"x" | "y"} axis @property {(dx: number, dy: number) => boolean} first
 * @property {(d: number) => void} move @property {(d: number, v: number) => void} end
 */

const controls = new Set(["button", "link", "toggle", "field", "tabitem"]);
/** True if a long press or a drag has consumed the touch, so that no tap follows. */
let spent = false;

/**
 * The nearest node that handles an event, up to the enclosing dialog or control. On a control only those long presses count that run beside its
 * press, or before it.
 */
function taker(target, event) {
  let inControl = false;
  for (let node = within(target); node; node = node.up ?? undefined) {
    inControl ||= controls.has(node.k);
    if (wants(node, event) && !(event === "long" && inControl && !node.p.long)) return node.p.d ? undefined : node;
    if (dialogs.has(node.k) || inControl && event !== "long" && event !== "drag") return undefined;
  }
}

/** @type {Map<string, TreeNode[]>} */
const flipped = new Map();

function click(event) {
  wake();
  const target = event.target;
  if (event.detail) pointed = document.activeElement;
  // A click with detail 0 comes from the keyboard.
  if (spent && event.detail) { event.preventDefault(); return; }
  if (target.closest(".status")) return scrollToTop();
  if (target.closest("button.back")) return goBack(target);
  const node = within(target);
  if (target.closest("button.handle") && node) return nextDetent(node);
  if (target.closest("button.refresh") && node) return refresh(node);
  if (node && dialogs.has(node.k) && (target === node.part.dim || target === node.el)) return dismiss(node, false);
  tapOnce(taker(target, "tap"), taker(target, "double"), event.detail);
}

/** The first tap of a possible double tap: its node, its time, and the timer of the single tap. */
const first = { node: undefined, at: 0, timer: 0 };
const pause = 300;

/** Sends a tap at once, except on a node that handles double taps: there it waits for the second one. */
function tapOnce(node, double, fingers) {
  clearTimeout(first.timer);
  if (!double) return tap(node);
  if (!fingers) { if (node) tap(node); else tapTwice(double); return; }
  const now = performance.now();
  if (first.node === double && now - first.at < pause) {
    first.node = undefined;
    return tapTwice(double);
  }
  Object.assign(first, { node: double, at: now, timer: node ? setTimeout(tap, pause, node) : 0 });
}

function tapTwice(node) {
  finishComposition();
  send("double", node.i);
}

function tap(node) {
  if (!node) return;
  finishComposition();
  perform(node.p.do);
  // The box shows the first page of the stack, if there are others above it.
  if (node.k === "tabitem" && node.p.sel && !node.el.closest(".tabs").querySelector(".tab.sel .page.covered")) scrollToTop();
  const sequence = send("tap", node.i);
  if (sequence && node.k === "toggle") flip(node, sequence);
}

/** Toggles a switch at once. The value of the box applies when the tap is acknowledged. */
function flip(node, sequence) {
  flipped.set(String(sequence), [node]);
  node.el.setAttribute("aria-checked", String(node.el.getAttribute("aria-checked") !== "true"));
}

/** Applies the values of the box to switches with an acknowledged tap. */
export function releaseSwitches(through) {
  for (const { s } of through) {
    for (const node of flipped.get(String(s)) ?? []) node.el.setAttribute("aria-checked", String(Boolean(node.p.sel)));
    flipped.delete(String(s));
  }
}

function goBack(target) {
  const page = within(target.closest(".page"));
  if (page) send("back", page.i);
}

/** The element that got the focus from a finger or a mouse, which on a phone it would not have. */
let pointed = null;

function keydown(event) {
  wake();
  // Safari reports the key that ends a composition after its end, with the code of keys for an input method.
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || currentOverlay()) return;
  const target = event.target;
  const node = within(target);
  if (event.key === "Tab") pointed = null;
  const shortcut = isTaken(event) ? undefined : withKeys(event);
  if (shortcut) {
    event.preventDefault();
    if (!event.repeat || /^(Arrow|Backspace)/.test(event.key)) tapWithKeys(shortcut);
  } else if (event.key === "Escape") {
    const top = topDialog();
    if (!top) return;
    event.preventDefault();
    dismiss(top, true);
  } else if (node?.el === target && (!controls.has(node.k) || node.k === "link" && !node.p.href) && isTapped(node) && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    tapOnce(taker(target, "tap"), taker(target, "double"), 0);
  } else if (isLetter(event)) {
    typeInto(onlyField());
  } else if (node?.k === "tabitem" && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const next = event.key === "ArrowRight" ? target.nextElementSibling : target.previousElementSibling;
    if (next instanceof HTMLElement) next.focus();
  }
}

/** Gives the focus ring the corners of the visible shape: of the row, or of the content of a control. */
function shapeRing({ target }) {
  const { style } = target;
  if (!target.matches(":focus-visible") || getComputedStyle(target).borderRadius !== "0px") return;
  style.borderRadius = cornersOfRow(target) ?? cornersOfFilling(target) ?? "6px";
  target.addEventListener("blur", () => { style.borderRadius = ""; }, { once: true });
}

function cornersOfRow(el) {
  const row = el.closest(".inset .row.fills, .inset .row[tabindex]");
  if (!row) return null;
  // The corner of the group, less the inset of the ring.
  const [top, bottom] = [row.previousElementSibling, row.nextElementSibling].map(next => next?.matches(".row") ? "3px" : "7px");
  return `${top} ${top} ${bottom} ${bottom}`;
}

function cornersOfFilling(el) {
  const outer = el.getBoundingClientRect();
  const fills = inner => {
    const { left, top, width, height } = inner.getBoundingClientRect();
    return [left - outer.left, top - outer.top, width - outer.width, height - outer.height].every(part => Math.abs(part) < 2);
  };
  return [...el.querySelectorAll("*")].filter(fills).map(inner => getComputedStyle(inner).borderRadius).find(radius => radius !== "0px");
}

/** True if the focused element handles the key itself. */
function isTaken({ key, target, ctrlKey, metaKey, altKey }) {
  if (key === "Escape" || ctrlKey || metaKey || altKey) return false;
  if (target.matches("input, textarea")) return true;
  if (key === "Enter" || key === " ") return target !== pointed && target.matches("button, a, [role=button]");
  return target.matches(".tabitem") && (key === "ArrowRight" || key === "ArrowLeft");
}

/** True if the key types a character that nothing handles. */
const isLetter = ({ key, target, ctrlKey, metaKey, altKey }) =>
  [...key].length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey && !target.matches("input, textarea");

/** The visible field, if there is only one. */
function onlyField() {
  const dialog = topDialog()?.el ?? null;
  const fields = [...document.querySelectorAll(".field:enabled")].filter(el =>
    el.closest("dialog") === dialog && seen(el) && !el.closest("[inert]"));
  return fields.length === 1 ? fields[0] : null;
}

/** Puts the caret at the end of a field, where the browser then inserts the character. */
function typeInto(el) {
  el?.focus();
  el?.setSelectionRange(el.value.length, el.value.length);
}

const isDisabled = el => el.matches(":disabled, [aria-disabled]");

/**
 * The last visible control with these shortcut keys that is enabled. While the box has not handled all that was typed, a disabled one: the last
 * letter may enable it.
 */
function withKeys(event) {
  const pressed = namesOf(event);
  const dialog = topDialog()?.el ?? null;
  const found = [...document.querySelectorAll("[aria-keyshortcuts]")].filter(el =>
    pressed.includes(el.getAttribute("aria-keyshortcuts")) && el.closest("dialog") === dialog && seen(el) && !el.closest("[inert]"));
  return found.findLast(el => !isDisabled(el)) ?? (isUnacknowledged("input") ? found.at(-1) : undefined);
}

/** The possible `aria-keyshortcuts` names of the pressed keys. */
function namesOf({ key, code, metaKey, ctrlKey, altKey, shiftKey }) {
  // Option or another alphabet hides the Latin letter.
  const latin = /^Key[A-Z]$/.test(code) && (altKey || key > "\u007f") ? [code[3]] : [];
  return [key, ...latin].flatMap(typed => {
    const name = { " ": "Space", "+": "Plus" }[typed] ?? (typed.length > 1 ? typed : typed.toLowerCase());
    // Some keyboards need Shift for a sign, others do not.
    const isSign = typed.length === 1 && typed !== " " && typed.toLowerCase() === typed.toUpperCase();
    const shifts = isSign ? [shiftKey, false] : [shiftKey];
    return shifts.map(shift =>
      [metaKey && "Meta", ctrlKey && "Control", altKey && "Alt", shift && "Shift", name].filter(Boolean).join("+"));
  });
}

/** Clicks a control, with the look of a press. */
function tapWithKeys(el) {
  // The browser clicks no disabled control. The box decides.
  if (isDisabled(el)) return void send("tap", within(el).i);
  el.classList.add("pressed");
  setTimeout(() => el.classList.remove("pressed"), 150);
  el.click();
}

// MARK: presses and drags

/** The current touch: its trail, and the nodes that handle a long press, presses and drags. */
let touch = null;

function point(event) { return { x: event.clientX, y: event.clientY, t: event.timeStamp }; }

function pointerdown(event) {
  wake();
  if (!event.isPrimary) return;
  spent = false;
  if (event.button) return;
  if (touch) finishTouch();
  const at = point(event);
  const long = taker(event.target, "long");
  const drag = taker(event.target, "drag");
  const hold = Math.min(Number(long?.p.hold ?? 0.5) || 0, 600) * 1000;
  touch = { id: event.pointerId, start: at, last: at, long, tap: taker(event.target, "tap"), held: false, press: taker(event.target, "press"), drag, slack: Number(drag?.p.slack ?? 10) || 0,
    timer: long ? setTimeout(holdLong, hold) : 0, moved: false, dragging: false, trail: [at], sent: 0, wait: 0 };
  press(event.target);
  // A press that was not sent has no end to send.
  if (touch.press && !send("press", touch.press.i, 1)) touch.press = undefined;
  drag?.el.setPointerCapture(event.pointerId);
  dragTo(0);
}

/** Handles a movement by this distance, which is a drag beyond the slack. */
function dragTo(distance) {
  if (touch.drag && !touch.dragging && distance >= touch.slack) {
    touch.dragging = true;
    return sendDrag(false);
  }
  if (!touch.dragging || touch.wait) return;
  const current = touch;
  // At most 30 reports a second, and always the last position.
  const rest = Math.max(0, 34 - (performance.now() - touch.sent));
  touch.wait = setTimeout(() => { current.wait = 0; if (touch === current) sendDrag(false); }, rest);
}

/** Shows the pressed state at once: browsers delay `:active`, and some do not set it. */
function press(target) {
  const el = target.closest(".button, .link, .toggle, .tabitem, .back, [role=button]");
  if (el && !el.disabled && !el.hasAttribute("aria-disabled")) el.classList.add("pressed");
}

function unpress() { document.querySelectorAll(".pressed").forEach(el => el.classList.remove("pressed")); }

function holdLong() {
  if (!touch?.long) return;
  touch.held = spent = true;
  finishComposition();
  send("long", touch.long.i);
}

function pointermove(event) {
  if (!touch || event.pointerId !== touch.id) return;
  touch.last = point(event);
  touch.trail.push(touch.last);
  if (touch.trail.length > 8) touch.trail.shift();
  const distance = Math.hypot(touch.last.x - touch.start.x, touch.last.y - touch.start.y);
  if (!touch.moved && distance > 10) {
    touch.moved = true;
    clearTimeout(touch.timer);
    unpress();
  }
  dragTo(distance);
  if (touch.moved && touch.dragging) spent = true;
}

function sendDrag(end) {
  if (!touch?.dragging) return;
  const { start, last, trail, drag } = touch;
  const box = drag.el.getBoundingClientRect();
  const [vx, vy] = velocity(trail);
  touch.sent = performance.now();
  const value = { x: last.x - box.left, y: last.y - box.top, sx: start.x - box.left, sy: start.y - box.top, vx, vy };
  for (const name of Object.keys(value)) value[name] = Math.round(value[name] * 10) / 10;
  send("drag", drag.i, end ? { ...value, end: 1 } : value);
}

/** The velocity in px per second, over the last tenth of a second. */
function velocity(trail) {
  const last = trail.at(-1);
  const from = trail.find(point => last.t - point.t < 100) ?? last;
  const time = (last.t - from.t) / 1000;
  return time > 0 ? [(last.x - from.x) / time, (last.y - from.y) / time] : [0, 0];
}

function pointerup(event) {
  wake();
  if (!touch || event.pointerId !== touch.id) return;
  const { held, moved, long, tap: tapped } = touch;
  finishTouch();
  // The browser's own click is spent, and some send none after a long touch.
  if (held && !moved && long.p.long === "beside" && event.type === "pointerup") tap(tapped);
}

function finishTouch() {
  if (!touch) return;
  clearTimeout(touch.timer);
  clearTimeout(touch.wait);
  unpress();
  if (touch.press) send("press", touch.press.i, 0);
  // The last position is a change first: a view may follow the changes alone.
  if (touch.wait) sendDrag(false);
  sendDrag(true);
  touch = null;
}

/** Treats the right button and the menu key as a long press. A finger has its own timer. */
function contextmenu(event) {
  const node = taker(event.target, "long");
  if (!node) return;
  event.preventDefault();
  if (touch?.long || spent) return;
  send("long", node.i);
}

// MARK: gestures that compete with scrolling

/** Tracks a touch, and prevents scrolling only when the follower claims the movement. */
function follow(start, { axis, first, move, end }) {
  const target = start.target;
  const from = start.touches[0];
  const at = (touch, t) => ({ x: touch.clientX, y: touch.clientY, t });
  let trail = [at(from, start.timeStamp)];
  let taken = false;
  const moved = event => {
    const dx = event.touches[0].clientX - from.clientX, dy = event.touches[0].clientY - from.clientY;
    if (!taken) {
      if (Math.hypot(dx, dy) < 6) return;
      if (!event.cancelable || event.touches.length > 1 || !first(dx, dy)) return stop();
      taken = spent = true;
    }
    event.preventDefault();
    trail = [...trail.slice(-7), at(event.touches[0], event.timeStamp)];
    move(axis === "x" ? dx : dy);
  };
  const ended = event => {
    stop();
    if (!taken) return;
    // The browser took the touch over.
    if (event.type === "touchcancel") { move(0); return end(0, 0); }
    const last = trail.at(-1);
    const [vx, vy] = event.timeStamp - last.t > 80 ? [0, 0] : velocity(trail);
    end(axis === "x" ? last.x - from.clientX : last.y - from.clientY, axis === "x" ? vx : vy);
  };
  const stop = () => {
    target.removeEventListener("touchmove", moved);
    target.removeEventListener("touchend", ended);
    target.removeEventListener("touchcancel", ended);
  };
  target.addEventListener("touchmove", moved, { passive: false });
  target.addEventListener("touchend", ended);
  target.addEventListener("touchcancel", ended);
}

function touchstart(event) {
  const target = event.target;
  // A second finger is no long press.
  if (event.touches.length > 1 && touch) clearTimeout(touch.timer);
  if (event.touches.length > 1 || taker(target, "drag")) return;
  const swipe = swipeBack(event, target);
  if (swipe) return follow(event, swipe);
  const scroller = within(target.closest(".scroll.v, .list"));
  const card = target.closest(".sheet .card");
  const sheet = card ? within(card) : undefined;
  if (scroller?.part.pull && scroller.el.scrollTop <= 0) return follow(event, pullDown(scroller));
  if (sheet?.k !== "sheet" || sheet.p.cover || target.closest("input, textarea")) return;
  const content = target.closest(".handle, .bar") ? undefined : scroller;
  if (!content || content.el.scrollTop <= 0) follow(event, dragSheet(sheet, Boolean(content)));
}

/** Animates a number to a value, as a spring without bounce. */
function glide(from, to, step, done = () => {}) {
  const begin = performance.now();
  const time = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 300;
  const tick = now => {
    const part = Math.min(1, Math.max(0, now - begin) / time);
    step(from + (to - from) * (1 - (1 - part) ** 3));
    if (part < 1) requestAnimationFrame(tick); else done();
  };
  requestAnimationFrame(tick);
}

/** @returns {Follower | null} */
function swipeBack(event, target) {
  const page = within(target.closest(".page"));
  const pages = page?.up?.k === "nav" ? page.up.c.filter(child => child.k === "page") : [];
  if (!page || pages.length < 2 || pages.at(-1) !== page || page.p.noback || page.state.pulls) return null;
  const box = page.el.getBoundingClientRect();
  if (event.touches[0].clientX - box.left > 24) return null;
  const below = pages[pages.length - 2];
  const show = part => { if (page.el.isConnected && !page.el.inert) pull(page, below, Math.min(1, Math.max(0, part))); };
  const restore = () => { if (!page.el.inert) glide(page.state.pulled, 0, show, () => release(page, below)); };
  return {
    axis: "x", first: (dx, dy) => dx > Math.abs(dy), move: d => show(d / box.width),
    end(d, v) {
      if (!(v > 300 || v > -100 && d > box.width / 2) || !send("back", page.i)) return restore();
      hasSwiped();
      glide(page.state.pulled, 1, show, () => setTimeout(() => { if (page.el.isConnected) restore(); }, 1000));
    },
  };
}

/** The resistance beyond the end of a range. */
const rubber = d => Math.sign(d) * 90 * (1 - 1 / (Math.abs(d) / 120 + 1));

/** @returns {Follower} */
function dragSheet(sheet, fromContent) {
  const { card } = sheet.part;
  const start = card.offsetHeight;
  const heights = detentsOf(sheet).sort((a, b) => a - b);
  const [low, high] = [heights[0], heights[heights.length - 1]];
  const place = height => {
    const shown = Math.max(low, height);
    card.style.height = `${shown}px`;
    card.style.translate = height < low ? `0 ${low - height}px` : "";
  };
  const bounded = wish =>
    wish > high ? high + rubber(wish - high) : wish < low && sheet.p.stay ? low + rubber(wish - low) : wish;
  return {
    // Content at its top follows downwards, and upwards only while the sheet can grow.
    axis: "y", first: (dx, dy) => Math.abs(dy) > Math.abs(dx) && (!fromContent || dy > 0 || start < high - 1),
    move: d => place(bounded(start - d)),
    end(d, v) {
      const now = bounded(start - d);
      const wish = now - v * 0.15;
      const out = !sheet.p.stay && (wish < low * 0.75 || now <= low && v > 800) && send("dismiss", sheet.i);
      const nearest = heights.reduce((best, height) => Math.abs(height - wish) < Math.abs(best - wish) ? height : best);
      const rest = () => { card.style.translate = ""; setDetent(sheet, nearest); };
      const glideToRest = () => glide(card.offsetHeight - shift(card), nearest, place, rest);
      if (out) setTimeout(() => { if (stands(sheet)) glideToRest(); }, 1000); else glideToRest();
    },
  };
}

function nextDetent(sheet) {
  const heights = detentsOf(sheet).sort((a, b) => a - b);
  const { card } = sheet.part;
  const next = heights.find(height => height > card.offsetHeight + 1) ?? heights[0];
  glide(card.offsetHeight, next, height => { card.style.height = `${height}px`; }, () => setDetent(sheet, next));
}

const shift = card => parseFloat(card.style.translate.split(" ")[1] ?? "0") || 0;

/** @returns {Follower} */
function pullDown(node) {
  const { pull } = node.part;
  const show = height => {
    pull.style.height = height ? `${height}px` : "";
    pull.style.setProperty("--part", String(Math.min(1, height / 60)));
  };
  return {
    axis: "y", first: (dx, dy) => dy > Math.abs(dx) && node.el.scrollTop <= 0 && !node.p.busy,
    move: d => show(d > 0 ? Math.min(d * 0.5, 60) + Math.max(0, rubber((d - 120) / 2)) : 0),
    end() {
      const height = pull.offsetHeight;
      const going = height >= 60 && refresh(node);
      glide(height, going ? 60 : 0, show, () => { if (going) hold(node, show); });
    },
  };
}

/** Keeps the spinner until the refresh ends, at least for a second. */
function hold(node, show) {
  const started = performance.now();
  const look = () => {
    if (!node.el.isConnected) return;
    if (node.p.busy || performance.now() - started < 1000) setTimeout(look, 50); else glide(60, 0, show);
  };
  look();
}

function refresh(node) { return node.p.busy ? 0 : send("refresh", node.i); }

// MARK: listeners

export function listen() {
  const quiet = { passive: true };
  document.addEventListener("click", click);
  document.addEventListener("keydown", keydown);
  document.addEventListener("pointerdown", pointerdown);
  document.addEventListener("pointermove", pointermove);
  document.addEventListener("pointerup", pointerup);
  document.addEventListener("pointercancel", pointerup);
  document.addEventListener("contextmenu", contextmenu);
  // Makes Safari show pressed states at once.
  document.addEventListener("touchstart", touchstart, quiet);
  document.addEventListener("mousedown", keepKeyboard);
  document.addEventListener("focusin", shapeRing);
  document.addEventListener("cancel", cancelled, true);
  document.addEventListener("close", closed, true);
}

/**
 * Keeps the focus in the field, and the keyboard, during a tap on a button, as on a phone. The touch area behind a field gives it the focus at once:
 * a phone opens its keyboard during a touch only.
 */
function keepKeyboard(event) {
  const area = event.target.closest(".layers > .layer:first-child [data-on~=tap][aria-hidden]");
  const fields = area?.closest(".layers").querySelectorAll(".field:enabled") ?? [];
  if (fields.length === 1) fields[0].focus();
  if (document.activeElement?.matches("input, textarea") && event.target.closest("button, [role=button]")) event.preventDefault();
}

/** Prevents the browser from closing a dialog: the box does. */
function cancelled(event) {
  const node = within(event.target);
  if (!node || !dialogs.has(node.k)) return;
  event.preventDefault();
  // Escape is handled as a key: this is a phone's back action.
  leaveTop();
}

/** Reopens a dialog that is still in the tree: some browsers close it at the second request in any case. */
function closed(event) {
  const node = within(event.target);
  if (!node || !dialogs.has(node.k) || !stands(node) || node.el.hasAttribute("open")) return;
  leaveTop();
  setTimeout(() => {
    const el = node.el;
    if (stands(node) && el.isConnected && !el.open) el.showModal();
  }, 300);
}
