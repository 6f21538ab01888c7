// The browser's way back. Its history has an entry for each page and each dialog that can be left, and for each escape action: going
// back leaves the last of them, and the app only where nothing is left to leave. Each has its own, because browsers skip entries that a page adds while nobody touches it.

import { isUntold, send } from "./connection.js";
import { dialogs } from "./kinds.js";
import { owner, tree } from "./nodes.js";
import { dialogsUp } from "./stage.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/** The entries of this page below the one that the browser is on, which keeps that through a reload. */
const place = () => Number(history.state?.place) || 0;
/** While the browser is asked to go to another entry. */
let going = 0;
/** While the browser may take a swipe for its own as well. */
let swiped = 0;

/** What can be left, from below: the pushed pages and escape actions of the screen, then each dialog and those in it. @returns {TreeNode[]} */
function levels() {
  const candidates = [...document.querySelectorAll(".page, .escapes")].map(owner).filter(node => node && !isFirstPage(node));
  const layer = node => (node.k === "page" ? node.up.el : node.el).closest("dialog, .covered, .tab:not(.sel)");
  const inside = dialog => candidates.filter(node => layer(node) === dialog);
  return [...inside(null), ...dialogsUp().flatMap(dialog => [dialog, ...inside(dialog.el)])];
}

const isFirstPage = node => node.k === "page" && node.up.c.find(child => child.k === "page") === node;

/** Makes the history as long as there are things to leave, once the box has answered. */
export function keepHistory() {
  if (!tree.root || going || swiped || ["back", "dismiss", "escape"].some(isUntold)) return;
  const wanted = levels().length;
  for (let next = place() + 1; next <= wanted; next += 1) history.pushState({ place: next }, "");
  if (wanted < place()) go(wanted - place());
}

function go(steps) {
  history.go(steps);
  // A browser that forgot the entries does not go.
  going = setTimeout(() => {
    going = 0;
    history.replaceState({ place: levels().length }, "");
    keepHistory();
  }, 3000);
}

/** The person went back or forward, or the page has by itself. */
function moved(event) {
  // Nobody went anywhere: a link into the app was opened, which made an entry of its own.
  if (location.hash) return;
  if (going) {
    clearTimeout(going);
    going = 0;
  } else {
    // It has slid already.
    if (event.hasUAVisualTransition) tree.slid = performance.now();
    for (const node of levels().slice(place()).reverse()) if (!leave(node)) break;
  }
  keepHistory();
}

/** Takes the entry away that a link into the open app has made. */
export function dropEntry() {
  history.replaceState({ place: levels().length + 1 }, "", location.pathname + location.search);
  keepHistory();
}

/** @returns {number} the sequence number of the event, 0 if the thing stays */
function leave(node) {
  if (dialogs.has(node.k)) return dismiss(node, true);
  if (node.k !== "page") return send("escape", node.i);
  return node.p.noback ? 0 : send("back", node.i);
}

/** Leaves what is on top, as the browser's way back does. */
export function leaveTop() {
  const top = levels().at(-1);
  if (top) leave(top);
}

/** @returns {number} the sequence number of the event, 0 if the dialog stays */
export const dismiss = (node, byKey) => (node.k === "alert" ? byKey : !node.p.stay) ? send("dismiss", node.i) : 0;

/** A swipe from the edge went back. Where it is the browser's own as well, that moves in its history by itself. */
export function hasSwiped() {
  clearTimeout(swiped);
  swiped = setTimeout(() => { swiped = 0; keepHistory(); }, 1000);
}

export function listen() { addEventListener("popstate", moved); }
