// scanner.js: the camera, and the stills for the box.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { browser, handlers, settled } from "./browser.mjs";

let page, capabilities, streams, scanner, overlay, pill, frames, camera, words;

/** The kinds of frames. */
const [data, end, acknowledge, cancel] = [1, 2, 3, 5];

function frame(kind, sequence) {
  const view = new DataView(new ArrayBuffer(12));
  view.setUint8(0, kind);
  view.setUint32(4, 1);
  view.setUint32(8, sequence);
  return view.buffer;
}

const kind = bytes => bytes[0];
const payloads = () => frames.filter(bytes => kind(bytes) === data).map(bytes => bytes.slice(12));
const dialog = () => page.document.querySelector("dialog");

beforeEach(async () => {
  page = browser();
  frames = [];
  camera = {
    stops: 0, constraints: null, ended: [],
    getTracks: () => [{ stop: () => { camera.stops += 1; }, addEventListener: (_, act) => camera.ended.push(act) }],
  };
  navigator.mediaDevices = { getUserMedia: async constraints => { camera.constraints = constraints; return camera; } };
  Object.assign(HTMLElement.prototype, {
    videoWidth: 640, videoHeight: 480, play: async () => {}, showModal() { this.isModal = true; }, close() { this.isModal = false; },
    getContext: () => ({
      drawImage: (_, ...area) => { camera.area = area; },
      getImageData: (x, y, width, height) => ({ data: new Uint8ClampedArray(width * height * 4).fill(200) }),
    }),
  });
  const connection = await page.load("connection.js");
  capabilities = await page.load("capabilities.js");
  streams = await page.load("streams.js");
  scanner = await page.load("scanner.js");
  overlay = await page.load("overlay.js");
  pill = await page.load("pill.js");
  words = await page.load("words.js");
  connection.start(handlers());
  page.socket.accept();
  page.socket.receive({ root: {}, session: "secret", ack: 0 });
  streams.connect(bytes => frames.push(bytes));
});

async function open() {
  const value = { id: 1, purpose: "scanner", delivery: "reliable", window: 262_144, value: { prompt: "Scan the host's code." } };
  await capabilities.answer([9, "stream.open", value]);
  await settled();
  return page.socket.sent.at(-1);
}

test("brightness follows the eye", () => {
  const colors = Uint8ClampedArray.from([0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 0]);
  assert.deepEqual([...scanner.packed(colors, 3, 2)], [0, 3, 0, 2, 0, 255, 76, 149, 28, 9]);
});

test("the camera is shown with the prompt, and the middle of its picture is sent", async () => {
  assert.deepEqual(await open(), { reply: 9, v: true });
  assert.equal(camera.constraints.audio, false);
  assert.equal(camera.constraints.video.facingMode, "environment");
  assert.ok(dialog().isModal);
  assert.equal(dialog().querySelector("p").textContent, "Scan the host's code.");
  assert.equal(dialog().querySelector("button").textContent, "Cancel");
  assert.deepEqual(camera.area, [80, 0, 480, 480, 0, 0, 480, 480]);
  const bytes = payloads().flatMap(payload => [...payload]);
  assert.deepEqual(bytes.slice(0, 4), [1, 224, 1, 224]);
  assert.equal(bytes.length, 4 + 480 * 480);
  assert.ok(bytes.slice(4).every(byte => byte === 200));
});

test("a still is sent every third of a second, when the box has read the one before", async () => {
  await open();
  const length = payloads().length;
  streams.receive(frame(acknowledge, length));
  await page.clock.advance(333);
  assert.equal(payloads().length, length);
  await page.clock.advance(2);
  assert.equal(payloads().length, 2 * length);
  await page.clock.advance(1_000);
  assert.equal(payloads().length, 2 * length, "the window has room for one still");
  streams.receive(frame(acknowledge, 2 * length));
  await settled();
  assert.equal(payloads().length, 3 * length);
});

test("the camera closes when the box has found a code", async () => {
  await open();
  streams.receive(frame(cancel, 0));
  await settled();
  assert.equal(camera.stops, 1, "without waiting for the next still");
  assert.equal(dialog(), null);
  assert.ok(!frames.some(bytes => kind(bytes) === end));
});

