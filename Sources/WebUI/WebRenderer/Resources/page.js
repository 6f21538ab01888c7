// Shows a session's tree of views and reports what people do with it. The protocol is described in Docs/Protocols/WebUI.md.

import { answer } from "./capabilities.js";
import { darkScheme, later, restart, send, start } from "./connection.js";
import { drafts, listen as listenToFields, offer, place, settle, told } from "./fields.js";
import { listen as listenToGestures, settleSwitches } from "./gestures.js";
import { keepHistory, listen as listenToHistory } from "./history.js";
import { fitBack, make } from "./kinds.js";
import { listen as listenToLinks, sendLink, settleLink } from "./links.js";
import { applyOperations, applySnapshot, changes, nodes, within } from "./nodes.js";
import { lookAgain } from "./sight.js";
import { finish, notePlaces, onScroll, seen } from "./stage.js";
import { say, speak, word } from "./words.js";

const screen = document.getElementById("screen");
const rootStyle = document.documentElement.style;
/** @type {HTMLDialogElement | null} */
let notice = null;
/** Texts of trees that are gone, for the fields of the next, which may be on pages not open yet. @type {Map<string, string>} */
let lost = new Map(JSON.parse(sessionStorage.getItem("lost") ?? "[]"));
/** Whether this page was loaded in place of one that was outdated. */
const renewed = sessionStorage.getItem("lost") !== null;
sessionStorage.removeItem("lost");
/** What had the focus in a tree that is gone, until it is found in the next or the user does something. */
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
  // For the notice while the box cannot be reached.
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

/** What finds a thing again in another tree: its identifier, or of a field its key and pages. */
const nameOf = node => node?.k === "field" ? place(node) : node?.p.id ? JSON.stringify([node.p.id]) : null;
const nameOfFocus = () => nameOf(within(document.activeElement));

function restoreFocus() {
  if (!focused) return;
  const node = [...nodes.values()].find(node => nameOf(node) === focused && seen(node.el));
  node?.el.focus();
  if (node && document.activeElement === node.el) focused = null;
}

function acked(through) {
  settle();
  settleLink();
  settleSwitches(through);
  keepHistory();
}

function live() {
  sendLink();
  offer(lost, nodes.values());
  lookAgain(nodes.values());
}

function gone(reason) {
  if (reason === "forgotten") {
    localStorage.removeItem("language");
    return location.replace("/");
  }
  // Twice in a row it would be that two versions answer by turns.
  if (reason === "outdated") return renewed ? void setTimeout(renew, 5_000) : renew();
  if (reason === "moved") return tell(word("moved"), word("here"), restart);
  if (reason === "idle") return tell(word("idle"), word("reopen"), restart);
  tell(word("full"), word("again"), restart);
  later(15_000);
}

/** The box is of another version than this page. What was typed goes over to the next one, except what is not to be seen. */
function renew() {
  const texts = drafts([...nodes.values()].filter(node => node.p.type !== "password"));
  sessionStorage.setItem("lost", JSON.stringify([...lost, ...texts]));
  const name = nameOfFocus();
  if (name) sessionStorage.setItem("focused", name);
  location.reload();
}

/** Says in place of the screen why there is nothing to see. */
function tell(text, label, act) {
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

/** The part of the page above the keyboard, which some browsers only tell here. */
function fit() {
  const view = window.visualViewport;
  // Whoever zooms in wants to see less of the page, not a smaller one.
  if (!view || view.scale > 1.01) return;
  const typing = document.activeElement?.matches("input, textarea") && matchMedia("(pointer: coarse)").matches;
  const tallest = Math.max(heights.get(view.width) ?? (typing ? turned(view.width) : 0), view.height);
  heights.set(view.width, tallest);
  lastWidth = view.width;
  const keyboard = typing ? tallest - view.height : 0;
  rootStyle.setProperty("--view", `${view.height}px`);
  rootStyle.setProperty("--offset", `${view.offsetTop}px`);
  rootStyle.setProperty("--keyboard", `${keyboard}px`);
  const { classList } = document.documentElement;
  if (classList.contains("typing") === keyboard > 120) return;
  classList.toggle("typing", keyboard > 120);
  send("keyboard", 0, keyboard > 120);
}

/** The greatest height seen at each width. While a field has the focus, the rest of it is the keyboard's. @type {Map<number, number>} */
const heights = new Map();
let lastWidth = 0;

/** The height to expect of a phone that is turned while its keyboard is up: the browser's bars keep their height. */
function turned(width) {
  const { width: across, height: down } = window.screen;
  const [short, long] = [Math.min(across, down), Math.max(across, down)];
  const [was, is] = width > lastWidth ? [long, short] : [short, long];
  return is - (was - (heights.get(lastWidth) ?? was));
}

function tick() {
  const now = new Date();
  const time = now.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" }).replace(/\s*[AP]M/i, "");
  for (const el of document.querySelectorAll(".time")) el.textContent = time;
  setTimeout(tick, 60_000 - now.getTime() % 60_000 + 50);
}

/** Lines are one pixel of the screen thick. Any other part of a pixel comes out as one here and two there. */
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
say(document.querySelector(".home"), "home");
rule();
fit();
tick();
start({ root: showRoot, ops: showChanges, ask: answer, acked, gone, live, through: events => told(events, id => nodes.get(id)) });
// For a notice while the box cannot be reached. Without TLS browsers have none of this, and some refuse it.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
