// The microphone: records speech for the box, in 16 bits at 24 kHz, until the box or the browser ends the recording.
//
//   off ── recording ── muted for some seconds ── off
//              ▲               │
//              └── early ◀─────┘   the same button is pressed: it records before the box asks

import { running, setUse } from "./audio.js";
import { canRecord } from "./capabilities.js";
import { joined, packed, Resampler, speechRate } from "./pcm.js";
import { Refusal } from "./refusal.js";
import { silence } from "./speaker.js";
import { handle } from "./streams.js";

/** The length of a chunk in bytes: 40 ms. */
const chunkLength = 1920;
/** The number of chunks that are sent as one after the connection was lost: 32 KiB at most. */
const chunksAtOnce = 17;
/** The time in milliseconds that the audio thread has to deliver its last samples. It stands still when the browser has stopped the context. */
const flushTimeout = 300;
/** The time in milliseconds for which the microphone of the last recording stays open, muted, so that the next one begins at once. */
const keepTime = 10_000;
/** The time in milliseconds after a press in which the box asks for the recording that it has begun. */
const claimTime = 1500;
/** The recording under way. @type {Recording | null} */
let current = null;
/** The muted microphone of the last recording, and the button that was pressed for it. @type {{ microphone: MediaStream, button: ?Element, timer: number } | null} */
let kept = null;
/** A recording that a press has begun, and that the box has not asked for yet. @type {Recording | null} */
let early = null;
/** The button that was pressed last. @type {?Element} */
let pressed = null;

handle("microphone", record);

/**
 * Turns the microphone on, in place of an earlier recording, and silences the loudspeaker.
 * @returns {Promise<boolean>} true when the microphone is on
 * @throws when there is no microphone or the user refuses it
 */
async function record(stream, { samples }) {
  if (!canRecord()) throw new DOMException("no microphone", "NotFoundError");
  silence();
  const button = pressed;
  if (!early) {
    setUse("recording", true);
    try {
      const microphone = take() ?? await navigator.mediaDevices.getUserMedia({
        audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true }, video: false,
      });
      if (!stream.isOpen) {
        for (const track of microphone.getTracks()) track.stop();
        throw new Error("the box does not wait any more");
      }
      current?.stop(false);
      current = new Recording(microphone, button);
    } catch (error) {
      setUse("recording", Boolean(current));
      // The user may have taken longer than a tap counts: it is a refusal all the same.
      throw error?.name === "NotAllowedError" ? new Refusal("denied") : error;
    }
  } else {
    [current, early] = [early, null];
  }
  await current.start(stream, Number(samples));
  return true;
}

/** The names of microphones with which headphones sound like a telephone while they are open. */
const wireless = /bluetooth|hands-?free|headset|airpods|buds/i;

/** Keeps a microphone for the next recording, unless sound would be played badly meanwhile: in Safari, and over Bluetooth. */
function keep(microphone, button) {
  drop();
  if (document.hidden || navigator.audioSession || microphone.getTracks().some(track => wireless.test(track.label)) || microphone.getTracks().some(track => track.readyState === "ended")) {
    return microphone.getTracks().forEach(track => track.stop());
  }
  for (const track of microphone.getTracks()) track.enabled = false;
  kept = { microphone, button, timer: setTimeout(drop, keepTime) };
}

/** The kept microphone, which hears again. @returns {MediaStream | null} */
function take() {
  if (!kept) return null;
  const { microphone, timer } = kept;
  clearTimeout(timer);
  kept = null;
  // It may have been unplugged meanwhile.
  if (microphone.getTracks().some(track => track.readyState === "ended" || track.muted)) {
    for (const track of microphone.getTracks()) track.stop();
    return null;
  }
  for (const track of microphone.getTracks()) track.enabled = true;
  return microphone;
}

/** Turns the kept microphone off. */
function drop() {
  if (!kept) return;
  clearTimeout(kept.timer);
  for (const track of kept.microphone.getTracks()) track.stop();
  kept = null;
}

document.addEventListener("visibilitychange", () => { if (document.hidden) drop(); });

// The button of the last recording records from the press on: the box asks for it a moment later, and the first syllable is there.
document.addEventListener("pointerdown", event => {
  pressed = event.target?.closest?.("button") ?? null;
  if (!pressed || early || current || kept?.button !== pressed) return;
  const microphone = take();
  if (!microphone) return;
  const recording = early = new Recording(microphone, pressed);
  recording.listen().catch(() => {});
  setTimeout(() => {
    if (early !== recording) return;
    early = null;
    recording.forget();
  }, claimTime);
}, true);

/** Loads the recorder into a context, once. @type {WeakMap<AudioContext, Promise<void>>} */
const loaded = new WeakMap();
function load(audio) {
  if (!loaded.has(audio)) {
    const loading = audio.audioWorklet.addModule(`${document.body.dataset.static}/recorder-worklet.js`);
    loaded.set(audio, loading);
    loading.catch(() => loaded.delete(audio));
  }
  return loaded.get(audio);
}

/**
 * A recording. It goes on while the connection is lost: what was recorded waits for the next one, in at most as many bytes as the box accepts
 * in all.
 */
