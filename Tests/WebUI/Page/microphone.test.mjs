// microphone.js: recordings for the box.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { contexts, Context, installAudio, Microphone, Worklet } from "./audio.mjs";
import { browser, handlers, settled } from "./browser.mjs";
import { frame, kindOf, kinds, payloads } from "./frames.mjs";

let page, capabilities, streams, frames, microphone, constraints, refusal;

beforeEach(async () => {
  page = browser();
  installAudio();
  [frames, constraints, refusal] = [[], null, null];
  navigator.mediaDevices = {
    getUserMedia: async wishes => {
      constraints = wishes;
      if (refusal) throw Object.assign(new Error(), { name: refusal });
      return microphone = new Microphone();
    },
    enumerateDevices: async () => [{ kind: "audioinput" }],
  };
  const connection = await page.load("connection.js");
  capabilities = await page.load("capabilities.js");
  streams = await page.load("streams.js");
  await page.load("microphone.js");
  connection.start(handlers());
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", ack: 0 });
  streams.connect(bytes => frames.push(bytes));
});

async function open({ id = 1, samples = 7_200_000, window = 131_072 } = {}) {
  await capabilities.answer([id, "stream.open", { id, purpose: "microphone", delivery: "reliable", window, value: { samples } }]);
  await settled();
  return page.socket.sent.at(-1);
}

const recorder = () => contexts[0].ofType(Worklet).at(-1);
/** The audio thread delivers silence. */
async function records(seconds) {
  recorder().delivers(new Float32Array(seconds * 48_000));
  await settled();
}
const receive = async (kind, sequence = 0, id = 1) => {
  streams.receive(frame(kind, sequence, undefined, id));
  await settled();
};
/** The number of samples that the page has sent on a stream. */
const sentCount = (id = 1) => payloads(frames, id).reduce((count, payload) => count + payload.length / 2, 0);

test("samples are sent in chunks of 40 ms at 24 kHz", async () => {
  assert.deepEqual(await open(), { reply: 1, v: true });
  assert.deepEqual(constraints, {
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true }, video: false,
  });
  assert.deepEqual(contexts[0].modules, ["/static/1/recorder-worklet.js"]);
  await records(0.1);
  assert.deepEqual(payloads(frames).map(payload => payload.length), [3840]);
  await records(0.0425);
  assert.deepEqual(payloads(frames).map(payload => payload.length), [3840, 1920]);
});

test("the end of the box turns the microphone off, and the rest is sent", async () => {
  await open();
  await records(0.1);
  await receive(kinds.end);
  assert.equal(microphone.isOn, false);
  assert.deepEqual(recorder().port.posted, [null], "the audio thread has samples");
  recorder().delivers(new Float32Array(48));
  recorder().delivers(null);
  await settled();
  assert.equal(sentCount(), 0.1 * 24_000 + 24);
  assert.equal(kindOf(frames.at(-1)), kinds.end);
});

test("an audio thread that stands still does not hold up the end", async () => {
  await open();
  await records(0.1);
  contexts[0].become("interrupted");
  assert.equal(microphone.isOn, false);
  await page.clock.advance(400);
  assert.equal(sentCount(), 2400);
  assert.equal(kindOf(frames.at(-1)), kinds.end);
});

for (const [name, take] of [
  ["the page goes to the background", () => page.hide()],
  ["the microphone is unplugged", () => microphone.tracks[0].happens("ended")],
  ["a call takes the microphone", () => microphone.tracks[0].happens("mute")],
  ["the browser stops the audio", () => contexts[0].become("suspended")],
]) {
  test(`the recording ends with what there is when ${name}`, async () => {
    await open();
    await records(0.5);
    take();
    assert.equal(microphone.isOpen, false, "at once");
    recorder().delivers(null);
    await settled();
    assert.equal(sentCount(), 12_000);
    assert.equal(kindOf(frames.at(-1)), kinds.end);
  });
}

test("a cancelled recording sends nothing more", async () => {
  await open();
  await receive(kinds.cancel);
  assert.equal(microphone.isOn, false);
  await records(1);
  await page.clock.advance(400);
  assert.deepEqual(frames, []);
});

test("the recording ends with the tree", async () => {
  await open();
  streams.dropAll();
  await settled();
  assert.equal(microphone.isOn, false);
});

