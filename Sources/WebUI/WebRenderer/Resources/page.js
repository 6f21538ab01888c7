// Shows the tree of a session and reports the user's input. Docs/Protocols/WebUI.md describes the protocol.

import { answer } from "./capabilities.js";
import { darkScheme, later, restart, send, start, transmitBinary } from "./connection.js";
import { acknowledgeTexts, applyDue, drafts, listen as listenToFields, offer, place } from "./fields.js";
import { listen as listenToGestures, releaseSwitches } from "./gestures.js";
import { keepHistory, listen as listenToHistory } from "./history.js";
import { fitBack, make } from "./kinds.js";
import { dropAcknowledgedLink, listen as listenToLinks, sendLink } from "./links.js";
import { applyOperations, applySnapshot, changes, nodes } from "./nodes.js";
import * as notifications from "./notifications.js";
import "./microphone.js";
import "./scanner.js";
import "./speaker.js";
import { within } from "./owners.js";
import { lookAgain } from "./sight.js";
import { finish, notePlaces, onScroll, seen } from "./stage.js";
import * as streams from "./streams.js";
import { speak, translate, word } from "./words.js";

const screen = document.getElementById("screen");
const rootStyle = document.documentElement.style;
/** @type {HTMLDialogElement | null} */
let notice = null;
/** Typed texts of earlier trees, for the fields of the next one, which may be on pages that are not open yet. @type {Map<string, string>} */
let lost = new Map(JSON.parse(sessionStorage.getItem("lost") ?? "[]"));
/** True if this page replaced an outdated one. */
const renewed = sessionStorage.getItem("lost") !== null;
sessionStorage.removeItem("lost");
/** The identity of the focused node of an earlier tree, until the next tree has it or the user does something. */
let focused = sessionStorage.getItem("focused");
sessionStorage.removeItem("focused");

function showRoot(frame) {
  notice?.remove();
  notice = null;
  showLanguage(frame.lang);
  if (!frame.resumed) {
    lost = new Map([...lost, ...drafts(nodes.values())]);
    focused = nameOfFocus() ?? focused;
  }
  changes.motion = "";
  applySnapshot(frame, screen);
  finish();
  restoreFocus();
}

function showLanguage(name) {
  if (typeof name !== "string") return;
  document.documentElement.lang = name;
  speak(name);
  // For the offline page.
  localStorage.setItem("language", name);
}

function showChanges(frame) {
  showLanguage(frame.lang);
  changes.motion = typeof frame.motion === "string" && !matchMedia("(prefers-reduced-motion: reduce)").matches ? frame.motion : "";
  notePlaces();
  applyOperations(frame.ops);
  const made = lost.size ? [...changes.made] : [];
  finish();
  restoreFocus();
  offer(lost, made);
  changes.motion = "";
}

/** The identity of a node across trees: its identifier, or the key and pages of a field. */
const nameOf = node => node?.k === "field" ? place(node) : node?.p.id ? JSON.stringify([node.p.id]) : null;
const nameOfFocus = () => nameOf(within(document.activeElement));

function restoreFocus() {
  if (!focused) return;
  const node = [...nodes.values()].find(node => nameOf(node) === focused && seen(node.el));
  node?.el.focus();
  if (node && document.activeElement === node.el) focused = null;
}

function acked(through) {
  applyDue();
  dropAcknowledgedLink();
  notifications.acked();
  releaseSwitches(through);
  keepHistory();
}

function live() {
  sendLink();
  notifications.live();
  offer(lost, nodes.values());
  lookAgain(nodes.values());
  streams.resume();
}

function gone(reason) {
  streams.dropAll();
  if (reason === "forgotten") {
    localStorage.removeItem("language");
    return void notifications.forget().catch(() => {}).then(() => location.replace("/"));
  }
  // Twice in a row: two versions answer in turns.
  if (reason === "outdated") return renewed ? void setTimeout(renew, 5_000) : renew();
  if (reason === "moved") return showNotice(word("moved"), word("here"), restart);
  if (reason === "idle") return showNotice(word("idle"), word("reopen"), restart);
  showNotice(word("full"), word("again"), restart);
  later(15_000);
}

/** Loads the new version of the page. Typed texts except passwords are kept for it. */
function renew() {
  const texts = drafts([...nodes.values()].filter(node => node.p.type !== "password"));
  sessionStorage.setItem("lost", JSON.stringify([...lost, ...texts]));
  const name = nameOfFocus();
  if (name) sessionStorage.setItem("focused", name);
  location.reload();
}

