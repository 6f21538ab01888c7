// pcm.js: samples of 16 bits, and other sample rates.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "./browser.mjs";

const { joined, packed, Resampler, unpacked } = await browser().load("pcm.js");

const sine = (frequency, rate, length) => Float32Array.from({ length }, (_, index) => Math.sin(2 * Math.PI * frequency * index / rate));
/** The samples without those at the ends, where the filter sees the silence around them. */
const middle = samples => samples.slice(2000, -2000);
const decibels = ratio => 20 * Math.log10(ratio);
const loudness = samples => decibels(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) * Math.SQRT2);

/** Resamples in parts of these lengths, in turns. */
function resampled(samples, from, to, lengths = [1024]) {
  const resampler = new Resampler(from, to);
  const parts = [];
  for (let start = 0, turn = 0; start < samples.length; turn += 1) {
    const length = lengths[turn % lengths.length];
    parts.push(resampler.process(samples.slice(start, start + length)));
    start += length;
  }
  return Float32Array.from([...parts, resampler.flush()].flatMap(part => [...part]));
}

const rates = [[48_000, 24_000], [44_100, 24_000], [16_000, 24_000], [8_000, 24_000], [96_000, 24_000], [24_000, 48_000], [24_000, 44_100]];

for (const [from, to] of rates) {
  test(`tones keep level and phase from ${from} to ${to} Hz`, () => {
    for (const frequency of [100, 1000, 3000]) {
      const output = resampled(sine(frequency, from, from), from, to);
      assert.equal(output.length, to);
      const expected = middle(sine(frequency, to, to));
      const error = middle(output).reduce((most, sample, index) => Math.max(most, Math.abs(sample - expected[index])), 0);
      assert.ok(decibels(error) < -75, `${frequency} Hz: ${decibels(error)} dB`);
    }
  });
}

for (const [from, to] of rates.filter(([from, to]) => from > to)) {
  test(`tones that the lower rate cannot represent are removed from ${from} to ${to} Hz`, () => {
    for (const frequency of [13_000, 15_500, 20_000]) {
      assert.ok(loudness(middle(resampled(sine(frequency, from, from), from, to))) < -70, `${frequency} Hz`);
    }
  });
}

test("a higher rate has no images of a tone", () => {
  const output = middle(resampled(sine(9000, 24_000, 24_000), 24_000, 48_000));
  const expected = middle(sine(9000, 48_000, 48_000));
  assert.ok(loudness(output.map((sample, index) => sample - expected[index])) < -70);
});

test("the parts may have any length", () => {
  for (const [from, to] of [[44_100, 24_000], [24_000, 44_100]]) {
    const input = sine(440, from, 9001);
    assert.deepEqual(resampled(input, from, to, [1, 7, 128, 0, 1000, 3]), resampled(input, from, to, [9001]));
  }
});

test("the whole has its length to a sample, however short", () => {
  for (const length of [0, 1, 2, 3, 147, 148, 44_100]) {
    assert.equal(resampled(new Float32Array(length), 44_100, 24_000).length, Math.ceil(length * 80 / 147));
    assert.equal(resampled(new Float32Array(length), 24_000, 48_000).length, 2 * length);
  }
});

test("the same rate changes nothing", () => {
  const input = sine(440, 24_000, 5000);
  assert.deepEqual(resampled(input, 24_000, 24_000), input);
});

test("samples are 16 bits, little-endian, and clipped", () => {
  assert.deepEqual([...packed(Float32Array.from([0, 1, -1, 2, -2, 0.5, NaN]))], [0, 0, 255, 127, 1, 128, 255, 127, 1, 128, 0, 64, 0, 0]);
});

test("bytes are read as they were written, wherever they lie", () => {
  const samples = Float32Array.from([0, 0.25, -0.75, 0.999]);
  const bytes = joined([new Uint8Array(3), packed(samples)]).subarray(3);
  unpacked(bytes).forEach((sample, index) => assert.ok(Math.abs(sample - samples[index]) < 1e-4));
});