test("the recording goes on while the connection is lost", async () => {
  await open();
  await records(0.04);
  streams.pause();
  for (let second = 0; second < 20; second += 1) await records(1);
  assert.equal(microphone.isOn, true);
  const sent = sentCount();
  assert.ok(sent < 24_000);
  streams.resume();
  await receive(kinds.end);
  recorder().delivers(null);
  let [taken, turns] = [0, 0];
  await receive(kinds.resume, 0);
  frames.splice(0, frames.findIndex(bytes => kindOf(bytes) === kinds.resume) + 1);
  // The box reads until it has all of it.
  while (taken < payloads(frames).length && turns++ < 1000) await receive(kinds.acknowledge, taken = payloads(frames).length);
  assert.equal(sentCount(), 20.04 * 24_000);
  assert.ok(payloads(frames).length < 200, "in chunks of up to 32 KiB");
});

test("a recording ends at the length that the box accepts", async () => {
  await open({ samples: 24_000 });
  await records(0.9);
  assert.equal(microphone.isOn, true);
  await records(0.9);
  assert.equal(microphone.isOn, false);
  recorder().delivers(null);
  await settled();
  assert.equal(sentCount(), 24_000);
  assert.equal(kindOf(frames.at(-1)), kinds.end);
});

test("another recording takes the place of the first", async () => {
  await open();
  const [first, firstRecorder] = [microphone, recorder()];
  await records(0.5);
  await open({ id: 2 });
  assert.deepEqual([first.isOn, microphone.isOn], [false, true]);
  firstRecorder.delivers(null);
  await settled();
  assert.equal(kindOf(frames.at(-1)), kinds.end);
  assert.equal(sentCount(), 12_000);
  await records(0.05);
  assert.equal(sentCount(2), 960);
});

test("refused and missing microphones are told apart", async () => {
  refusal = "NotAllowedError";
  assert.deepEqual(await open(), { reply: 1, error: "denied" });
  navigator.userActivation = { isActive: false, hasBeenActive: true };
  assert.deepEqual(await open({ id: 4 }), { reply: 4, error: "denied" }, "after a long time");
  refusal = "NotFoundError";
  assert.deepEqual(await open({ id: 2 }), { reply: 2, error: "unsupported" });
  navigator.mediaDevices = undefined;
  assert.deepEqual(await open({ id: 3 }), { reply: 3, error: "unsupported" });
});

test("a browser without a touch so far wants one", async () => {
  Context.resumes = "suspended";
  const opening = open();
  await page.clock.advance(1100);
  assert.deepEqual(await opening, { reply: 1, error: "gesture" });
  assert.equal(microphone.isOn, false);
});

test("a microphone that comes too late is turned off", async () => {
  let allow;
  navigator.mediaDevices.getUserMedia = () => new Promise(resolve => { allow = () => resolve(microphone = new Microphone()); });
  const opening = open();
  await settled();
  await receive(kinds.cancel);
  allow();
  assert.deepEqual(await opening, { reply: 1, error: "failed" });
  assert.equal(microphone.isOn, false);
});

test("a microphone that comes when the page is in the background records nothing", async () => {
  let allow;
  navigator.mediaDevices.getUserMedia = () => new Promise(resolve => { allow = () => resolve(microphone = new Microphone()); });
  const opening = open();
  await settled();
  page.hide();
  allow();
  assert.deepEqual(await opening, { reply: 1, v: true });
  assert.equal(microphone.isOn, false);
  recorder().delivers(null);
  await settled();
  assert.equal(kindOf(frames.at(-1)), kinds.end);
});

test("a page that is not secure, or has no microphone, cannot record", async () => {
  const isAvailable = async () => {
    await capabilities.answer([9, "microphone.available"]);
    return page.socket.sent.at(-1).v;
  };
  assert.equal(await isAvailable(), true);
  navigator.mediaDevices.enumerateDevices = async () => [{ kind: "videoinput" }];
  assert.equal(await isAvailable(), false);
  navigator.mediaDevices = undefined;
  assert.equal(await isAvailable(), false);
});

