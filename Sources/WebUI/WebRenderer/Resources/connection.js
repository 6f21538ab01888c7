// The line to the box: a WebSocket that reconnects, and the events that are not acknowledged yet.

import { showAway, showBusy, showUndone } from "./pill.js";

const delays = [0, 500, 1000, 2000, 4000, 8000];
const limit = 200;
/**
 * Events that report what the browser has already done, or the course of a gesture. All others are commands, which are refused while the box is
 * unreachable.
 */
const reports = new Set(["input", "focus", "blur", "appear", "place", "press", "pinch"]);
/** The maximum age of a command in milliseconds: a second more than it takes to show that the box is unreachable. */
const commandTimeout = 4000;
/** The time without a byte, in milliseconds, until the page sends a ping, shows "Reconnecting…", and opens another connection. */
const silence = { ping: 1500, away: 3000, lost: 10_000 };
const key = "session " + document.body.dataset.socket;
const sceneKey = "scene " + document.body.dataset.socket;
const line = {
  socket: null,
  session: sessionStorage.getItem(key),
  // The app's scene values, for another tree.
  scene: JSON.parse(sessionStorage.getItem(sceneKey) ?? "{}"),
  live: false, stalled: false, ended: "", tries: 0, sequence: 0, transmitted: 0, acked: 0, heard: 0, hidden: 0, watched: 0, awake: 0, pinged: 0,
  pending: [],
  timer: 0, pillTimer: 0,
  handlers: {},
};
const documentToken = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
// A duplicated tab copies the session storage: only a hidden page may keep its secret there.
takeKept();

export const darkScheme = matchMedia("(prefers-color-scheme: dark)");
export const acknowledged = () => line.acked;
/** True if an event of this name waits for its acknowledgement. */
export const isUnacknowledged = event => line.pending.some(frame => frame.e === event);

/** The lead of the wall clock over `performance.now()`, and the total time asleep, in milliseconds. */
const clocks = { lead: Date.now() - performance.now(), slept: 0 };

/** The page's monotonic time in milliseconds. It includes sleep, during which some browsers stop `performance.now()`. */
function now() {
  const drift = Date.now() - performance.now() - clocks.lead;
  if (Math.abs(drift) > 1000) {
    clocks.lead += drift;
    clocks.slept += Math.max(0, drift);
  }
  return Math.round(performance.now() + clocks.slept);
}

/**
 * Opens the connection. The handlers receive frames (`root`, `ops`, `request`, `gone`, `binary`), acknowledged events (`through`, `acked`), and
 * the end of a connection (`cut`) or of a tree (`anew`).
 */
export function start(handlers) {
  line.handlers = handlers;
  addEventListener("online", () => { send("network", 0, networkLink()); hurry(); });
  addEventListener("offline", () => send("network", 0, networkLink()));
  navigator.connection?.addEventListener("change", () => send("network", 0, networkLink()));
  addEventListener("pageshow", () => { takeKept(); hurry(); });
  addEventListener("pagehide", keepSession);
  addEventListener("blur", () => document.hidden || phase("inactive"));
  addEventListener("focus", () => phase("active"));
  document.addEventListener("visibilitychange", () => document.hidden ? leave() : comeBack());
  setInterval(watch, 500);
  open();
}

/**
 * Sends an event. While the box is unreachable, the page keeps typed text and visibly refuses commands.
 * @returns {number} the sequence number, 0 for a refused event
 */
export function send(event, id = 0, value = undefined) {
  const frame = { e: event, i: id, v: value, s: line.sequence + 1, t: now() };
  const isKept = outlivesCuts(frame);
  if (isCommand(frame) && !isKept && (!line.live || line.stalled)) return refuse(id);
  if (!line.live && !isKept) return 0;
  if (event === "input" && (!line.live || line.pending.length >= limit)) supersede(id);
  if (event !== "input" && line.pending.length >= limit) return isCommand(frame) ? refuse(id, "slow") : 0;
  if (!fits(frame)) return event === "input" || isCommand(frame) ? refuse(id, "large") : 0;
  line.sequence += 1;
  // Events of the page itself are repeated by the next hello.
  if (id || isKept) line.pending.push(frame);
  if (line.live) transmitEvent(frame);
  return frame.s;
}

const isCommand = ({ e, i, v }) => i !== 0 && !reports.has(e) && !(e === "drag" && !v.end);
/** True if the event is for the app, whichever tree it has: a tapped notification, another address for pushes. */
const outlivesTrees = ({ e }) => e === "notification" || e === "address";
/** True if the event survives a lost connection: typed text, an event for the app, the end of a press or a pinch. */
const outlivesCuts = event => event.e === "input" || outlivesTrees(event) || event.e === "press" && event.v === 0 || event.e === "pinch" && event.v.end === 1;

/** Shows that a command had no effect, and why: `undone`, `slow` or `large`. */
function refuse(id, reason = "undone") {
  showUndone([id], reason);
  return 0;
}

/**
 * Drops older texts of a field while the line is down. Texts before another event, and texts that were sent, are kept: the box may have
 * received them, and the page has to know the state of the box.
 */
function supersede(id) {
  const last = line.pending.findLastIndex(old => old.e !== "input" || old.s <= line.transmitted);
  line.pending = line.pending.filter((old, place) => place <= last || old.i !== id);
}

/** Answers a request of the box. The answer is not kept: the box repeats the request on a new connection if necessary. */
export const reply = frame => { if (line.live) transmit(fits(frame) ? frame : { reply: frame.reply, error: "failed" }); };

/** True if a frame is within 256 KiB. The box closes a connection that sends more, and would close it again at each retry. */
function fits(frame) {
  const text = JSON.stringify(frame);
  return text.length < 80_000 || new TextEncoder().encode(text).length <= 262_144;
}