test("the camera closes when the tree is gone", async () => {
  await open();
  streams.dropAll();
  await settled();
  assert.equal(camera.stops, 1);
  assert.equal(dialog(), null);
});

for (const [name, close] of [
  ["the user closes it", () => dialog().querySelector("button").dispatch("click")],
  ["the user presses Escape", () => dialog().dispatch("cancel")],
  ["the page goes to the background", () => page.hide()],
  ["the user goes back", () => overlay.currentOverlay().close()],
  ["the system takes it away", () => camera.ended[0]()],
]) {
  test(`the camera closes, and the stream ends, when ${name}`, async () => {
    await open();
    close();
    assert.equal(camera.stops, 1, "at once");
    assert.equal(dialog(), null);
    assert.equal(overlay.currentOverlay(), null);
    await settled();
    assert.equal(kind(frames.at(-1)), end);
  });
}

test("a camera that has no picture yet sends nothing", async () => {
  HTMLElement.prototype.videoWidth = 0;
  await open();
  assert.equal(payloads().length, 0);
  HTMLElement.prototype.videoWidth = 640;
  await page.clock.advance(340);
  assert.ok(payloads().length > 0);
});

test("a refused camera is denied, a missing one unsupported", async () => {
  const fail = name => async () => { throw Object.assign(new Error(), { name }); };
  navigator.mediaDevices = { getUserMedia: fail("NotAllowedError") };
  assert.deepEqual(await open(), { reply: 9, error: "denied" });
  navigator.mediaDevices = { getUserMedia: fail("NotFoundError") };
  assert.deepEqual(await open(), { reply: 9, error: "unsupported" });
  navigator.mediaDevices = undefined;
  assert.deepEqual(await open(), { reply: 9, error: "unsupported" });
  assert.equal(dialog(), null);
});

test("a page that is not secure has no camera", async () => {
  await capabilities.answer([9, "scanner.available"]);
  assert.deepEqual(page.socket.sent.at(-1), { reply: 9, v: true });
  navigator.mediaDevices = undefined;
  await capabilities.answer([9, "scanner.available"]);
  assert.deepEqual(page.socket.sent.at(-1), { reply: 9, v: false });
});

test("a camera that comes too late is turned off", async () => {
  let allow;
  navigator.mediaDevices = { getUserMedia: () => new Promise(resolve => { allow = () => resolve(camera); }) };
  const opening = open();
  await settled();
  streams.receive(frame(cancel, 0));
  allow();
  assert.deepEqual(await opening, { reply: 9, error: "failed" });
  assert.equal(camera.stops, 1);
  assert.equal(dialog(), null);
});

test("a camera that comes when the page is in the background is turned off", async () => {
  let allow;
  navigator.mediaDevices = { getUserMedia: () => new Promise(resolve => { allow = () => resolve(camera); }) };
  const opening = open();
  await settled();
  page.hide();
  allow();
  assert.deepEqual(await opening, { reply: 9, v: true });
  assert.equal(camera.stops, 1);
  assert.equal(dialog(), null);
  assert.equal(overlay.currentOverlay(), null);
  assert.equal(kind(frames.at(-1)), end);
});

test("another scan takes the place of the first", async () => {
  await open();
  let stops = 0;
  const second = { getTracks: () => [{ stop: () => { stops += 1; }, addEventListener() {} }] };
  navigator.mediaDevices = { getUserMedia: async () => second };
  const value = { id: 2, purpose: "scanner", delivery: "reliable", window: 262_144, value: { prompt: "Again." } };
  await capabilities.answer([10, "stream.open", value]);
  await settled();
  assert.equal(camera.stops, 1);
  assert.equal(stops, 0);
  assert.equal(page.document.querySelectorAll("dialog").length, 1);
  assert.equal(dialog().querySelector("p").textContent, "Again.");
  assert.notEqual(overlay.currentOverlay(), null);
});

test("a notice about the connection outlives the camera's picture", async () => {
  await open();
  dialog().setAttribute("open", "");
  pill.showAway(true);
  assert.equal(page.pill.closest("dialog"), dialog());
  dialog().querySelector("button").dispatch("click");
  assert.equal(page.pill.parentElement.localName, "main");
  assert.equal(page.pill.textContent, "Reconnecting…");
});