class Recording {
  #stream = null;
  #microphone; #button;
  /** The samples that may still follow: at first those between the press and the box's question. */
  #rest = speechRate * claimTime / 1000;
  /** The number of samples that were taken. */
  #taken = 0;
  #isOn = true;
  #hasEnded = false;
  /** @type {Promise<void> | null} */
  #listening = null;
  /** @type {AudioContext | null} */
  #audio = null;
  /** @type {AudioNode[]} */
  #nodes = [];
  #resampler = null;
  #timer = 0;
  /** The bytes of the chunk that is not full, and the chunks that wait to be sent. @type {Uint8Array[]} */
  #part = [];
  #chunks = [];
  #wake = () => {};

  /** @param {?Element} button the button that was pressed for it */
  constructor(microphone, button) {
    this.#microphone = microphone;
    this.#button = button;
    setUse("recording", true);
    document.addEventListener("visibilitychange", this.#watch);
    for (const track of microphone.getTracks()) for (const event of ["ended", "mute"]) track.addEventListener(event, this.#stop);
  }

  /** Begins to record, once. @throws when the browser cannot record */
  listen() {
    return this.#listening ??= (async () => {
      this.#audio = await running(true);
      await load(this.#audio);
      if (this.#isOn) this.#connect(this.#audio);
    })();
  }

  /** Sends what is recorded to the box. @throws when the browser cannot record, or the box does not wait any more */
  async start(stream, limit) {
    this.#stream = stream;
    this.#rest = Math.max(limit - this.#taken, 0);
    // The box ends its direction to end the recording, and cancels the stream to discard it. The microphone hears nothing more at once.
    stream.read().then(() => this.stop(), () => this.#discard(true));
    try {
      await this.listen();
      if (!stream.isOpen) throw new Error("the box does not wait any more");
    } catch (error) {
      this.#discard();
      throw error;
    }
    this.#send().catch(() => this.#discard());
    // The user may have left while the browser asked.
    this.#watch();
  }

  /** The box has not asked for it: nobody hears what was recorded. */
  forget() { this.#discard(true); }

  #connect(audio) {
    this.#resampler = new Resampler(audio.sampleRate, speechRate);
    const source = new MediaStreamAudioSourceNode(audio, { mediaStream: this.#microphone });
    const recorder = new AudioWorkletNode(audio, "recorder", { outputChannelCount: [1], channelCount: 1, channelCountMode: "explicit" });
    recorder.port.onmessage = ({ data }) => data ? this.#take(this.#resampler.process(data)) : this.#end();
    // Its output is silence. Browsers run what leads to the loudspeaker.
    source.connect(recorder).connect(audio.destination);
    this.#nodes = [source, recorder];
    audio.addEventListener("statechange", this.#watch);
  }

  /** Another app, a call, or a page in the background takes the microphone. */
  #watch = () => { if (document.hidden || this.#nodes.length && this.#audio?.state !== "running") this.#stop(); };
  /** Somebody else wants the microphone: it is not kept. */
  #stop = () => this.stop(false);

  /** Ends the recording. What was recorded is sent. @param {boolean} keeps true to keep the microphone for the next one */
  stop(keeps = true) {
    if (!this.#turnOff(keeps)) return;
    if (!this.#nodes.length) return this.#end();
    this.#nodes[1].port.postMessage(null);
    this.#timer = setTimeout(() => this.#end(), flushTimeout);
  }

  /** @returns {boolean} true if it was on */
  #turnOff(keeps) {
    if (!this.#isOn) return false;
    this.#isOn = false;
    for (const track of this.#microphone.getTracks()) {
      for (const event of ["ended", "mute"]) track.removeEventListener(event, this.#stop);
      if (!keeps) track.stop();
    }
    if (keeps) keep(this.#microphone, this.#button);
    document.removeEventListener("visibilitychange", this.#watch);
    this.#audio?.removeEventListener("statechange", this.#watch);
    if (current === this) current = null;
    setUse("recording", Boolean(current));
    return true;
  }

  #discard(keeps = false) {
    this.#turnOff(keeps);
    this.#chunks = [];
    this.#part = [];
    this.#rest = 0;
    this.#end();
    this.#stream?.cancel();
  }

  /** The recorder has delivered its last samples. */
  #end() {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    for (const node of this.#nodes) node.disconnect();
    if (this.#nodes.length) this.#nodes[1].port.onmessage = null;
    if (this.#resampler) this.#take(this.#resampler.flush());
    this.#hasEnded = true;
    if (this.#part.length) this.#chunks.push(joined(this.#part));
    this.#part = [];
    this.#wake();
  }

  #take(samples) {
    if (this.#hasEnded || !this.#rest) return;
    const taken = samples.subarray(0, this.#rest);
    this.#rest -= taken.length;
    this.#taken += taken.length;
    let bytes = joined([...this.#part, packed(taken)]);
    for (; bytes.length >= chunkLength; bytes = bytes.subarray(chunkLength)) this.#chunks.push(bytes.slice(0, chunkLength));
    this.#part = bytes.length ? [bytes] : [];
    this.#wake();
    if (!this.#rest && this.#stream) this.stop();
  }

  async #send() {
    while (this.#chunks.length || !this.#hasEnded) {
      if (this.#chunks.length) await this.#stream.write(joined(this.#chunks.splice(0, chunksAtOnce)));
      else await new Promise(resolve => { this.#wake = resolve; });
    }
    await this.#stream.finish();
  }
}
