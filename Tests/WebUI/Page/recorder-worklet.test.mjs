// recorder-worklet.js: the microphone's samples in the audio thread.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";

let recorder, posted;

beforeEach(async () => {
  posted = [];
  globalThis.AudioWorkletProcessor = class { port = { postMessage: message => posted.push(message) }; };
  globalThis.registerProcessor = (name, Processor) => {
    assert.equal(name, "recorder");
    recorder = new Processor();
  };
  await browser().load("recorder-worklet.js");
});

/** One block of the audio thread. @returns whether the processor continues */
const block = (...samples) => recorder.process([[Float32Array.from(samples)]]);

test("samples are posted in batches, in order", () => {
  const count = 3000;
  for (let first = 0; first < count; first += 125) assert.equal(block(...Array.from({ length: 125 }, (_, index) => first + index)), true);
  assert.deepEqual(posted.map(batch => batch.length), [1024, 1024]);
  recorder.port.onmessage();
  assert.deepEqual(posted.slice(0, -1).flatMap(batch => [...batch]), Array.from({ length: count }, (_, index) => index));
  assert.equal(posted.at(-1), null);
});

test("a batch that was posted does not change", () => {
  block(...new Array(1024).fill(1));
  block(...new Array(1024).fill(2));
  assert.equal(posted[0][0], 1);
});

test("nothing follows the end", () => {
  recorder.port.onmessage();
  recorder.port.onmessage();
  assert.equal(block(1), false);
  assert.deepEqual(posted, [new Float32Array(), null]);
});

test("a source without a microphone is no sound", () => {
  assert.equal(recorder.process([[]]), true);
  recorder.port.onmessage();
  assert.equal(posted[0].length, 0);
});
