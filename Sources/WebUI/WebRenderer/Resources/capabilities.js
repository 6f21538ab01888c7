// The browser capabilities that the box can request. Every answer is a value or an error of the protocol.

import { prepare, running } from "./audio.js";
import { base64, bytes } from "./base64.js";
import { reply } from "./connection.js";
import * as notifications from "./notifications.js";
import { refuse, Refusal } from "./refusal.js";
import * as streams from "./streams.js";

const schemes = ["http:", "https:", "mailto:", "tel:", "sms:"];

/** The parsed URL if the page may open it, otherwise null. URLs may come from strangers. */
export function allowed(address) {
  try {
    const url = new URL(String(address), location.href);
    return schemes.includes(url.protocol) ? url : null;
  } catch { return null; }
}

/** @type {Record<string, (value: any) => any>} */
const capabilities = {
  "clipboard.write": copy,
  "clipboard.read": () => navigator.clipboard ? navigator.clipboard.readText() : refuse("unsupported"),
  "notification.permission": notifications.permission,
  "notification.request": notifications.request,
  "notification.show": notifications.show,
  "notification.clear": notifications.clear,
  "push.subscribe": notifications.subscribe,
  "sound.play": play,
  "vibrate": pattern => navigator.vibrate ? navigator.vibrate(pattern) || refuse("gesture") : refuse("unsupported"),
  "badge": badge,
  "passkey.available": hasAuthenticator,
  "passkey.create": createPasskey,
  "passkey.get": usePasskey,
  "scanner.available": canScan,
  "microphone.available": hasMicrophone,
  "stream.open": async request => await streams.open(request) ?? refuse("unsupported"),
  "open": openAddress,
  "here": () => true,
  "announce": announce,
  "title": text => { document.title = String(text); return true; },
  "reload": () => location.reload(),
};

/** The lines of each live region, and the texts that wait until it is observed. @type {WeakMap<Element, { lines: ParentNode, waiting: string[] | null }>} */
const regions = new WeakMap();
/** The number of announcements that stay in a live region. */
const maximumAnnouncements = 3;

/** Has a screen reader read a text aloud, once. Behind an open dialog it would hear nothing. */
function announce(text) {
  const place = [...document.querySelectorAll("dialog[open]")].pop() ?? document.querySelector("main");
  const region = [...place.children].find(el => el.classList.contains("announcements")) ?? newRegion(place);
  const { waiting } = regions.get(region);
  if (waiting) waiting.push(String(text)); else say(String(text), region);
  return true;
}

function newRegion(place) {
  const region = document.createElement("div");
  region.className = "announcements unseen";
  region.setAttribute("aria-live", "polite");
  place.append(region);
  // Apart from the text of the page: a search in it finds the words that are shown.
  const content = { lines: region.attachShadow?.({ mode: "closed" }) ?? region, waiting: [] };
  regions.set(region, content);
  // A region is observed from its next change on.
  setTimeout(() => {
    for (const text of content.waiting) say(text, region);
    content.waiting = null;
  }, 100);
  return region;
}

function say(text, region) {
  const { lines } = regions.get(region);
  const line = document.createElement("p");
  line.textContent = region.dataset.last = text;
  lines.append(line);
  while (lines.children.length > maximumAnnouncements) lines.children[0].remove();
}

/** True if the page may ask for a camera: browsers have one for secure pages only. */
export function canScan() { return Boolean(navigator.mediaDevices?.getUserMedia); }

/** True if the page may ask for a microphone and read it: on secure pages only. */
export function canRecord() { return canScan() && "AudioWorkletNode" in window; }

async function hasMicrophone() {
  prepare();
  if (!canRecord()) return false;
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === "audioinput");
}

export async function answer(request) {
  if (!Array.isArray(request)) return console.warn("not a request", request);
  const [number, name, value] = request;
  let result;
  try {
    if (!Object.hasOwn(capabilities, name)) refuse("unsupported");
    result = { v: await capabilities[name](value) };
  } catch (error) {
    result = { error: reason(error) };
  }
  if (number) reply({ reply: number, ...result });
}

