// Stands between the pages of a box and the box. It keeps files of the page, and shows a notice while the box cannot be reached.
// Pages themselves are always the box's own; sockets and services do not pass through here. In front of this the box writes
// `const box = {…}`: its version, which is in the address of each file, and the addresses of its pages.

const shell = `/apps/static/${box.version}/`;
const notice = shell + "offline.html";
/** What a box may take to begin an answer, in milliseconds. Browsers wait for minutes. */
const patience = 15_000;
/** What proxies answer in place of a box that does not. */
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

/** Keeps what the notice needs. Other files are kept when a page asks for them. */
async function fill() {
  const cache = await caches.open(shell);
  await cache.addAll([notice, ...["offline.js", "plain.css", "icon.svg"].map(name => shell + name)]);
  await self.skipWaiting();
}

/** Lets go of the files of other versions. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter(name => name.startsWith("/apps/static/") && name !== shell).map(name => caches.delete(name)));
  await self.clients.claim();
}

async function page(request) {
  const late = new Promise(resolve => setTimeout(resolve, patience));
  const answer = await Promise.race([fetch(request), late]).catch(() => undefined);
  if (answer && !absent.includes(answer.status)) return answer;
  return await caches.match(notice) ?? answer ?? Response.error();
}

/** A file never changes at its address. */
async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) keep(request, answer.clone());
  return answer;
}

async function keep(request, answer) {
  const cache = await caches.open(shell);
  // A full disk is no reason not to show a page.
  await cache.put(request, answer).catch(() => {});
}
