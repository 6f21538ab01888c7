// Caches the files of pages, shows the offline page while the box is unreachable, and shows notifications. Pages themselves always come from the
// box; sockets and services bypass the worker. Each page registers the worker for its own path, so each app has notifications and a push
// subscription of its own. The box prepends `const box = {…}` with its version, which is in the path of each file, and its pages: titles by path.

const shell = `/apps/static/${box.version}/`;
const notice = shell + "offline.html";
/** The path of the app's page. */
const folder = new URL(self.registration.scope).pathname;
const app = box.pages[folder] ?? "Switchboard";
const icon = folder + "icon-192.png";
/** The worker of another app may have another version, whose files it still needs. */
const cachePrefix = `files of ${folder} `;
const cacheName = cachePrefix + box.version;
/** The timeout for the start of a response, in milliseconds. Browsers wait for minutes. */
const responseTimeout = 15_000;
/** The timeout of a report, and the pause before it is sent again, in milliseconds. */
const report = { timeout: 10_000, pause: 2_000 };
/** The status codes of proxies for an unreachable box. */
const absent = [502, 503, 504];

self.addEventListener("install", event => event.waitUntil(fill()));
self.addEventListener("activate", event => event.waitUntil(takeOver()));
self.addEventListener("fetch", event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" ? Object.hasOwn(box.pages, pathname) : pathname.startsWith(shell)) {
    event.respondWith(request.mode === "navigate" ? page(request) : file(request));
  }
});
self.addEventListener("push", event => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", event => event.waitUntil(leave(event.notification)));
self.addEventListener("pushsubscriptionchange", event => event.waitUntil(tell({ address: true })));

/** Caches the app's icon and the files of the offline page. Other files are cached on request. */
async function fill() {
  const cache = await caches.open(cacheName);
  await cache.addAll([icon, notice, ...["offline.js", "languages.js", "plain.css", "icon.svg"].map(name => shell + name)]);
  await self.skipWaiting();
}

/** Removes the caches of other versions, and of releases whose one worker served all apps. */
async function takeOver() {
  const isOld = name => name.startsWith(cachePrefix) && name !== cacheName || name.startsWith("/apps/static/");
  await Promise.all((await caches.keys()).filter(isOld).map(name => caches.delete(name)));
  await self.clients.claim();
}

async function page(request) {
  const late = new Promise(resolve => setTimeout(resolve, responseTimeout));
  const answer = await Promise.race([fetch(request), late]).catch(() => undefined);
  if (answer && !absent.includes(answer.status)) return answer;
  return await caches.match(notice) ?? answer ?? Response.error();
}

/** Returns a file, which never changes at its path. */
async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) keep(request, answer.clone());
  return answer;
}

async function keep(request, answer) {
  const cache = await caches.open(cacheName);
  // A full disk must not prevent the page.
  await cache.put(request, answer).catch(() => {});
}

/** Shows a notification for each push, also for an unreadable one: browsers end the subscription of a worker that shows nothing. */
async function show(data) {
  const { title = app, body, tag, badge, shown, opened } = fields(data);
  // An open page has shown the same with a sound. Without a tag of its own it takes the place of the last one without.
  const renotify = (await pages()).length === 0;
  await self.registration.showNotification(title, {
    body, tag: tag ?? "push", renotify, icon: await cachedIcon(), data: { tag, opened },
  });
  await Promise.all([send(shown), mark(badge)]);
}

/** The app's icon as a URL with its content. A browser would wait with the notification for a box that is out of reach. */
async function cachedIcon() {
  const kept = await caches.match(icon, { cacheName }).catch(() => undefined);
  if (!kept) return undefined;
  const bytes = new Uint8Array(await kept.arrayBuffer());
  return `data:image/png;base64,${btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))}`;
}

/** The fields of a payload that have the right type. */
function fields(data) {
  let payload = null;
  try { payload = data?.json(); } catch { /* Not JSON. */ }
  const readable = Object.entries(payload ?? {}).filter(([name, value]) => name === "badge"
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === "string" && value !== "");
  return Object.fromEntries(readable);
}

/** Sets the number on the app's icon. */
async function mark(badge) {
  if (badge !== undefined) await (badge ? navigator.setAppBadge?.(badge) : navigator.clearAppBadge?.())?.catch(() => {});
}

/** Reports to a path on the box, and once more if the box does not answer. The path comes with the push; the report contains no cookie. */
async function send(path) {
  const address = own(path);
  if (!address) return;
  for (const pause of [0, report.pause]) {
    await new Promise(resolve => setTimeout(resolve, pause));
    const answer = await fetch(address, {
      method: "POST", credentials: "omit", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(report.timeout),
    }).catch(() => null);
    if (answer && answer.status < 500) return;
  }
}

/** The address of a path on the worker's own origin; null for any other text. */
function own(path) {
  if (!path?.startsWith("/")) return null;
  try {
    const address = new URL(path, location.origin);
    return address.origin === location.origin ? address : null;
  } catch { return null; }
}

/** Handles a tap. Browsers allow the focus or a new page for a moment only, so the report does not delay it. */
async function leave(notification) {
  notification.close();
  const { tag, opened } = notification.data ?? {};
  await Promise.all([open(tag), send(opened)]);
}

/** Shows the app's page and tells it the tag of the tapped notification. */
async function open(tag) {
  const all = await pages();
  const page = all.find(page => page.focused) ?? all.find(page => page.visibilityState === "visible") ?? all[0];
  if (tag) page?.postMessage({ tapped: tag });
  // Browsers refuse without a tap.
  await (page ? page.focus() : self.clients.openWindow(folder + (tag ? `#notification=${encodeURIComponent(tag)}` : ""))).catch(() => {});
}

async function tell(message) {
  for (const page of await pages()) page.postMessage(message);
}

/** The open pages of the app. */
async function pages() {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(page => new URL(page.url).pathname === folder);
}