/** Runs an action that browsers allow only inside the click handler. */
export function perform(action) {
  if (!Array.isArray(action)) return;
  const [name, value] = action;
  const run = name === "copy" ? copy : name === "sound" ? play : name === "notify" ? notifications.permit : null;
  if (!run) return console.warn("unknown action", name);
  Promise.resolve().then(() => run(value)).catch(error => console.warn(name, reason(error)));
}

function reason(error) {
  if (error instanceof Refusal) return error.message;
  if (error?.name === "NotFoundError") return "unsupported";
  return error?.name === "NotAllowedError" ? (navigator.userActivation?.isActive === false ? "gesture" : "denied") : "failed";
}

async function copy(text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(String(text));
  else if (!copyByCommand(String(text))) refuse("gesture");
  return true;
}

/** Copies by the old command. Without TLS there is no clipboard API; the command needs a focused element, inside an open dialog. */
function copyByCommand(text) {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.className = "unseen";
  area.value = text;
  ([...document.querySelectorAll("dialog[open]")].pop() ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}

/** Plays notes. Each is an oscillator with a short attack and release, which avoid clicks. */
async function play({ wave, notes }) {
  const audio = await running();
  let at = audio.currentTime + 0.01;
  for (const [frequency, milliseconds, gain] of notes) {
    const end = at + milliseconds / 1000;
    if (frequency > 0 && gain > 0) note(audio, wave, frequency, Math.min(gain, 1), at, end);
    at = end;
  }
  return true;
}

function note(audio, wave, frequency,
  gain, from, to) {
  const oscillator = new OscillatorNode(audio, { type: wave, frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(gain, from + 0.004);
  volume.gain.setValueAtTime(gain, Math.max(from + 0.004, to - 0.01));
  volume.gain.linearRampToValueAtTime(0, to);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(from);
  oscillator.stop(to);
}

async function badge(count) {
  const can = navigator;
  if (!can.setAppBadge) refuse("unsupported");
  await (count ? can.setAppBadge(count) : can.clearAppBadge());
  return true;
}

/** True if passkeys work: browsers bind them to host names, and need a secure page. */
async function hasAuthenticator() {
  if (!window.PublicKeyCredential || /^[\d.]+$|:/.test(location.hostname)) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
}

async function createPasskey({ challenge, rp, user, account, algorithms }) {
  if (!await hasAuthenticator()) refuse("unsupported");
  const { rawId, response } = await navigator.credentials.create({ publicKey: {
    challenge: bytes(challenge), rp: { id: rp, name: document.title }, user: { id: bytes(user), name: account, displayName: account },
    pubKeyCredParams: algorithms.map(alg => ({ type: "public-key", alg })), attestation: "none",
    authenticatorSelection: { authenticatorAttachment: "platform", userVerification: "required", residentKey: "discouraged" },
  } });
  return {
    id: base64(rawId), clientData: base64(response.clientDataJSON), authenticatorData: base64(response.getAuthenticatorData()),
    publicKey: base64(response.getPublicKey() ?? new ArrayBuffer(0)), algorithm: response.getPublicKeyAlgorithm(),
  };
}

async function usePasskey({ challenge, rp, id }) {
  if (!await hasAuthenticator()) refuse("unsupported");
  const { rawId, response } = await navigator.credentials.get({ publicKey: {
    challenge: bytes(challenge), rpId: rp, userVerification: "required",
    allowCredentials: [{ type: "public-key", id: bytes(id), transports: ["internal"] }],
  } });
  return {
    id: base64(rawId), clientData: base64(response.clientDataJSON), authenticatorData: base64(response.authenticatorData),
    signature: base64(response.signature),
  };
}

function openAddress(address) {
  const url = allowed(address) ?? refuse("denied");
  if (url.origin === location.origin || !url.protocol.startsWith("http")) location.assign(url);
  else if (navigator.userActivation?.isActive === false) refuse("gesture");
  else window.open(url, "_blank", "noopener");
  return true;
}
