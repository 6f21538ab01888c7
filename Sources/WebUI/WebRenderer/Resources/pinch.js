// Pinches: two fingers, a trackpad, or the wheel with Control, on nodes that handle them.

import { isUnacknowledged, send } from "./connection.js";

/** The pause between two reports, and from the last turn of a wheel to the end, in ms. */
const pause = 34, rest = 250;

/** The pinch that is going on. */
let pinch = null;

/** Listens on a node that handles pinches, and stops for others. */
export function watchPinch(node) {
  const wants = /\bpinch\b/.test(node.p.on ?? "");
  if (wants === Boolean(node.state.pinch)) return;
  const listeners = node.state.pinch ?? {
    touchstart: event => touchstart(node, event),
    touchmove, touchend: touchended, touchcancel: touchended,
    wheel: event => wheel(node, event),
    // Safari's events for a trackpad.
    gesturestart: event => gesturestart(node, event),
    gesturechange, gestureend,
  };
  node.state.pinch = wants ? listeners : null;
  for (const [name, listener] of Object.entries(listeners)) {
    if (wants) node.el.addEventListener(name, listener, { passive: name.startsWith("touchs") || name.startsWith("touche") });
    else node.el.removeEventListener(name, listener);
  }
  if (!wants && pinch?.node === node) cancel();
}

function begin(node, kind, x, y) {
  const box = node.el.getBoundingClientRect();
  const [sx, sy] = [x - box.left, y - box.top];
  pinch = { node, kind, m: 1, started: false, sent: 0, wait: 0, trail: [{ m: 1, t: performance.now() }],
    start: { x: sx, y: sy, ax: box.width ? sx / box.width : 0.5, ay: box.height ? sy / box.height : 0.5 } };
  return pinch;
}

/** Takes a new scale. */
function change(m) {
  if (!(m > 0)) return;
  pinch.m = Math.min(Math.max(m, 0.01), 100);
  pinch.trail = [...pinch.trail.slice(-7), { m: pinch.m, t: performance.now() }];
  if (!pinch.started) {
    if (Math.abs(pinch.m - 1) < (pinch.node.p.delta ?? 0.01)) return;
    pinch.started = true;
    return report();
  }
  if (!pinch.wait) later(pinch, Math.max(0, pause - (performance.now() - pinch.sent)));
}

/** Reports the latest scale: at most 30 times a second, and once the box has handled the scale before, so that a slow box draws only a few sizes. */
function later(current, time) {
  current.wait = setTimeout(() => {
    current.wait = 0;
    if (pinch !== current) return;
    if (isUnacknowledged("pinch")) later(current, pause); else report();
  }, time);
}

function report(end) {
  const { node, m, start, trail } = pinch;
  pinch.sent = performance.now();
  const last = trail.at(-1);
  const from = trail.find(({ t }) => last.t - t < 100) ?? last;
  const v = last.t > from.t ? (last.m - from.m) / (last.t - from.t) * 1000 : 0;
  const value = { m, v, ...start };
  for (const name of Object.keys(value)) value[name] = Math.round(value[name] * 1000) / 1000;
  send("pinch", node.i, end ? { ...value, end: 1 } : value);
}

function finish() {
  if (!pinch) return;
  // The last scale is a change first: a view may follow the changes alone.
  if (pinch.wait) report();
  if (pinch.started) report(true);
  cancel();
}

/** Ends without a report: nobody takes it any more. */
function cancel() {
  clearTimeout(pinch.wait);
  clearTimeout(pinch.timer);
  pinch = null;
}

// MARK: fingers

const apart = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

function touchstart(node, { touches }) {
  if (pinch && !pinch.node.el.isConnected) cancel();
  if (pinch && pinch.kind !== "wheel" || touches.length !== 2) return;
  const [one, other] = touches;
  if (![one, other].every(({ target }) => node.el.contains(target))) return;
  finish();
  begin(node, "touch", (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
  // Fingers at one point have no scale.
  Object.assign(pinch, { fingers: [one.identifier, other.identifier], distance: Math.max(apart(one, other), 1) });
}

/** The scale of the two fingers; null unless both are among the touches. */
function scale(touches) {
  const [one, other] = pinch.fingers.map(id => touches.find(({ identifier }) => identifier === id));
  return one && other ? apart(one, other) / pinch.distance : null;
}

function touchmove(event) {
  if (pinch?.kind !== "touch") return;
  const m = scale([...event.touches]);
  if (m === null) return;
  // A browser that scrolls already does not ask.
  if (event.cancelable) event.preventDefault();
  change(m);
}

function touchended({ touches, changedTouches }) {
  if (pinch?.kind !== "touch" || pinch.fingers.every(id => [...touches].some(({ identifier }) => identifier === id))) return;
  // A busy browser may leave out the last move.
  const m = scale([...touches, ...changedTouches]);
  if (m !== pinch.m) change(m);
  finish();
}

// MARK: wheels and trackpads

/** Browsers report a pinch on a trackpad as a wheel with Control. */
function wheel(node, event) {
  if (!event.ctrlKey || event.defaultPrevented || pinch && (pinch.kind !== "wheel" || pinch.node !== node)) return;
  event.preventDefault();
  const current = pinch ?? begin(node, "wheel", event.clientX, event.clientY);
  // A notch of a wheel is some 100, a step on a trackpad a few px.
  const turn = Math.min(Math.max(event.deltaY * (event.deltaMode ? 16 : 1), -25), 25);
  change(current.m * Math.exp(-turn / 100));
  clearTimeout(current.timer);
  current.timer = setTimeout(finish, rest);
}

function gesturestart(node, event) {
  event.preventDefault();
  if (!pinch) begin(node, "gesture", event.clientX, event.clientY);
}

function gesturechange(event) {
  event.preventDefault();
  if (pinch?.kind === "gesture") change(event.scale);
}

function gestureend() {
  if (pinch?.kind === "gesture") finish();
}
