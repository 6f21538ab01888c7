// The line to the box: one WebSocket that comes back by itself, and the events that no acknowledgement covers yet.

import { say } from "./words.js";

const delays = [0, 500, 1000, 2000, 4000, 8000];
const limit = 200;
const key = "session " + document.body.dataset.socket;
const sceneKey = "scene " + document.body.dataset.socket;
const line = {
  socket: null,
  session: sessionStorage.getItem(key),
  // What the app keeps of this screen for another tree.
  scene: JSON.parse(sessionStorage.getItem(sceneKey) ?? "{}"),
  live: false, ended: false, tries: 0, sequence: 0, transmitted: 0, acked: 0, heard: 0, hidden: 0,
  pending: [],
  timer: 0, pillTimer: 0,
  handlers: {},
};
const pill = document.getElementById("pill");
const documentToken = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
// A duplicated tab copies the storage of a visible one: only a hidden page may leave its secret there.
takeKept();

export const darkScheme = matchMedia("(prefers-color-scheme: dark)");
export const acknowledged = () => line.acked;
/** Whether the box may not have heard yet of an event of this name. */
export const isUntold = event => line.pending.some(frame => frame.e === event);

/** How far the wall clock is ahead of `performance.now()`, and how long the computer has slept, in milliseconds. */
const clocks = { lead: Date.now() - performance.now(), slept: 0 };

/** The page's monotonic time in milliseconds. It counts sleep, during which some browsers stop the clock of `performance`. */
function now() {
  const drift = Date.now() - performance.now() - clocks.lead;
  if (Math.abs(drift) > 1000) {
    clocks.lead += drift;
    clocks.slept += Math.max(0, drift);
  }
  return Math.round(performance.now() + clocks.slept);
}

/** Opens the line. The handlers take frames (`root`, `ops`, `ask`, `gone`) and events that the box has had (`through`, `acked`). */
export function start(handlers) {
  line.handlers = handlers;
  addEventListener("online", () => { send("online", 0, true); hurry(); });
  addEventListener("offline", () => send("online", 0, false));
  addEventListener("pageshow", () => { takeKept(); hurry(); });
  addEventListener("pagehide", keepSession);
  addEventListener("blur", () => document.hidden || phase("inactive"));
  addEventListener("focus", () => phase("active"));
  document.addEventListener("visibilitychange", () => document.hidden ? leave() : comeBack());
  open();
}

/**
 * Sends an event of a person, or keeps what was typed until the line is back.
 * @returns {number} its sequence number, 0 if it was not taken
 */
export function send(event, id = 0, value = undefined) {
  if (!line.live && event !== "input") { if (id && event !== "appear") pulse(); return 0; }
  if (!line.live) supersede(id);
  if (line.pending.length >= limit) line.pending.shift();
  const frame = { e: event, i: id, v: value, s: line.sequence + 1, t: now() };
  if (!fits(frame)) { pulse(); return 0; }
  line.sequence += 1;
  // What the page itself is like is said anew in the next hello.
  if (id) line.pending.push(frame);
  if (line.live) transmitEvent(frame);
  return frame.s;
}

/**
 * While the line is down only the newest text of a field counts, as far back as nothing else was done and nothing was on its way: the
 * box may have had that, and the page has to know what the box knows.
 */
function supersede(id) {
  const last = line.pending.findLastIndex(old => old.e !== "input" || old.s <= line.transmitted);
  line.pending = line.pending.filter((old, place) => place <= last || old.i !== id);
}

/** Answers a request of the box, which is not kept: a new connection asks again if it still cares. */
export const reply = frame => { if (line.live) transmit(fits(frame) ? frame : { reply: frame.reply, error: "failed" }); };

/** The box ends a connection that says more than 256 KiB at once; it would do so again whenever that is said again. */
function fits(frame) {
  const text = JSON.stringify(frame);
  return text.length < 80_000 || new TextEncoder().encode(text).length <= 262_144;
}

/** Comes back after the box has sent this page away. */
export function restart(keep = true) {
  if (!keep) line.session = null;
  line.ended = false;
  line.tries = 0;
  close();
  open();
}

/** Tries again after a pause, at the latest when the page is looked at. */
export function later(pause) { line.timer = setTimeout(restart, pause); }

function transmit(frame) { line.socket?.send(JSON.stringify(frame)); }

function transmitEvent(frame) {
  line.transmitted = frame.s;
  transmit(frame);
}

