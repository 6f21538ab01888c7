// speaker.js: speech that is played while it arrives.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { contexts, Context, installAudio, Microphone, Source, Volume } from "./audio.mjs";
import { browser, handlers, settled } from "./browser.mjs";
import { frame, kindOf, kinds } from "./frames.mjs";

let page, capabilities, streams, frames, next;

beforeEach(async () => {
  page = browser();
  installAudio();
  [frames, next] = [[], {}];
  const connection = await page.load("connection.js");
  capabilities = await page.load("capabilities.js");
  streams = await page.load("streams.js");
  await page.load("speaker.js");
  await page.load("microphone.js");
  connection.start(handlers());
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", ack: 0 });
  streams.connect(bytes => frames.push(bytes));
});

async function open(id = 1, purpose = "speaker") {
  next[id] = 0;
  const value = { id, purpose, delivery: "reliable", window: 262_144, value: { samples: 1000 } };
  await capabilities.answer([id, "stream.open", value]);
  await settled();
  return page.socket.sent.at(-1);
}

async function receive(kind, bytes, id = 1) {
  streams.receive(frame(kind, next[id]++, bytes, id));
  await settled();
}
/** The box sends samples that are all `value` of 32,768. */
const speech = (seconds, value = 8192, id = 1) =>
  receive(kinds.data, new Uint8Array(Int16Array.from({ length: seconds * 24_000 }, () => value).buffer), id);

const context = () => contexts[0];
const parts = () => context().ofType(Source);
const volume = () => context().ofType(Volume)[0];
/** The context's time advances, and the parts that are over end. */
async function plays(until) {
  const over = parts().filter(part => part.startsAt + part.buffer.length / 48_000 <= until && !(part.startsAt + part.buffer.length / 48_000 <= context().currentTime));
  context().currentTime = until;
  for (const part of over) part.happens("ended");
  await page.clock.advance(1);
}
const isCancelled = (id = 1) => frames.some(bytes => kindOf(bytes) === kinds.cancel && bytes[7] === id);
const hasEnded = () => frames.some(bytes => kindOf(bytes) === kinds.end);
const readCount = () => Math.max(0, ...frames.filter(bytes => kindOf(bytes) === kinds.acknowledge).map(bytes => new DataView(bytes.buffer).getUint32(8)));

test("speech begins with a lead, and its parts join", async () => {
  assert.deepEqual(await open(), { reply: 1, v: true });
  await speech(0.1);
  assert.equal(parts().length, 0);
  await speech(0.1);
  assert.equal(parts().length, 1);
  await speech(0.1);
  const [first, second] = parts();
  assert.equal(second.startsAt, first.startsAt + first.buffer.length / 48_000);
  assert.ok(second.buffer.samples.every(sample => Math.abs(sample - 0.25) < 1e-3), "the rate is changed across the join");
  assert.deepEqual([volume().targets, first.targets], [[context().destination], [volume()]]);
});

test("speech that is shorter than the lead is played at its end", async () => {
  await open();
  await speech(0.05);
  await receive(kinds.end);
  assert.equal(parts().length, 1);
  assert.equal(parts()[0].buffer.length, 2400);
});

test("the volume falls at the end only", async () => {
  await open();
  await speech(0.2);
  await speech(0.2);
  const { events } = volume().gain;
  const [first, second] = parts();
  const end = second.startsAt + second.buffer.length / 48_000;
  assert.deepEqual(events.map(([kind, value]) => [kind, value]), [["set", 0], ["ramp", 1], ["set", 1], ["ramp", 0]]);
  assert.equal(events[0][2], first.startsAt);
  assert.ok(Math.abs(events[3][2] - end) < 1e-9);
});

test("a gap is faded, and speech resumes with a new lead", async () => {
  await open();
  await speech(0.2);
  await plays(5);
  await speech(0.1);
  assert.equal(parts().length, 1);
  await speech(0.1);
  assert.equal(parts().length, 2);
  assert.ok(parts()[1].startsAt > 5);
  assert.deepEqual(volume().gain.events.map(([kind, value]) => [kind, value]), [
    ["set", 0], ["ramp", 1], ["set", 1], ["ramp", 0], ["set", 0], ["ramp", 1], ["set", 1], ["ramp", 0]]);
});

