// The app's notifications: the service worker that shows them, their taps, and the push subscription.

import { base64, bytes } from "./base64.js";
import { isUnacknowledged, send } from "./connection.js";
import { refuse } from "./refusal.js";

/** The path of the app's page. The worker is registered for it, so that each app has notifications and a subscription of its own. */
const folder = location.pathname;
const keyOf = folder => `notifications ${folder}`;
/** The key of the permission and the subscription that the box knows of. */
const key = keyOf(folder);
/** The time in milliseconds that a push service has to answer. */
const pushServiceTimeout = 100_000;
/** The notifications that the page shows itself, where it has no worker. @type {Map<string, Notification>} */
const shown = new Map();
/** The registration with an active worker; null without one. @type {Promise<ServiceWorkerRegistration | null>} */
let registered = Promise.resolve(null);
/** The browser delivers changes as long as the status exists. */
let permissionStatus = null;
/** True after the first snapshot. Earlier events would have numbers that the box may have seen before a reload. */
let hasTree = false;
/** The notifications that were tapped before. @type {string[]} */
let early = [];
/** The permission and the subscription in the last report, until the box acknowledges it. */
let reported = "";
let lastChange = Promise.resolve();

const supported = () => "Notification" in window;

/** Registers the worker, and listens to it and to the permission. */
export function listen() {
  registered = register();
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (typeof data?.tapped === "string") tapped(data.tapped);
    if (data?.address) reportAddress(true);
  });
  document.addEventListener("visibilitychange", () => document.hidden || reportAddress());
  watchPermission().catch(() => {});
}

/** Browsers have no service worker without TLS, and some refuse it. */
async function register() {
  try {
    const registration = await navigator.serviceWorker?.register("/service-worker.js", { scope: folder });
    if (!registration) return null;
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    while (!["activated", "redundant"].includes(worker?.state)) {
      await new Promise(done => worker.addEventListener("statechange", done, { once: true }));
    }
    return registration.active ? registration : null;
  } catch { return null; }
}

async function watchPermission() {
  permissionStatus = await navigator.permissions?.query({ name: "notifications" });
  permissionStatus?.addEventListener("change", () => reportAddress());
}

/** Call after each snapshot. */
export function live() {
  hasTree = true;
  for (const tag of early.splice(0)) tapped(tag);
  reportAddress();
}

/** Call after each acknowledgement. */
export function acked() {
  if (!reported || isUnacknowledged("address")) return;
  localStorage.setItem(key, reported);
  reported = "";
}

/** Tells the app that a notification was tapped. */
export function tapped(tag) {
  if (hasTree) send("notification", 0, tag);
  else early.push(tag);
}

/** Reports that the permission or the subscription is not the one that the box knows of. */
async function reportAddress(isCertain = false) {
  if (!supported() || !hasTree) return;
  const now = await state();
  const known = localStorage.getItem(key);
  // The first page: its app begins, and requests what it needs.
  if (known === null && !isCertain) return localStorage.setItem(key, now);
  if (!isCertain && now === (reported || known)) return;
  if (send("address")) reported = now;
}

async function state() {
  const subscription = await (await registered)?.pushManager?.getSubscription().catch(() => null);
  return `${Notification.permission} ${subscription?.endpoint ?? ""}`;
}

export const permission = () => supported() ? Notification.permission : refuse("unsupported");

/** Requests permission. Browsers allow it for a moment after a tap, which includes the round trip to the box. */
export async function request() {
  if (!supported()) refuse("unsupported");
  if (Notification.permission === "default" && navigator.userActivation?.isActive === false) refuse("gesture");
  return Notification.requestPermission();
}

/** Requests permission inside a click handler. */
export async function permit() { if (supported()) await Notification.requestPermission(); }

/** Shows a notification in place of an earlier one with its tag, from a push or from a page. It outlives the page where there is a worker. */
export const show = notification => inTurn(async () => {
  permission();
  const registration = await registered;
  if (Notification.permission !== "granted") refuse("denied");
  const { tag, title, body } = notification;
  const icon = folder + "icon-192.png";
  if (registration) await registration.showNotification(title, { tag, body, renotify: Boolean(tag), icon, data: { tag } });
  else showHere(tag, title, body);
  return true;
});

function showHere(tag, title, body) {
  const notification = new Notification(title, { tag, body });
  notification.onclick = () => { window.focus(); notification.close(); tapped(tag); };
  notification.onclose = () => { if (shown.get(tag) === notification) shown.delete(tag); };
  shown.set(tag, notification);
}

/** Removes a notification, whoever showed it. */
export const clear = tag => inTurn(async () => {
  shown.get(tag)?.close();
  shown.delete(tag);
  await close(await registered, { tag });
  return true;
});

async function close(registration, filter) {
  for (const notification of await registration?.getNotifications(filter) ?? []) notification.close();
}

/** Makes one change after the other, so that a notification is not removed before it is shown. */
function inTurn(change) {
  const result = lastChange.then(change);
  lastChange = result.catch(() => {});
  return result;
}

/** Subscribes to pushes that are signed with the key, unless the app is subscribed already. @param {string} applicationServerKey base64url */
export async function subscribe(applicationServerKey) {
  const manager = (await registered)?.pushManager;
  if (!supported() || !manager) refuse("unsupported");
  if (Notification.permission !== "granted") refuse("denied");
  // Another page of the app must not end the new subscription.
  const { endpoint, keys } = (await alone(() => renew(manager, bytes(applicationServerKey)))).toJSON();
  localStorage.setItem(key, await state());
  return { endpoint, keys };
}

const alone = act => navigator.locks ? navigator.locks.request(key, act) : act();

async function renew(manager, applicationServerKey) {
  const old = await manager.getSubscription();
  const oldKey = old?.options.applicationServerKey;
  if (oldKey && base64(oldKey) === base64(applicationServerKey)) return old;
  await old?.unsubscribe();
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no push service")), pushServiceTimeout));
  return Promise.race([manager.subscribe({ userVisibleOnly: true, applicationServerKey }), late]);
}

/** Ends the subscriptions and removes the notifications of all apps: the phone was forgotten. */
export async function forget() {
  const work = (await navigator.serviceWorker?.getRegistrations() ?? []).map(async registration => {
    localStorage.removeItem(keyOf(new URL(registration.scope).pathname));
    await close(registration);
    await (await registration.pushManager?.getSubscription())?.unsubscribe();
  });
  // A push service that does not answer must not keep the page.
  await Promise.race([Promise.allSettled(work), new Promise(done => setTimeout(done, 2_000))]);
}
