// The notice about the connection that floats over the page: that it reconnects, that the box is busy, or that a command was not done.

import { translate } from "./words.js";

const pill = document.getElementById("pill");
const page = pill.parentElement;
/** The duration of a notice, in milliseconds. */
const noticeTime = 5000;
let isAway = false, isBusy = false, timer = 0;

/** Shows whether the box is unreachable, and dims the controls that need it. */
export function showAway(away) {
  isAway = away;
  document.documentElement.classList.toggle("away", away);
  if (!timer) showState();
}

/** Shows whether the box leaves a command waiting, although it is reachable. */
export function showBusy(busy) {
  if (busy === isBusy) return;
  isBusy = busy;
  if (!timer) showState();
}

const showState = () => show(isAway ? "lost" : isBusy ? "busy" : "");

/** Shows that a command was not done, with the reason as a word, and marks its elements. */
export function showUndone(ids, reason = "undone") {
  for (const id of ids) mark(document.querySelector(`[data-i="${id}"]`));
  clearTimeout(timer);
  timer = setTimeout(() => { timer = 0; showState(); }, noticeTime);
  show(reason);
  pill.classList.remove("pulse");
  requestAnimationFrame(() => pill.classList.add("pulse"));
}

/** Keeps a notice that was in a dialog, after the dialog was removed. */
export function keepNotice() { if (pill.dataset.word && !pill.isConnected) show(pill.dataset.word); }

function show(word) {
  pill.classList.toggle("shown", Boolean(word));
  if (!word) {
    pill.textContent = "";
    delete pill.dataset.word;
    return pill.classList.remove("pulse");
  }
  // A dialog is above the page, and everything outside is inert.
  const top = [...document.querySelectorAll("dialog[open]")].pop() ?? page;
  if (pill.parentElement !== top) top.append(pill);
  translate(pill, word);
}

function mark(el) {
  if (!el || el.classList.contains("undone")) return;
  el.classList.add("undone");
  setTimeout(() => el.classList.remove("undone"), noticeTime);
}
