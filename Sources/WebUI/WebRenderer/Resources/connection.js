// The line to the box: one WebSocket that comes back by itself, and the events that no acknowledgement covers yet.

import { showAway, showUndone } from "./pill.js";

const delays = [0, 500, 1000, 2000, 4000, 8000];
const limit = 200;
/** What an element reports of itself. Every other event asks the box to do something now, and is refused while it cannot be reached. */
const reports = new Set(["input", "focus", "blur", "appear"]);
/** Milliseconds after which something the user asked for is not done any more: a second more than a page takes to say that it is away. */
const patience = 4000;
/** Milliseconds without a byte: until the page asks for one, until it says so, until it opens another connection. */
const silence = { ping: 1500, away: 3000, lost: 10_000 };
const key = "session " + document.body.dataset.socket;
const sceneKey = "scene " + document.body.dataset.socket;
const line = {
  socket: null,
  session: sessionStorage.getItem(key),
  // What the app keeps of this screen for another tree.
  scene: JSON.parse(sessionStorage.getItem(sceneKey) ?? "{}"),
  live: false, stalled: false, ended: "", tries: 0, sequence: 0, transmitted: 0, acked: 0, heard: 0, hidden: 0, watched: 0, awake: 0, pinged: 0,
  pending: [],
  timer: 0, pillTimer: 0,
  handlers: {},
};
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
  setInterval(watch, 500);
  open();
}

/**
 * Sends an event. While the box cannot be reached the page keeps what was typed and refuses, visibly, what the user wants done.
 * @returns {number} its sequence number, 0 if it was not taken
 */
export function send(event, id = 0, value = undefined) {
  const frame = { e: event, i: id, v: value, s: line.sequence + 1, t: now() };
  const isKept = outlivesCuts(frame);
  if (isCommand(frame) && !isKept && (!line.live || line.stalled)) return refuse(id);
  if (!line.live && !isKept) return 0;
  if (event === "input" && (!line.live || line.pending.length >= limit)) supersede(id);
  if (event !== "input" && line.pending.length >= limit || !fits(frame)) return event === "input" || isCommand(frame) ? refuse(id) : 0;
  line.sequence += 1;
  // What the page itself is like is said anew in the next hello.
  if (id || isKept) line.pending.push(frame);
  if (line.live) transmitEvent(frame);
  return frame.s;
}

const isCommand = ({ e, i }) => i !== 0 && !reports.has(e);
/** Typed text, a tapped notification, and the end of a press that the box knows of. */
const outlivesCuts = ({ e, v }) => e === "input" || e === "notification" || e === "press" && v === 0;

/** Shows that something has no effect. */
function refuse(id) {
  showUndone([id]);
  return 0;
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
  line.ended = "";
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
  line.heard = now();
  if (line.stalled) stall(false);
  try {
    const frame = JSON.parse(text);
    if (frame.gone) return gone(frame.gone);
    const snapshot = frame.root !== undefined;
    // A line that breaks each time right after the snapshot is not tried without a pause.
    if (!snapshot) line.tries = 0;
    if (snapshot && !frame.resumed) startAnew();
    if (typeof frame.session === "string") line.session = frame.session;
    if (frame.scene) line.scene = frame.scene;
    // After a reload the session has counted further than this page.
    if (snapshot) line.sequence = Math.max(line.sequence, Number(frame.ack) || 0);
    const through = acknowledge(frame.ack, frame.late);
    if (snapshot) line.handlers.root(frame);
    if (frame.ops) line.handlers.ops(frame);
    if (frame.ask) line.handlers.ask(frame.ask);
    line.handlers.acked(through);
    if (snapshot) resume();
  } catch (error) {
    console.warn("frame not understood", error);
  }
}

/** The tree is another one, which none of the waiting events is for but a tapped notification: that is for the app. */
function startAnew() {
  if (line.pending.some(isCommand)) showUndone([]);
  const pending = line.pending.filter(event => event.e === "notification").map((event, index) => ({ ...event, s: index + 1 }));
  Object.assign(line, { pending, sequence: pending.length, transmitted: 0, acked: 0 });
}

/** Takes what is through out of the waiting events, and answers it. What came too late for the box was not done. */
function acknowledge(ack, late) {
  if (!(ack > line.acked)) return [];
  line.acked = ack;
  const through = line.pending.filter(event => event.s <= ack);
  line.pending = line.pending.filter(event => event.s > ack);
  const undone = through.filter(event => Array.isArray(late) && late.includes(event.s));
  if (undone.length) showUndone(undone.map(event => event.i));
  line.handlers.through(through);
  return through;
}

function resume() {
  line.live = true;
  clearTimeout(line.pillTimer);
  line.pillTimer = 0;
  showAway(false);
  dropLate();
  line.pending.forEach(transmitEvent);
  line.handlers.live();
}

/** The box has not had these: the snapshot would have acknowledged them. */
function dropLate() {
  const late = line.pending.filter(event => isCommand(event) && !outlivesCuts(event) && now() - event.t > patience);
  if (!late.length) return;
  line.pending = line.pending.filter(event => !late.includes(event));
  showUndone(late.map(event => event.i));
  line.handlers.through(late);
  line.handlers.acked(late);
}

function gone(reason) {
  line.ended = reason;
  line.live = false;
  showAway(false);
  if (reason === "forgotten") Object.assign(line, { session: null, scene: {} });
  line.handlers.gone(reason);
}

/** A box that does not take this browser for a phone any more refuses the socket, and says why only to a request for the page. */
async function ask() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
}

function lost() {
  line.live = line.stalled = false;
  line.socket = null;
  if (line.ended) return;
  watchDown();
  if (line.tries >= 2) ask();
  const pause = delays[Math.min(line.tries++, delays.length - 1)];
  line.timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
}

/** Looks whether anything still comes. The page asks for a byte itself, and only while somebody looks at it. */
function watch() {
  const time = now();
  // A page that was hidden, or slept, begins anew: it has not asked, or not heard yet what came.
  if (document.hidden || time - line.watched > silence.ping) line.awake = time;
  line.watched = time;
  if (!line.live || document.hidden) return;
  const quiet = time - Math.max(line.heard, line.awake);
  if (quiet >= silence.lost) {
    close();
    return lost();
  }
  if (quiet >= silence.away && !line.stalled) stall(true);
  if (quiet < silence.ping || time - line.pinged < silence.ping) return;
  line.pinged = time;
  transmit({ ping: true, t: time });
}

function stall(stalled) {
  line.stalled = stalled;
  showAway(stalled);
}

/** Lets go of the socket without waiting for its closing handshake, which takes long on a dead line. */
function close() {
  const socket = line.socket;
  line.socket = null;
  line.live = line.stalled = false;
  socket?.close();
}

function hurry() {
  if (line.ended || line.socket) return;
  line.tries = 0;
  open();
}

function watchDown() {
  line.pillTimer ||= setTimeout(() => {
    if (!line.live && !line.ended) showAway(true);
  }, 1000);
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
  line.hidden = now();
  phase("background");
  keepSession();
}

/** A phone that slept may hold a dead line that looks open: whoever does not answer soon is dropped. */
function comeBack() {
  takeKept();
  if (line.ended === "idle") return restart();
  phase("active");
  hurry();
  const asked = now();
  if (asked - line.hidden < 30_000 || !line.live) return;
  setTimeout(() => {
    if (line.heard >= asked || !line.live) return;
    close();
    hurry();
  }, 3000);
}
