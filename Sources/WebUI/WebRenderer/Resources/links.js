// Links into the app: the address of its page with a fragment. The fragment is removed from the address at once, so that neither a
// reload nor the history opens the link again. The service worker opens a page with `#notification=` and the tag of a tapped notification.

import { acknowledged, send } from "./connection.js";
import { dropEntry } from "./history.js";
import { tapped } from "./notifications.js";

/** The unacknowledged link and its sequence number. */
const link = { address: "", sequence: 0 };

const tapPrefix = "#notification=";

/** Takes the fragment of the page's address. */
function take() {
  if (!location.hash.startsWith(tapPrefix)) return void Object.assign(link, { address: location.href, sequence: 0 });
  try {
    tapped(decodeURIComponent(location.hash.slice(tapPrefix.length)));
  } catch { /* The worker's own addresses can be decoded. */ }
}

/** Sends the link again on a new connection. */
export function sendLink() { if (link.address) link.sequence = send("url", 0, link.address); }

/** Drops an acknowledged link. Call after each acknowledgement. */
export function dropAcknowledgedLink() { if (link.sequence && acknowledged() >= link.sequence) link.address = ""; }

export function listen() {
  if (location.hash) {
    take();
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  addEventListener("hashchange", () => {
    if (!location.hash) return;
    take();
    dropEntry();
    sendLink();
  });
}
