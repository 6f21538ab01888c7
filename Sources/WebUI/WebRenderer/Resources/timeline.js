// The times at which the parts of a sound are played that arrives while it is played. This file uses nothing of the browser.

/** The length of sound that has to be there before it is played, in seconds: parts that are late by less leave no gap. */
export const lead = 0.15;
/** The length of the fade at each end of a sound, in seconds. An edge without it is a click. */
export const fade = 0.008;
/** The time from placing a part until it can be heard, in seconds. */
const notice = 0.03;
/** The time before the fade at the end until which a further part can follow, in seconds. */
const margin = 0.012;

/** Places the parts of a sound one after the other, exact to a sample. Times are those of an audio context with this sample rate. */
export class Timeline {
  #rate;
  /** The last sample frame and the start of the fade at the end; null before the first part. @type {{ frame: number, fadesFrom: number } | null} */
  #end = null;

  /** @param {number} rate samples per second */
  constructor(rate) { this.#rate = rate; }

  /** The seconds of sound that are placed and not played. */
  ahead(now) { return this.#end ? Math.max(0, this.#end.frame / this.#rate - now) : 0; }

  /** True if a part that is placed now follows the last one without a gap. */
  isRunning(now) { return this.#end !== null && now + margin < this.#end.fadesFrom; }

  /** True if these samples are enough to begin, or to begin again after a gap. */
  suffices(length) { return length >= lead * this.#rate; }

  /**
   * Places a part.
   * @param {number} length its samples
   * @returns its start and end, the start of the fade at its end, and, if it follows another part directly, the start of the fade that is
   *   not due any more
   */
  place(length, now) {
    const follows = this.isRunning(now) ? this.#end : null;
    const first = follows?.frame ?? Math.ceil((now + notice) * this.#rate);
    const [start, end] = [first / this.#rate, (first + length) / this.#rate];
    const fadesFrom = follows ? end - fade : Math.max(end - fade, (start + end) / 2);
    this.#end = { frame: first + length, fadesFrom };
    return { start, end, fadesFrom, replaces: follows?.fadesFrom ?? null };
  }
}
