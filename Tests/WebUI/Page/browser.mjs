// A browser for tests of the page's modules: a document, a clock that stands still, sockets whose other end is the test.

import { register } from "node:module";
import { Document, HTMLElement } from "./document.mjs";

register("./loader.mjs", import.meta.url);
const resources = new URL("../../../Sources/WebUI/WebRenderer/Resources/", import.meta.url);
let instances = 0;

/** A clock that a test advances. */
class Clock {
  time = 0;
  #timers = [];
  #count = 0;

  set = (act, pause = 0, ...values) => this.#add(act, pause, values, false);
  repeat = (act, pause) => this.#add(act, pause, [], true);
  clear = id => { this.#timers = this.#timers.filter(timer => timer.id !== id); };
  #add(act, pause, values, repeats) {
    this.#timers.push({ id: ++this.#count, at: this.time + pause, act, pause, values, repeats });
    return this.#count;
  }

  /** Runs every timer that is due within the next `milliseconds`, in order. */
  async advance(milliseconds) {
    const end = this.time + milliseconds;
    await settled();
    for (;;) {
      const due = this.#timers.filter(timer => timer.at <= end).sort((one, other) => one.at - other.at || one.id - other.id)[0];
      if (!due) break;
      this.time = Math.max(this.time, due.at);
      if (due.repeats) due.at += due.pause; else this.clear(due.id);
      due.act(...due.values);
      await settled();
    }
    this.time = end;
  }
}

/** Waits until every promise that can be resolved is. */
export const settled = () => new Promise(resolve => setImmediate(resolve));

/** The page's handlers of connection events: empty, except those that a test sets. */
export const handlers = own => ({
  root() {}, ops() {}, request() {}, gone() {}, through() {}, acked() {}, live() {}, cut() {}, anew() {}, binary() {}, ...own,
});

class Storage {
  #items = new Map();
  getItem(name) { return this.#items.get(name) ?? null; }
  setItem(name, value) { this.#items.set(name, String(value)); }
  removeItem(name) { this.#items.delete(name); }
}

/** One end of a connection. The test is the other. */
class Socket {
  sent = [];
  isClosed = false;
  constructor(address) {
    this.address = String(address);
    Socket.all.push(this);
  }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.isClosed = true; }

  /** The server accepts the connection. */
  accept() { this.onopen(); }
  /** The server sends a frame. */
  receive(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
  /** The connection breaks. */
  breaks() { this.isClosed = true; this.onclose(); }
  /** The events that the page has sent, without its hello and its pings. */
  get events() { return this.sent.filter(frame => frame.e); }
}

/**
 * A new browser with an empty page, as globals of this process.
 * @returns what a test needs of it, and `load`, which imports a module of the page with a state of its own
 */
export function browser({ languages = ["en-US"], platform = "Linux" } = {}) {
  const clock = new Clock();
  const document = new Document();
  const listeners = new Map();
  Socket.all = [];
  document.body.dataset.socket = "/socket";
  document.body.dataset.version = "1";
  document.body.dataset.static = "/static/1";
  const main = document.createElement("main");
  const screen = Object.assign(document.createElement("div"), { id: "screen", clientWidth: 390, clientHeight: 844 });
  const pill = Object.assign(document.createElement("div"), { id: "pill" });
  main.append(screen, pill);
  document.body.append(main);
  const globals = {
    document, HTMLElement, WebSocket: Socket, sessionStorage: new Storage(), localStorage: new Storage(),
    location: { href: "http://box.test/apps/pager2077/", origin: "http://box.test", protocol: "http:", pathname: "/apps/pager2077/", search: "", hash: "",
      reloads: 0, reload() { this.reloads += 1; } },
    navigator: { languages, platform, onLine: true },
    performance: { now: () => clock.time },
    setTimeout: clock.set, clearTimeout: clock.clear, setInterval: clock.repeat, clearInterval: clock.clear,
    requestAnimationFrame: act => clock.set(act, 16),
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    addEventListener: (name, act) => listeners.set(name, [...(listeners.get(name) ?? []), act]),
    CSS: { supports: () => true }, IntersectionObserver: class { observe() {} unobserve() {} }, ResizeObserver: class { observe() {} },
    fetch: async () => ({ status: 200 }), isSecureContext: true,
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  globalThis.window = globalThis;
  Date.now = () => 1_700_000_000_000 + clock.time;
  Math.random = () => 0.5;
  const query = `?${++instances}`;
  return {
    clock, document, screen, pill, sockets: Socket.all,
    get socket() { return Socket.all.at(-1); },
    load: name => import(new URL(name, resources) + query),
    /** An event of the window. */
    happens: (name, details = {}) => { for (const act of listeners.get(name) ?? []) act({ type: name, ...details }); },
    hide() { document.hidden = true; document.heard({ type: "visibilitychange" }); },
    show() { document.hidden = false; document.heard({ type: "visibilitychange" }); },
  };
}
