// The loudspeaker: plays speech of the box, in 16 bits at 24 kHz, while it arrives.

import { running, setUse } from "./audio.js";
import { Resampler, speechRate, unpacked } from "./pcm.js";
import { refuse } from "./refusal.js";
import { handle } from "./streams.js";
import { fade, Timeline } from "./timeline.js";

/** The seconds of sound in the audio context above which the page reads no further, and those at which it continues. */
const readAhead = { most: 2, least: 1.5 };
/** The playback under way. @type {Playback | null} */
let current = null;

handle("speaker", play);

/** Stops the playback. The box learns it from the end of the stream. */
export function silence() { current?.stop(); }

/**
 * Plays the stream, in place of an earlier one.
 * @returns {Promise<boolean>} true when the browser plays
 * @throws `gesture` if the browser requires a touch first; when the page is in the background
 */
async function play(stream) {
  silence();
  const audio = await running();
  if (document.hidden || !stream.isOpen) refuse("failed");
  silence();
  current = new Playback(stream, audio);
  current.run();
  return true;
}

/** A playback. The page ends its direction of the stream when everything is played, and cancels the stream when the playback was stopped. */
class Playback {
  #stream; #audio; #timeline; #resampler; #volume;
  #isOpen = true;
  /** Samples that wait for more of them. @type {Float32Array[]} */
  #held = [];
  /** The parts that are not played. @type {Set<AudioBufferSourceNode>} */
  #parts = new Set();
  #isComplete = false;
  #onEnd = () => {};

  constructor(stream, audio) {
    this.#stream = stream;
    this.#audio = audio;
    this.#timeline = new Timeline(audio.sampleRate);
    this.#resampler = new Resampler(speechRate, audio.sampleRate);
    this.#volume = new GainNode(audio);
    this.#volume.connect(audio.destination);
    document.addEventListener("visibilitychange", this.#watch);
    audio.addEventListener("statechange", this.#watch);
    setUse("playback", true);
    stream.failed.then(() => this.stop());
  }

  async run() {
    try {
      for (let chunk = await this.#stream.read(); chunk; chunk = await this.#stream.read()) {
        this.#add(this.#resampler.process(unpacked(chunk.bytes)));
        await this.#room();
      }
      this.#isComplete = true;
      this.#add(this.#resampler.flush());
      await new Promise(resolve => {
        this.#onEnd = resolve;
        if (!this.#parts.size) resolve();
      });
      this.#close();
      await this.#stream.finish();
    } catch {
      this.stop();
    }
  }

  /** Another app, a call, or a page in the background takes the loudspeaker. */
  #watch = () => { if (document.hidden || this.#audio.state !== "running") this.stop(); };

  /** Stops at once, unless everything is played. */
  stop() {
    if (!this.#isOpen) return;
    const { gain } = this.#volume;
    const now = this.#audio.currentTime;
    gain.cancelScheduledValues(now);
    gain.setTargetAtTime(0, now, fade / 4);
    for (const part of this.#parts) part.stop(now + 2 * fade);
    this.#stream.cancel();
    this.#close();
    this.#onEnd();
  }

  #close() {
    this.#isOpen = false;
    document.removeEventListener("visibilitychange", this.#watch);
    this.#audio.removeEventListener("statechange", this.#watch);
    if (!this.#parts.size) this.#volume.disconnect();
    if (current !== this) return;
    current = null;
    setUse("playback", false);
  }

  /** Waits until a part of the sound is played. */
  async #room() {
    if (this.#timeline.ahead(this.#audio.currentTime) <= readAhead.most) return;
    const pause = this.#timeline.ahead(this.#audio.currentTime) - readAhead.least;
    await Promise.race([new Promise(resolve => setTimeout(resolve, pause * 1000)), this.#stream.failed]);
  }

  #add(samples) {
    if (samples.length) this.#held.push(samples);
    const length = this.#held.reduce((sum, part) => sum + part.length, 0);
    const now = this.#audio.currentTime;
    if (!this.#isOpen || !length) return;
    if (!this.#timeline.isRunning(now) && !this.#timeline.suffices(length) && !this.#isComplete) return;
    const buffer = new AudioBuffer({ length, sampleRate: this.#audio.sampleRate });
    let end = 0;
    for (const part of this.#held.splice(0)) {
      buffer.copyToChannel(part, 0, end);
      end += part.length;
    }
    this.#schedule(buffer, this.#timeline.place(length, now));
  }

  #schedule(buffer, { start, end, fadesFrom, replaces }) {
    const part = new AudioBufferSourceNode(this.#audio, { buffer });
    const { gain } = this.#volume;
    if (replaces === null) {
      gain.setValueAtTime(0, start);
      gain.linearRampToValueAtTime(1, Math.min(start + fade, fadesFrom));
    } else {
      gain.cancelScheduledValues(replaces);
    }
    gain.setValueAtTime(1, fadesFrom);
    gain.linearRampToValueAtTime(0, end);
    part.connect(this.#volume);
    this.#parts.add(part);
    part.addEventListener("ended", () => {
      part.disconnect();
      this.#parts.delete(part);
      if (this.#parts.size) return;
      if (this.#isComplete) this.#onEnd();
      if (!this.#isOpen) this.#volume.disconnect();
    });
    part.start(start);
  }
}