test("a touch starts the audio of an app that asks for a microphone", async () => {
  const { wake } = await page.load("audio.js");
  wake();
  assert.equal(contexts.length, 0, "apps without sound need none");
  await capabilities.answer([9, "microphone.available"]);
  navigator.userActivation = { isActive: false };
  wake();
  assert.equal(contexts.length, 0, "a finger that has only come down");
  navigator.userActivation = { isActive: true };
  wake();
  assert.equal(contexts[0].state, "running");
  contexts[0].state = "interrupted";
  wake();
  assert.equal(contexts[0].state, "running");
  assert.equal(contexts.length, 1);
});

test("an iPhone learns what the sound is for", async () => {
  navigator.audioSession = { type: "auto" };
  await open();
  assert.equal(navigator.audioSession.type, "play-and-record");
  await receive(kinds.end);
  assert.equal(navigator.audioSession.type, "auto");
  await open({ id: 2 });
  await open({ id: 3 });
  assert.equal(navigator.audioSession.type, "play-and-record", "of the second recording");
  refusal = "NotAllowedError";
  await open({ id: 4 });
  assert.equal(navigator.audioSession.type, "play-and-record", "which goes on");
  await receive(kinds.cancel, 0, 3);
  await open({ id: 5 });
  assert.equal(navigator.audioSession.type, "auto");
});

test("the microphone stays open for some seconds, muted, and the next recording takes it", async () => {
  await open();
  const first = microphone;
  await receive(kinds.end);
  recorder().delivers(null);
  assert.deepEqual([first.isOpen, first.isOn], [true, false]);
  await page.clock.advance(9_000);
  await open({ id: 2 });
  assert.equal(microphone, first, "nobody is asked again");
  assert.equal(first.isOn, true);
  await receive(kinds.end, 0, 2);
  await page.clock.advance(9_900);
  assert.equal(first.isOpen, true);
  await page.clock.advance(200);
  assert.equal(first.isOpen, false);
});

for (const [name, take] of [
  ["the page goes to the background", () => page.hide()],
  ["it is unplugged", () => microphone.tracks[0].stop()],
  ["another app has muted it", () => { microphone.tracks[0].muted = true; }],
]) {
  test(`a kept microphone is not used again when ${name}`, async () => {
    await open();
    const first = microphone;
    await receive(kinds.end);
    recorder().delivers(null);
    take();
    document.hidden = false;
    await open({ id: 2 });
    assert.notEqual(microphone, first);
    assert.deepEqual([first.isOpen, microphone.isOn], [false, true]);
  });
}

const talk = { closest: () => talk };
const press = button => document.heard({ type: "pointerdown", target: button });

test("what is said between the press and the box's question belongs to the recording", async () => {
  press(talk);
  await open();
  await records(0.1);
  await receive(kinds.end);
  recorder().delivers(null);
  await settled();
  const [first, firstRecorder] = [microphone, recorder()];
  press(talk);
  await settled();
  assert.equal(first.isOn, true, "from the press on");
  assert.notEqual(recorder(), firstRecorder);
  await records(0.2);
  await open({ id: 2 });
  await records(0.1);
  await receive(kinds.end, 0, 2);
  assert.equal(first.isOn, false);
  recorder().delivers(null);
  await settled();
  assert.equal(sentCount(2), 0.3 * 24_000);
});

test("a press that the box does not ask for is forgotten", async () => {
  press(talk);
  await open();
  await receive(kinds.end);
  recorder().delivers(null);
  press(talk);
  await settled();
  await records(0.5);
  await page.clock.advance(1_600);
  assert.deepEqual([microphone.isOpen, microphone.isOn], [true, false]);
  await open({ id: 2 });
  await records(0.1);
  await receive(kinds.end, 0, 2);
  recorder().delivers(null);
  await settled();
  assert.equal(sentCount(2), 2400, "without what was said before");
});

test("other buttons do not turn the microphone on", async () => {
  press(talk);
  await open();
  await receive(kinds.end);
  recorder().delivers(null);
  const other = { closest: () => other };
  press(other);
  press({ closest: () => null });
  await settled();
  assert.equal(microphone.isOn, false);
});

for (const label of ["Headset (WH-1000XM4 Hands-Free AG Audio)", "AirPods", "Bluetooth headset"]) {
  test(`${label} is given back at once`, async () => {
    await open();
    microphone.tracks[0].label = label;
    await receive(kinds.end);
    assert.equal(microphone.isOpen, false);
  });
}