function open() {
  clearTimeout(line.timer);
  const address = new URL(document.body.dataset.socket ?? "/socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("version", document.body.dataset.version ?? "");
  const socket = line.socket = new WebSocket(address);
  watchDown();
  socket.onopen = () => transmit({ hello: hello() });
  socket.onmessage = message => { if (socket === line.socket) receive(message.data); };
  socket.onclose = () => { if (socket === line.socket) lost(); };
  // A line on which nothing ever comes is as good as cut; browsers wait for minutes.
  setTimeout(() => { if (socket === line.socket && !line.live) { close(); lost(); } }, 10_000);
}

function hello() {
  lastPhase = document.hidden ? "background" : "active";
  const screen = document.getElementById("screen");
  return {
    session: line.session, scene: line.scene, document: documentToken, scheme: darkScheme.matches ? "dark" : "light",
    languages: [...navigator.languages], timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    width: screen.clientWidth, height: screen.clientHeight, active: !document.hidden, online: navigator.onLine,
    keyboard: document.documentElement.classList.contains("typing"), t: now(),
  };
}

/** A frame that cannot be read, or a fault in showing it, must not end the page. */
function receive(text) {
  line.heard = Date.now();
  try {
    const frame = JSON.parse(text);
    if (frame.gone) return gone(frame.gone);
    const snapshot = frame.root !== undefined;
    // A line that breaks each time right after the snapshot is not tried without a pause.
    if (!snapshot) line.tries = 0;
    if (snapshot && !frame.resumed) Object.assign(line, { pending: [], sequence: 0, transmitted: 0, acked: 0 });
    if (typeof frame.session === "string") line.session = frame.session;
    if (frame.scene) line.scene = frame.scene;
    // After a reload the session has counted further than this page.
    if (snapshot) line.sequence = Math.max(line.sequence, Number(frame.ack) || 0);
    const through = acknowledge(frame.ack);
    if (snapshot) line.handlers.root(frame);
    if (frame.ops) line.handlers.ops(frame);
    if (frame.ask) line.handlers.ask(frame.ask);
    line.handlers.acked(through);
    if (snapshot) resume();
  } catch (error) {
    console.warn("frame not understood", error);
  }
}

/** Takes what is through out of the waiting events, and answers it. */
function acknowledge(ack) {
  if (!(ack > line.acked)) return [];
  line.acked = ack;
  const through = line.pending.filter(event => event.s <= ack);
  line.pending = line.pending.filter(event => event.s > ack);
  line.handlers.through(through);
  return through;
}

function resume() {
  line.live = true;
  clearTimeout(line.pillTimer);
  line.pillTimer = 0;
  pill.className = pill.textContent = "";
  delete pill.dataset.word;
  line.pending.forEach(transmitEvent);
  line.handlers.live();
}

function gone(reason) {
  line.ended = true;
  line.live = false;
  if (reason === "forgotten") Object.assign(line, { session: null, scene: {} });
  line.handlers.gone(reason);
}

/** A box that does not take this browser for a phone any more refuses the socket, and says why only to a request for the page. */
async function ask() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
}

function lost() {
  line.live = false;
  line.socket = null;
  if (line.ended) return;
  watchDown();
  if (line.tries >= 2) ask();
  const pause = delays[Math.min(line.tries++, delays.length - 1)];
  line.timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
}

/** Lets go of the socket without waiting for its closing handshake, which takes long on a dead line. */
function close() {
  const socket = line.socket;
  line.socket = null;
  line.live = false;
  socket?.close();
}

function hurry() {
  if (line.ended || line.socket) return;
  line.tries = 0;
  open();
}

function watchDown() {
  line.pillTimer ||= setTimeout(() => {
    if (line.live || line.ended) return;
    pill.className = "shown";
    say(pill, "lost");
  }, 1000);
}

function pulse() {
  pill.classList.remove("pulse");
  requestAnimationFrame(() => pill.classList.add("pulse"));
}

let lastPhase = "active";
function phase(name) {
  if (name === lastPhase) return;
  lastPhase = name;
  send("phase", 0, name);
}

function keepSession() {
  if (line.session && !line.ended) sessionStorage.setItem(key, line.session);
  sessionStorage.setItem(sceneKey, JSON.stringify(line.scene));
}

function takeKept() { for (const name of [key, sceneKey]) sessionStorage.removeItem(name); }

function leave() {
  line.hidden = Date.now();
  phase("background");
  keepSession();
}

/** A phone that slept may hold a dead line that looks open: whoever does not answer soon is dropped. */
function comeBack() {
  takeKept();
  phase("active");
  hurry();
  const asked = Date.now();
  if (asked - line.hidden < 30_000 || !line.live) return;
  setTimeout(() => {
    if (line.heard >= asked || !line.live) return;
    close();
    hurry();
  }, 3000);
}
