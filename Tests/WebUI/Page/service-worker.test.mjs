// service-worker.js: notifications for pushes, their taps, reports, and the caches of apps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import vm from "node:vm";

const source = readFileSync(new URL("../../../Sources/WebUI/WebRenderer/Resources/service-worker.js", import.meta.url), "utf8");
const box = { version: "2", pages: { "/": "Home", "/apps/pager2077/": "Pager2077" } };
const origin = "https://box.test";
let worker;

/** A page of the box, or another window of its origin. */
class Page {
  messages = [];
  visibilityState = "hidden";
  focused = false;
  constructor(path, state = {}) { Object.assign(this, state).url = origin + path; }
  postMessage(message) { this.messages.push(JSON.parse(JSON.stringify(message))); }
  async focus() { this.gotFocus = true; if (this.refuses) throw new Error("not allowed"); return this; }
}

/** The worker of one app, with the parts of a browser that it uses. */
function start(scope = "/apps/pager2077/") {
  const listeners = new Map();
  const it = { pages: [], opened: [], requests: [], replies: [], pauses: [], badges: [], shown: [], caches: [], filled: [] };
  const self = {
    registration: {
      scope: origin + scope,
      showNotification: async (title, options) => { it.shown.push({ title, ...JSON.parse(JSON.stringify(options)) }); },
    },
    clients: {
      claim: async () => {}, matchAll: async () => it.pages,
      openWindow: async address => { it.opened.push(address); if (it.refuses) throw new Error("not allowed"); },
    },
    addEventListener: (name, act) => listeners.set(name, act), skipWaiting: async () => {},
  };
  const navigator = { setAppBadge: async count => { it.badges.push(count); }, clearAppBadge: async () => { it.badges.push(0); } };
  const cache = { addAll: async names => { it.filled.push(...names); } };
  vm.runInNewContext(`const box = ${JSON.stringify(box)};\n${source}`, {
    self, navigator, URL, AbortSignal, location: { origin },
    btoa, caches: { match: async (path, { cacheName }) => it.kept?.[`${cacheName} ${path}`]?.clone(), keys: async () => it.caches, open: async () => cache, delete: async name => { it.caches = it.caches.filter(one => one !== name); } },
    setTimeout: (act, pause) => { it.pauses.push(pause); queueMicrotask(act); },
    fetch: async (url, options) => {
      it.requests.push({ url: String(url), method: options.method, credentials: options.credentials, redirect: options.redirect });
      const reply = it.replies.shift() ?? 204;
      if (reply === "lost") throw new TypeError("network");
      return { status: reply };
    },
  });
  it.happens = async (name, details = {}) => {
    let work;
    listeners.get(name)({ ...details, waitUntil: promise => { work = promise; } });
    await work;
  };
  /** @param {string | null} text */
  it.push = text => it.happens("push", { data: text === null ? null : { json: () => JSON.parse(text) } });
  it.tap = data => it.happens("notificationclick", { notification: { data, close: () => { it.isClosed = true; } } });
  return it;
}

const payload = fields => JSON.stringify({ title: "Ada", body: "WAKE UP", tag: "chat-1", ...fields });
const paths = () => worker.requests.map(({ url }) => url);

beforeEach(() => { worker = start(); });

test("a push is shown with its texts, its tag and the app's icon", async () => {
  worker.kept = { "files of /apps/pager2077/ 2 /apps/pager2077/icon-192.png": new Response(new Uint8Array([1, 2, 255])) };
  await worker.push(payload({ opened: "/api/pushes/x/opened" }));
  const [notification] = worker.shown;
  assert.equal(worker.shown.length, 1);
  assert.deepEqual([notification.title, notification.body, notification.tag, notification.icon],
    ["Ada", "WAKE UP", "chat-1", "data:image/png;base64,AQL/"]);
  assert.deepEqual(notification.data, { tag: "chat-1", opened: "/api/pushes/x/opened" });
});

test("a push makes a sound of its own, unless an open page has shown the same", async () => {
  await worker.push(payload({}));
  worker.pages = [new Page("/apps/pager2077/")];
  await worker.push(payload({}));
  assert.deepEqual(worker.shown.map(({ renotify }) => renotify), [true, false]);
});

for (const text of [null, "", "{", "null", "7", "[]", '"text"', '{"title":7,"body":{},"tag":[],"badge":"3","shown":9}', '{"title":""}']) {
  test(`an unreadable payload (${text}) shows the app's name only`, async () => {
    await worker.push(text);
    assert.deepEqual(worker.shown.map(({ title, body, tag, data }) => [title, body, tag, data]), [["Pager2077", undefined, "push", {}]]);
    assert.deepEqual([worker.requests, worker.badges], [[], []]);
  });
}

