// The microphone: records speech for the box, in 16 bits at 24 kHz, until the box or the browser ends the recording.

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
/** The recording under way. @type {Recording | null} */
let current = null;

handle("microphone", record);

/**
 * Turns the microphone on, in place of an earlier recording, and silences the loudspeaker.
 * @returns {Promise<boolean>} true when the microphone is on
 * @throws when there is no microphone or the user refuses it
 */
async function record(stream, { samples }) {
  if (!canRecord()) throw new DOMException("no microphone", "NotFoundError");
  silence();
  setUse("recording", true);
  try {
    const microphone = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true }, video: false,
    });
    current?.stop();
    current = new Recording(stream, microphone, Number(samples));
  } catch (error) {
    setUse("recording", Boolean(current));
    // The user may have taken longer than a tap counts: it is a refusal all the same.
    throw error?.name === "NotAllowedError" ? new Refusal("denied") : error;
  }
  await current.start();
  return true;
}

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
  #stream; #microphone;
  /** The samples that may still follow. */
  #rest;
  #isOn = true;
  #hasEnded = false;
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

  constructor(stream, microphone, limit) {
    this.#stream = stream;
    this.#microphone = microphone;
    this.#rest = limit;
    setUse("recording", true);
    // The box ends its direction to end the recording, and cancels the stream to discard it. The microphone goes off at once.
    stream.read().then(() => this.stop(), () => this.#discard());
    document.addEventListener("visibilitychange", this.#watch);
    for (const track of microphone.getTracks()) for (const event of ["ended", "mute"]) track.addEventListener(event, this.#stop);
  }

  /** @throws when the browser cannot record, or the box does not wait any more */
  async start() {
    try {
      this.#audio = await running(true);
      await load(this.#audio);
      if (!this.#stream.isOpen) throw new Error("the box does not wait any more");
      if (this.#isOn) this.#connect(this.#audio);
    } catch (error) {
      this.#discard();
      throw error;
    }
    this.#send().catch(() => this.#discard());
    // The user may have left while the browser asked.
    this.#watch();
  }

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
  #watch = () => { if (document.hidden || this.#nodes.length && this.#audio?.state !== "running") this.stop(); };
  #stop = () => this.stop();

  /** Turns the microphone off. What was recorded is sent. */
  stop() {
    if (!this.#turnOff()) return;
    if (!this.#nodes.length) return this.#end();
    this.#nodes[1].port.postMessage(null);
    this.#timer = setTimeout(() => this.#end(), flushTimeout);
  }

  /** @returns {boolean} true if it was on */
  #turnOff() {
    const wasOn = this.#isOn;
    this.#isOn = false;
    for (const track of this.#microphone.getTracks()) {
      track.stop();
      for (const event of ["ended", "mute"]) track.removeEventListener(event, this.#stop);
    }
    document.removeEventListener("visibilitychange", this.#watch);
    this.#audio?.removeEventListener("statechange", this.#watch);
    if (current === this) current = null;
    setUse("recording", Boolean(current));
    return wasOn;
  }

  #discard() {
    this.#turnOff();
    this.#chunks = [];
    this.#part = [];
    this.#rest = 0;
    this.#end();
    this.#stream.cancel();
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
    let bytes = joined([...this.#part, packed(taken)]);
    for (; bytes.length >= chunkLength; bytes = bytes.subarray(chunkLength)) this.#chunks.push(bytes.slice(0, chunkLength));
    this.#part = bytes.length ? [bytes] : [];
    this.#wake();
    if (!this.#rest) this.stop();
  }

  async #send() {
    while (this.#chunks.length || !this.#hasEnded) {
      if (this.#chunks.length) await this.#stream.write(joined(this.#chunks.splice(0, chunksAtOnce)));
      else await new Promise(resolve => { this.#wake = resolve; });
    }
    await this.#stream.finish();
  }
}
