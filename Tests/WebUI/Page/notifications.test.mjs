// notifications.js: permission, the push subscription, and notifications through the service worker.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers, settled } from "./browser.mjs";

const keys = { one: "BAAB", other: "BAAC" };
let page, connection, notifications, worker, permission;

/** A service worker's registration, as far as a page uses it. */
class Worker {
  active = { state: "activated" };
  scope = "http://box.test/apps/pager2077/";
  shown = [];
  subscription = null;
  count = 0;
  pushManager = {
    getSubscription: async () => this.subscription,
    subscribe: async ({ applicationServerKey, userVisibleOnly }) => {
      assert.equal(userVisibleOnly, true);
      if (this.failure) throw this.failure;
      const endpoint = `https://push.test/${++this.count}`;
      return this.subscription = {
        endpoint, options: { applicationServerKey: applicationServerKey.buffer },
        toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: "key", auth: "secret" } }),
        unsubscribe: async () => { this.subscription = null; return true; },
      };
    },
  };

  async showNotification(title, options) {
    const notification = { title, ...options, close: () => { this.shown = this.shown.filter(one => one !== notification); } };
    this.shown = [...this.shown.filter(one => one.tag !== options.tag), notification];
  }
  async getNotifications({ tag } = {}) { return this.shown.filter(one => tag === undefined || one.tag === tag); }
}

/** Loads the page with its modules, as after a reload if there was one. */
async function load({ hasWorker = true, stored = {} } = {}) {
  page = browser();
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
  permission = new EventTarget();
  globalThis.Notification = { permission: "default" };
  page.container = Object.assign(new EventTarget(), {
    register: async (script, { scope }) => {
      assert.deepEqual([script, scope], ["/service-worker.js", "/apps/pager2077/"]);
      if (!hasWorker) throw new Error("no worker without TLS");
      return worker;
    },
  });
  Object.assign(navigator, {
    serviceWorker: page.container, permissions: { query: async () => permission }, locks: { request: async (_, act) => act() },
  });
  connection = await page.load("connection.js");
  notifications = await page.load("notifications.js");
  connection.start(handlers({ live: notifications.live, acked: notifications.acked }));
  notifications.listen();
  page.socket.accept();
}

const begin = () => page.socket.receive({ root: {}, session: "secret", ack: 0 });
const events = () => page.socket.events.map(({ e, v }) => v === undefined ? e : [e, v]);
const tell = data => page.container.dispatchEvent(new MessageEvent("message", { data }));
const refused = (work, word) => assert.rejects(work, error => error.message === word);

beforeEach(async () => { worker = new Worker(); await load(); });

test("a notification outlives the page, replaces another one by its tag, and can be removed", async () => {
  Notification.permission = "granted";
  for (const body of ["one", "two"]) await notifications.show({ tag: "chat-1", title: "Ada", body });
  await notifications.show({ tag: "chat-2", title: "Bob", body: "three" });
  assert.deepEqual(worker.shown.map(({ tag, title, body, data }) => [tag, title, body, data]), [
    ["chat-1", "Ada", "two", { tag: "chat-1" }], ["chat-2", "Bob", "three", { tag: "chat-2" }]]);
  assert.equal(worker.shown[0].icon, "/apps/pager2077/icon-192.png");
  assert.ok(worker.shown[0].renotify, "each message makes a sound");
  await notifications.clear("chat-1");
  assert.deepEqual(worker.shown.map(one => one.tag), ["chat-2"]);
});

test("a notification that is removed at once does not stay", async () => {
  Notification.permission = "granted";
  const show = worker.showNotification.bind(worker);
  worker.showNotification = async (...all) => { await settled(); await show(...all); };
  await Promise.all([notifications.show({ tag: "chat-1", title: "Ada", body: "" }), notifications.clear("chat-1")]);
  assert.deepEqual(worker.shown, []);
});

test("without permission nothing is shown", async () => {
  for (Notification.permission of ["default", "denied"]) {
    await refused(notifications.show({ tag: "a", title: "A", body: "" }), "denied");
    await refused(notifications.subscribe(keys.one), "denied");
  }
  assert.deepEqual([worker.shown, worker.count], [[], 0]);
});

test("a subscription with the same key is used again", async () => {
  Notification.permission = "granted";
  const first = await notifications.subscribe(keys.one);
  assert.deepEqual(first, { endpoint: "https://push.test/1", keys: { p256dh: "key", auth: "secret" } });
  assert.deepEqual(await notifications.subscribe(keys.one), first);
  assert.equal((await notifications.subscribe(keys.other)).endpoint, "https://push.test/2");
  assert.equal(worker.count, 2);
});

test("a push service that does not answer is not waited for", async () => {
  Notification.permission = "granted";
  worker.pushManager.subscribe = () => new Promise(() => {});
  const answer = assert.rejects(notifications.subscribe(keys.one), /no push service/);
  await page.clock.advance(100_000);
  await answer;
});

test("without a worker there is no subscription", async () => {
  await load({ hasWorker: false });
  Notification.permission = "granted";
  await refused(notifications.subscribe(keys.one), "unsupported");
});

test("a tapped notification is reported once there is a tree", async () => {
  tell({ tapped: "chat-1" });
  tell({ tapped: 7 });
  tell(null);
  assert.deepEqual(events(), []);
  begin();
  tell({ tapped: "chat-2" });
  assert.deepEqual(events(), [["notification", "chat-1"], ["notification", "chat-2"]]);
});

test("a changed permission is reported until the box has acknowledged it", async () => {
  begin();
  await settled();
  assert.deepEqual(events(), []);
  Notification.permission = "granted";
  permission.dispatchEvent(new Event("change"));
  await settled();
  assert.deepEqual(events(), ["address"]);
  assert.equal(localStorage.getItem("notifications /apps/pager2077/"), "default ");
  // The browser tells it in two ways.
  page.show();
  await settled();
  assert.equal(events().filter(event => event === "address").length, 1);
  page.socket.receive({ ack: page.socket.events.at(-1).s });
  assert.equal(localStorage.getItem("notifications /apps/pager2077/"), "granted ");
});

test("a permission that changed while no page was open is reported at the next start", async () => {
  await load({ stored: { "notifications /apps/pager2077/": "granted https://push.test/1" } });
  begin();
  await settled();
  assert.deepEqual(events(), ["address"]);
});

test("a subscription that ended is reported", async () => {
  Notification.permission = "granted";
  begin();
  await notifications.subscribe(keys.one);
  page.show();
  await settled();
  assert.ok(!events().includes("address"));
  worker.subscription = null;
  tell({ address: true });
  await settled();
  assert.ok(events().includes("address"));
});

test("a change that a lost connection swallowed is sent again, also to a new tree", async () => {
  begin();
  await settled();
  Notification.permission = "denied";
  permission.dispatchEvent(new Event("change"));
  await settled();
  page.socket.breaks();
  await page.clock.advance(1_000);
  page.socket.accept();
  page.socket.receive({ root: {}, session: "other", resumed: false, ack: 0 });
  await settled();
  assert.deepEqual(events(), ["address"]);
});

test("a forgotten phone keeps neither subscriptions nor notifications", async () => {
  Notification.permission = "granted";
  page.container.getRegistrations = async () => [worker];
  await notifications.subscribe(keys.one);
  await notifications.show({ tag: "chat-1", title: "Ada", body: "WAKE UP" });
  await notifications.forget();
  assert.deepEqual([worker.subscription, worker.shown, localStorage.getItem("notifications /apps/pager2077/")], [null, [], null]);
});