test("the readable fields of a payload count", async () => {
  await worker.push('{"title":7,"body":"text","badge":2}');
  assert.deepEqual(worker.shown.map(({ title, body }) => [title, body]), [["Pager2077", "text"]]);
  assert.deepEqual(worker.badges, [2]);
});

test("the badge of a push is set, and removed by 0", async () => {
  for (const badge of [3, 0, -1, 1.5, 1e300]) await worker.push(payload({ badge }));
  assert.deepEqual(worker.badges, [3, 0]);
});

test("a shown push is reported once, without a cookie", async () => {
  await worker.push(payload({ shown: "/api/pushes/x/shown" }));
  assert.deepEqual(worker.requests, [
    { url: `${origin}/api/pushes/x/shown`, method: "POST", credentials: "omit", redirect: "error" }]);
});

test("a report that fails is sent once more", async () => {
  for (const failure of ["lost", 503]) {
    worker = start();
    worker.replies = [failure, failure, failure];
    await worker.push(payload({ shown: "/shown" }));
    assert.deepEqual(paths(), [`${origin}/shown`, `${origin}/shown`]);
    assert.deepEqual(worker.pauses, [0, 2000]);
  }
});

test("a report that the box refuses is not repeated", async () => {
  worker.replies = [404];
  await worker.push(payload({ shown: "/shown" }));
  assert.equal(worker.requests.length, 1);
});

test("a push that could not be shown is not reported", async () => {
  worker.shown.push = () => { throw new Error("no permission"); };
  await assert.rejects(worker.push(payload({ shown: "/shown" })), /no permission/);
  assert.deepEqual(worker.requests, []);
});

test("reports go to the own origin only", async () => {
  for (const shown of ["https://evil.test/", "//evil.test/", "/\\evil.test/", "/\t/evil.test/", "shown", "", "javascript:alert(1)", "http://[", "//"]) {
    await worker.push(payload({ shown, opened: shown }));
    await worker.tap({ tag: "chat-1", opened: shown });
  }
  assert.deepEqual(worker.requests, []);
});

test("a tap closes the notification, reports, and focuses the page of the app that is in front", async () => {
  const [home, other, front, offline] = worker.pages = [
    new Page("/", { focused: true }), new Page("/apps/pager2077/"), new Page("/apps/pager2077/?a#b", { visibilityState: "visible" }),
    new Page("/apps/pager2077/other")];
  await worker.tap({ tag: "chat-1", opened: "/opened" });
  assert.ok(worker.isClosed && front.gotFocus);
  assert.deepEqual(front.messages, [{ tapped: "chat-1" }]);
  assert.deepEqual([home, other, offline].flatMap(page => page.messages), []);
  assert.deepEqual([paths(), worker.opened], [[`${origin}/opened`], []]);
});

test("a tap without a page opens the app with the tag", async () => {
  worker.pages = [new Page("/")];
  await worker.tap({ tag: "chat-1&x=#ü" });
  assert.deepEqual(worker.opened, ["/apps/pager2077/#notification=chat-1%26x%3D%23%C3%BC"]);
});

test("a tap on a notification without a tag opens the app", async () => {
  await worker.tap({});
  await worker.tap(null);
  assert.deepEqual(worker.opened, ["/apps/pager2077/", "/apps/pager2077/"]);
  const [page] = worker.pages = [new Page("/apps/pager2077/")];
  await worker.tap({});
  assert.deepEqual([page.gotFocus, page.messages], [true, []]);
});

test("a browser that refuses the focus still delivers the tag", async () => {
  const [page] = worker.pages = [new Page("/apps/pager2077/", { refuses: true })];
  await worker.tap({ tag: "chat-1" });
  assert.deepEqual(page.messages, [{ tapped: "chat-1" }]);
  worker.pages = [];
  worker.refuses = true;
  await worker.tap({ tag: "chat-1" });
});

test("a changed subscription is reported to the app's pages", async () => {
  const [one, home] = worker.pages = [new Page("/apps/pager2077/"), new Page("/")];
  await worker.happens("pushsubscriptionchange");
  assert.deepEqual([one.messages, home.messages], [[{ address: true }], []]);
});

test("the worker of an app removes its own old caches", async () => {
  worker.caches = ["files of /apps/pager2077/ 1", "files of /apps/pager2077/ 2", "files of / 1", "/apps/static/1/", "another"];
  await worker.happens("activate");
  assert.deepEqual(worker.caches, ["files of /apps/pager2077/ 2", "files of / 1", "another"]);
});

test("the worker of a removed app still shows notifications", async () => {
  worker = start("/apps/gone/");
  await worker.push(null);
  assert.equal(worker.shown[0].title, "Switchboard");
});