test("the page reads two seconds ahead of what it plays", async () => {
  await open();
  for (let tenth = 0; tenth < 50; tenth += 1) await speech(0.1);
  const scheduled = () => parts().reduce((sum, part) => sum + part.buffer.length, 0) / 48_000;
  assert.ok(scheduled() > 1.9 && scheduled() < 2.3, `${scheduled()}`);
  await plays(1);
  await page.clock.advance(2000);
  assert.ok(scheduled() > 2.9 && scheduled() < 3.3, `${scheduled()}`);
});

test("the end is reported when everything is played", async () => {
  await open();
  await speech(1);
  await receive(kinds.end);
  assert.equal(hasEnded(), false);
  await plays(2);
  assert.equal(hasEnded(), true);
  assert.equal(readCount(), 2);
  assert.equal(isCancelled(), false);
  page.hide();
  assert.equal(isCancelled(), false, "the page may leave before the box has read the end");
  assert.deepEqual(volume().targets, []);
});

test("a playback without speech ends at once", async () => {
  await open();
  await receive(kinds.end);
  assert.equal(hasEnded(), true);
});

test("the box stops speech at once", async () => {
  await open();
  for (let tenth = 0; tenth < 40; tenth += 1) await speech(0.1);
  await plays(0.5);
  await receive(kinds.cancel);
  const waiting = parts().filter(part => part.startsAt + part.buffer.length / 48_000 > 0.5);
  assert.ok(waiting.length > 1);
  assert.ok(waiting.every(part => part.stopsAt > 0.5 && part.stopsAt < 0.55));
  assert.equal(volume().gain.events.at(-1)[0], "target");
});

for (const [name, take] of [
  ["the page goes to the background", () => page.hide()],
  ["the browser stops the audio", () => context().become("interrupted")],
  ["the tree is gone", () => streams.dropAll()],
]) {
  test(`speech stops when ${name}`, async () => {
    await open();
    await speech(1);
    take();
    await settled();
    assert.ok(parts().every(part => part.stopsAt !== null));
    assert.equal(isCancelled(), name !== "the tree is gone");
    await speech(1);
    assert.equal(parts().length, 1);
  });
}

test("another playback stops the first", async () => {
  await open();
  await speech(1);
  await open(2);
  assert.ok(parts()[0].stopsAt !== null);
  assert.deepEqual([isCancelled(1), isCancelled(2)], [true, false]);
  await speech(1, 100, 2);
  assert.equal(parts().length, 2);
});

test("a recording stops the playback before the microphone is on", async () => {
  let asked = false;
  navigator.mediaDevices = {
    getUserMedia: async () => {
      asked = true;
      assert.ok(parts()[0].stopsAt !== null);
      return new Microphone();
    },
  };
  await open();
  await speech(1);
  await open(2, "microphone");
  assert.ok(asked && isCancelled(1));
});

test("a browser without a touch so far wants one", async () => {
  navigator.userActivation = { hasBeenActive: false, isActive: false };
  assert.deepEqual(await open(), { reply: 1, error: "gesture" });
  assert.equal(contexts.length, 0, "Chromium would warn");
  navigator.userActivation = undefined;
  Context.resumes = "suspended";
  const opening = open(2);
  await page.clock.advance(1100);
  assert.deepEqual(await opening, { reply: 2, error: "gesture" });
});

test("a page in the background plays nothing", async () => {
  page.hide();
  assert.deepEqual(await open(), { reply: 1, error: "failed" });
});

test("an iPhone plays speech with its silent switch on", async () => {
  navigator.audioSession = { type: "auto" };
  await open();
  assert.equal(navigator.audioSession.type, "playback");
  await receive(kinds.cancel);
  assert.equal(navigator.audioSession.type, "auto");
  navigator.mediaDevices = { getUserMedia: async () => new Microphone() };
  await open(2, "microphone");
  await open(3);
  assert.equal(navigator.audioSession.type, "play-and-record", "speech does not take the microphone away");
});
