// The page's one audio context. Browsers let it run only after the user has touched the page, and iPhones only from the handler of a touch.

import { refuse } from "./refusal.js";

/** The time in milliseconds that a browser has to start the context. Safari does not answer before the user's next touch. */
const startTimeout = 1000;
/** @type {AudioContext | null} */
let context = null;
/** True if the app records or plays sound: the next touch starts the context. */
let isWanted = false;

/** Starts the context at the user's next touch. Call it when the app is known to need sound. */
export function prepare() { isWanted = true; }

/** Starts or resumes the context. Call it in each handler of the user's input. */
export function wake() {
  // A finger that has come down counts for nothing in Chromium, which would warn about the context.
  if (navigator.userActivation?.isActive === false) return;
  if (isWanted) context ??= new AudioContext();
  if (context && context.state !== "running") context.resume().catch(() => {});
}

/**
 * The running context.
 * @param {boolean} isRecording true while the microphone is on, which is enough for most browsers
 * @returns {Promise<AudioContext>}
 * @throws `gesture` if the browser requires a touch first
 */
export async function running(isRecording = false) {
  prepare();
  // Chromium warns about a context that begins too early.
  if (!context && !isRecording && navigator.userActivation?.hasBeenActive === false) refuse("gesture");
  context ??= new AudioContext();
  if (context.state !== "running") {
    await Promise.race([context.resume().catch(() => {}), new Promise(resolve => setTimeout(resolve, startTimeout))]);
  }
  return context.state === "running" ? context : refuse("gesture");
}

/** How the page uses sound now: `recording`, `playback`. @type {Set<string>} */
const uses = new Set();

/** Tells an iPhone how the page uses sound: otherwise the switch on its side mutes speech. @param {"recording" | "playback"} use */
export function setUse(use, isOn) {
  if (isOn) uses.add(use); else uses.delete(use);
  if (!navigator.audioSession) return;
  navigator.audioSession.type = uses.has("recording") ? "play-and-record" : uses.has("playback") ? "playback" : "auto";
}
