// The browser's back action. The history has an entry for each page, dialog and escape action that can be left: going back leaves the last
// of them, and without any the app. Each has an entry of its own, because browsers skip entries that a page adds without a user interaction.

import { isUnacknowledged, send } from "./connection.js";
import { dialogs } from "./kinds.js";
import { tree } from "./nodes.js";
import { currentOverlay, onOverlay } from "./overlay.js";
import { owner } from "./owners.js";
import { dialogsUp } from "./stage.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/** The number of entries of this page below the current one. The browser keeps it through a reload. */
const place = () => Number(history.state?.place) || 0;
/** The timer while the browser moves to another entry. */
let going = 0;
/** The timer while the browser may also handle a swipe. */
let swiped = 0;

/** What can be left, from the bottom: pushed pages and escape actions, then each dialog with its own, then the overlay. */
function levels() {
  const overlay = currentOverlay();
  const candidates = [...document.querySelectorAll(".page, .escapes")].map(owner).filter(node => node && !isFirstPage(node));
  const layer = node => (node.k === "page" ? node.up.el : node.el).closest("dialog, .covered, .tab:not(.sel)");
  const inside = dialog => candidates.filter(node => layer(node) === dialog);
  return [...inside(null), ...dialogsUp().flatMap(dialog => [dialog, ...inside(dialog.el)]), ...(overlay ? [overlay] : [])];
}

const isFirstPage = node => node.k === "page" && node.up.c.find(child => child.k === "page") === node;

/** Adjusts the length of the history to the nodes that can be left, after an acknowledgement. */
export function keepHistory() {
  if (!tree.root || going || swiped || ["back", "dismiss", "escape"].some(isUnacknowledged)) return;
  const wanted = levels().length;
  for (let next = place() + 1; next <= wanted; next += 1) history.pushState({ place: next }, "");
  if (wanted < place()) go(wanted - place());
}

function go(steps) {
  history.go(steps);
  // A browser that forgot the entries does not move.
  going = setTimeout(() => {
    going = 0;
    history.replaceState({ place: levels().length }, "");
    keepHistory();
  }, 3000);
}

/** Handles a move in the history, by the user or by the page. */
function moved(event) {
  // A link into the app was opened, which added an entry.
  if (location.hash) return;
  if (going) {
    clearTimeout(going);
    going = 0;
  } else {
    // The browser has already shown the transition.
    if (event.hasUAVisualTransition) tree.slid = performance.now();
    for (const node of levels().slice(place()).reverse()) if (!leave(node)) break;
  }
  keepHistory();
}

/** Removes the entry that a link into the open app has added. */
export function dropEntry() {
  history.replaceState({ place: levels().length + 1 }, "", location.pathname + location.search);
  keepHistory();
}

/** @returns {number} the sequence number of the event, 0 for a node that stays; the overlay closes without an event */
function leave(node) {
  if (node === currentOverlay()) {
    node.close();
    return 1;
  }
  if (dialogs.has(node.k)) return dismiss(node, true);
  if (node.k !== "page") return send("escape", node.i);
  return node.p.noback ? 0 : send("back", node.i);
}

/** Leaves the topmost node, as the browser's back action does. */
export function leaveTop() {
  const top = levels().at(-1);
  if (top) leave(top);
}

/** @returns {number} the sequence number of the event, 0 if the dialog stays */
export const dismiss = (node, byKey) => (node.k === "alert" ? byKey : !node.p.stay) ? send("dismiss", node.i) : 0;

/** Notes a swipe from the edge. A browser that handles the swipe as well moves in its history by itself. */
export function hasSwiped() {
  clearTimeout(swiped);
  swiped = setTimeout(() => { swiped = 0; keepHistory(); }, 1000);
}

export function listen() {
  addEventListener("popstate", moved);
  onOverlay(keepHistory);
}
