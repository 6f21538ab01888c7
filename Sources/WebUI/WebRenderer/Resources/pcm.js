// Samples of speech: conversion between the browser's floating point numbers and the box's 16 bits, and from one sample rate to another.
// This file uses nothing of the browser.

/** The samples in a second of all speech that page and box exchange. */
export const speechRate = 24_000;

/** The samples, -1 to 1, as 16 bits each, little-endian. Louder ones are clipped. @param {Float32Array} samples */
export function packed(samples) {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => {
    // NaN, which a broken driver may deliver, is silence.
    view.setInt16(index * 2, Math.round(Math.min(1, Math.max(-1, sample)) * 32_767) || 0, true);
  });
  return bytes;
}

/** The samples in bytes that `packed` has written. @param {Uint8Array} bytes of an even number */
export function unpacked(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, index) => view.getInt16(index * 2, true) / 32_768);
}

/** Joins byte arrays. @param {Uint8Array[]} parts */
export function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** The lobes of the filter's sinc on each side: with more of them the edge of its band is steeper. */
const lobes = 24;
/** The shape of the Kaiser window: about 80 dB less outside the band. */
const beta = 8;
/** The width of the band, as a part of what both rates can represent. The rest is for the filter's edge. */
const band = 0.9;

/**
 * Changes the sample rate of a sound that arrives in parts of any length. A low-pass filter removes what the lower rate cannot represent.
 * The output has neither a delay nor a gap between parts: together they have the length of the whole sound, to a sample.
 */
export class Resampler {
  /** The filter for each position of an output sample between two input samples. @type {Float32Array[]} */
  #filters;
  #up; #down;
  /** The input samples on each side of an output sample that it is computed from. */
  #reach;
  /** The input that further output needs. */
  #input;
  /** The number of input samples before `#input`, including the silence that precedes the sound. */
  #dropped;
  #received = 0;
  #produced = 0;

  /** @param {number} from @param {number} to whole numbers of samples per second */
  constructor(from, to) {
    const divisor = greatestCommonDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const cutoff = band * Math.min(1, to / from);
    this.#reach = Math.ceil(lobes / cutoff);
    this.#filters = Array.from({ length: this.#up }, (_, phase) => filter(phase / this.#up, this.#reach, cutoff));
    this.#input = new Float32Array(this.#reach - 1);
    this.#dropped = 1 - this.#reach;
  }

  /** Takes the next input. @param {Float32Array} samples @returns {Float32Array} the output that can be computed from the input so far */
  process(samples) {
    if (this.#up === this.#down) return samples.slice();
    this.#received += samples.length;
    return this.#resample(samples);
  }

  /** The rest of the output, after the last input. */
  flush() {
    if (this.#up === this.#down) return new Float32Array();
    const missing = Math.ceil(this.#received * this.#up / this.#down) - this.#produced;
    return this.#resample(new Float32Array(this.#reach)).slice(0, Math.max(0, missing));
  }

  #resample(samples) {
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const output = [];
    for (;;) {
      // The output sample lies at or after this input sample.
      const place = Math.floor(this.#produced * this.#down / this.#up);
      const first = place - this.#reach + 1 - this.#dropped;
      if (first + 2 * this.#reach > input.length) {
        this.#input = input.slice(Math.max(0, first));
        this.#dropped += input.length - this.#input.length;
        return Float32Array.from(output);
      }
      const weights = this.#filters[this.#produced * this.#down % this.#up];
      let sum = 0;
      for (let tap = 0; tap < weights.length; tap += 1) sum += input[first + tap] * weights[tap];
      output.push(sum);
      this.#produced += 1;
    }
  }
}

function greatestCommonDivisor(one, other) { return other ? greatestCommonDivisor(other, one % other) : one; }

/** The weights of the input samples for an output sample that lies `phase` of a sample after the middle one. */
function filter(phase, reach, cutoff) {
  const weights = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = tap - reach + 1 - phase;
    return sinc(distance * cutoff) * kaiser(distance / reach);
  });
  const sum = weights.reduce((total, weight) => total + weight);
  return weights.map(weight => weight / sum);
}

const sinc = x => x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
const kaiser = x => Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta);

/** The modified Bessel function of order 0. */
function bessel(x) {
  let [sum, term] = [1, 1];
  for (let k = 1; term > 1e-12 * sum; k += 1) sum += term *= (x / 2 / k) ** 2;
  return sum;
}