/** Shows a notice in place of the screen. */
function showNotice(text, label, act) {
  notice?.remove();
  const button = make("button", "button prominent large");
  const words = make("p");
  words.textContent = text;
  button.textContent = label;
  button.addEventListener("click", act);
  notice = (make("dialog", "notice", words, button));
  notice.setAttribute("aria-label", text);
  notice.setAttribute("autofocus", "");
  notice.addEventListener("cancel", event => event.preventDefault());
  document.body.append(notice);
  notice.showModal();
}

/** Fits the page into the visual viewport above the keyboard. */
function fit() {
  const view = window.visualViewport;
  // Zooming in must not shrink the page.
  if (!view || view.scale > 1.01) return;
  const typing = document.activeElement?.matches("input, textarea") && matchMedia("(pointer: coarse)").matches;
  const tallest = Math.max(heights.get(view.width) ?? (typing ? turned(view.width) : 0), view.height);
  heights.set(view.width, tallest);
  lastWidth = view.width;
  const keyboard = typing ? tallest - view.height : 0;
  rootStyle.setProperty("--view", `${view.height}px`);
  rootStyle.setProperty("--offset", `${view.offsetTop}px`);
  rootStyle.setProperty("--keyboard", `${keyboard}px`);
  if (view.height !== lastHeight && keyboard > 120) showField();
  lastHeight = view.height;
  const { classList } = document.documentElement;
  if (classList.contains("typing") === keyboard > 120) return;
  classList.toggle("typing", keyboard > 120);
  send("keyboard", 0, keyboard > 120);
}

/** The maximum height at each width. While a field has the focus, the keyboard covers the rest. @type {Map<number, number>} */
const heights = new Map();
let lastWidth = 0;
let lastHeight = 0;

/** Scrolls to the field with the focus, which the keyboard has pushed out of sight. The browser does so for the page before it was fitted. */
function showField() {
  const field = document.activeElement;
  if (field?.closest(".scroll, .list")) field.scrollIntoView({ block: "nearest" });
}

/** The expected height of a phone that is rotated with its keyboard up: the browser's bars keep their height. */
function turned(width) {
  const { width: across, height: down } = window.screen;
  const [short, long] = [Math.min(across, down), Math.max(across, down)];
  const [was, is] = width > lastWidth ? [long, short] : [short, long];
  return is - (was - (heights.get(lastWidth) ?? was));
}

function tick() {
  const now = new Date();
  // Without the half of the day, in any language.
  const parts = new Intl.DateTimeFormat([], { hour: "numeric", minute: "2-digit" }).formatToParts(now);
  const time = parts.filter(part => part.type !== "dayPeriod").map(part => part.value).join("").trim();
  for (const el of document.querySelectorAll(".time")) el.textContent = time;
  setTimeout(tick, 60_000 - now.getTime() % 60_000 + 50);
}

/** Sets the width of hairlines to one device pixel. Other fractions would render unevenly. */
function rule() { rootStyle.setProperty("--hair", `${1 / devicePixelRatio}px`); }

let resizing = 0;
let size = [screen.clientWidth, screen.clientHeight];
function resized() {
  rule();
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    const now = [screen.clientWidth, screen.clientHeight];
    if (String(now) === String(size)) return;
    send("size", 0, size = now);
    for (const node of nodes.values()) if (node.k === "page") fitBack(node);
  }, 200);
}

window.visualViewport?.addEventListener("resize", fit);
window.visualViewport?.addEventListener("scroll", fit);
document.addEventListener("scroll", onScroll, { capture: true, passive: true });
darkScheme.addEventListener("change", () => send("scheme", 0, darkScheme.matches ? "dark" : "light"));
new ResizeObserver(resized).observe(screen);
listenToFields();
listenToGestures();
listenToHistory();
listenToLinks();
for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => { focused = null; }, true);
translate(document.querySelector(".home"), "home");
rule();
fit();
tick();
streams.connect(transmitBinary);
start({
  root: showRoot, ops: showChanges, request: answer, acked, gone, live, through: events => acknowledgeTexts(events, id => nodes.get(id)),
  binary: streams.receive, cut: streams.pause, anew: streams.dropAll,
});
notifications.listen();