/** Connects again after a `gone`. */
export function restart(keep = true) {
  if (!keep) line.session = null;
  line.ended = "";
  line.tries = 0;
  close();
  open();
}

/** Connects again after a pause. */
export function later(pause) { line.timer = setTimeout(restart, pause); }

function transmit(frame) { line.socket?.send(JSON.stringify(frame)); }

/** Sends one frame of a stream. @returns {boolean} whether there is a connection */
export function transmitBinary(bytes) {
  if (line.socket?.readyState !== WebSocket.OPEN) return false;
  line.socket.send(bytes);
  return true;
}

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
  socket.binaryType = "arraybuffer";
  socket.onmessage = message => { if (socket === line.socket) receive(message.data); };
  socket.onclose = () => { if (socket === line.socket) lost(); };
  // Browsers wait for minutes for a connection that never answers.
  setTimeout(() => { if (socket === line.socket && !line.live) { close(); lost(); } }, 10_000);
}

/** The phone's link to the network, as far as the browser tells: Chrome on Android tells a cellular one. */
function networkLink() {
  if (!navigator.onLine) return "none";
  return navigator.connection?.type === "cellular" ? "cellular" : "local";
}

function hello() {
  lastPhase = document.hidden ? "background" : "active";
  const screen = document.getElementById("screen");
  return {
    session: line.session, scene: line.scene, document: documentToken, scheme: darkScheme.matches ? "dark" : "light",
    languages: [...navigator.languages], timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    width: screen.clientWidth, height: screen.clientHeight, active: !document.hidden, network: networkLink(),
    keyboard: document.documentElement.classList.contains("typing"), secure: window.isSecureContext, t: now(),
  };
}

/** Handles a frame. An unreadable frame, or an error while showing it, must not end the page. @param {string | ArrayBuffer} data */
function receive(data) {
  line.heard = now();
  if (line.stalled) stall(false);
  try {
    if (typeof data !== "string") return line.handlers.binary(data);
    const frame = JSON.parse(data);
    if (frame.gone) return gone(frame.gone);
    const snapshot = frame.root !== undefined;
    // A connection that breaks right after each snapshot is not retried without a pause.
    if (!snapshot) line.tries = 0;
    if (snapshot && !frame.resumed) startAnew();
    if (typeof frame.session === "string") line.session = frame.session;
    if (frame.scene) line.scene = frame.scene;
    // After a reload the session is ahead of this page.
    if (snapshot) line.sequence = Math.max(line.sequence, Number(frame.ack) || 0);
    const through = acknowledge(frame);
    if (snapshot) line.handlers.root(frame);
    if (frame.ops) line.handlers.ops(frame);
    if (frame.ask) line.handlers.request(frame.ask);
    line.handlers.acked(through);
    if (snapshot) resume();
  } catch (error) {
    console.warn("frame not understood", error);
  }
}

/** Drops the pending events, which belong to an earlier tree. Those for the app stay. */
function startAnew() {
  if (line.pending.some(isCommand)) showUndone([]);
  const pending = line.pending.filter(outlivesTrees).map((event, index) => ({ ...event, s: index + 1 }));
  Object.assign(line, { pending, sequence: pending.length, transmitted: 0, acked: 0 });
  line.handlers.anew();
}

/** Removes the acknowledged events and returns them. The box did not handle those that came late, or that it came to late. */
function acknowledge({ ack, late, slow }) {
  if (!(ack > line.acked)) return [];
  line.acked = ack;
  const through = line.pending.filter(event => event.s <= ack);
  line.pending = line.pending.filter(event => event.s > ack);
  for (const [numbers, reason] of [[slow, "slow"], [late, "undone"]]) {
    const undone = through.filter(event => Array.isArray(numbers) && numbers.includes(event.s));
    if (undone.length) showUndone(undone.map(event => event.i), reason);
  }
  line.handlers.through(through);
  return through;
}

function resume() {
  line.live = true;
  showBusy(false);
  clearTimeout(line.pillTimer);
  line.pillTimer = 0;
  showAway(false);
  dropLate();
  line.pending.forEach(transmitEvent);
  line.handlers.live();
}

/** Drops old commands that the box did not receive: the snapshot does not acknowledge them. */
function dropLate() {
  const late = line.pending.filter(event => isCommand(event) && !outlivesCuts(event) && now() - event.t > commandTimeout);
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

/** Reloads if this browser is not a phone of the box any more. The refused socket has no status; a request for the page has one. */
async function checkAdmission() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
}

function lost() {
  line.live = line.stalled = false;
  line.socket = null;
  line.handlers.cut();
  if (line.ended) return;
  watchDown();
  if (line.tries >= 2) checkAdmission();
  const pause = delays[Math.min(line.tries++, delays.length - 1)];
  line.timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
}

/** Checks the connection. Only a visible page sends pings. */
function watch() {
  const time = now();
  // A page that was hidden or asleep starts over: it sent no ping, or has not read the received frames.
  if (document.hidden || time - line.watched > silence.ping) line.awake = time;
  line.watched = time;
  if (!line.live || document.hidden) return;
  // The box answers pings however busy it is.
  showBusy(!line.stalled && line.pending.some(event => isCommand(event) && time - event.t >= silence.away));
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

/** Closes the socket without waiting for the closing handshake, which takes long on a dead connection. */
function close() {
  const socket = line.socket;
  line.socket = null;
  line.live = line.stalled = false;
  socket?.close();
  line.handlers.cut();
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

/** Resumes after the page was hidden. A phone that slept may hold a dead connection: one that stays silent is replaced. */
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
