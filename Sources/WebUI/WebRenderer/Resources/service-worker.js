// Caches the files of pages, and shows the offline page while the box is unreachable. Pages themselves always come from the box; sockets and
// services bypass the worker. The box prepends `const box = {…}` with its version, which is in the path of each file, and the paths of its pages.

const shell = `/apps/static/${box.version}/`;
const notice = shell + "offline.html";
/** The timeout for the start of a response, in milliseconds. Browsers wait for minutes. */
const responseTimeout = 15_000;
/** The status codes of proxies for an unreachable box. */
const absent = [502, 503, 504];

self.addEventListener("install", event => event.waitUntil(fill()));
self.addEventListener("activate", event => event.waitUntil(takeOver()));
self.addEventListener("fetch", event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" ? box.pages.includes(pathname) : pathname.startsWith(shell)) {
    event.respondWith(request.mode === "navigate" ? page(request) : file(request));
  }
});

/** Caches the files of the offline page. Other files are cached on request. */
async function fill() {
  const cache = await caches.open(shell);
  await cache.addAll([notice, ...["offline.js", "plain.css", "icon.svg"].map(name => shell + name)]);
  await self.skipWaiting();
}

/** Removes the caches of other versions. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter(name => name.startsWith("/apps/static/") && name !== shell).map(name => caches.delete(name)));
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
  const cache = await caches.open(shell);
  // A full disk must not prevent the page.
  await cache.put(request, answer).catch(() => {});
}
