// The camera as a reader of codes: shows its picture, and sends the box greyscale stills until the box has found a code or the user closes it.

import { canScan } from "./capabilities.js";
import { make } from "./kinds.js";
import { setOverlay } from "./overlay.js";
import { keepNotice } from "./pill.js";
import { handle } from "./streams.js";
import { translate } from "./words.js";

/** The length of a still's sides in pixels: the middle of the camera's picture. */
const side = 480;
/** The shortest time from one still to the next, in milliseconds. */
const pause = 334;
/** The camera that is on. @type {CameraView | null} */
let shown = null;

handle("scanner", scan);

/**
 * Opens the camera for the box, in place of an earlier one.
 * @returns {Promise<boolean>} true when it shows a picture
 * @throws when there is no camera or the user refuses it
 */
async function scan(stream, { prompt }) {
  if (!canScan()) throw new DOMException("no camera", "NotFoundError");
  const camera = await navigator.mediaDevices.getUserMedia({
    audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  shown?.close();
  const view = new CameraView(camera, String(prompt));
  // The user may have taken too long to answer.
  if (!stream.isOpen) {
    view.close();
    throw new Error("the box does not wait any more");
  }
  view.open();
  // The box cancels the stream when it has found a code, and the camera goes off at once.
  stream.read().catch(() => {}).then(() => view.close());
  sendStills(stream, view).catch(() => {});
  return true;
}

async function sendStills(stream, view) {
  try {
    while (stream.isOpen && view.isOpen) {
      const started = performance.now();
      const still = view.still();
      if (still) await stream.write(still);
      await view.closed(Math.max(0, pause - (performance.now() - started)));
    }
  } finally {
    view.close();
  }
  if (stream.isOpen) await stream.finish();
}

/** The camera's picture above the screen, with a frame, a sentence, and a button that closes it. */
class CameraView {
  isOpen = true;
  #camera;
  #video = document.createElement("video");
  #canvas = document.createElement("canvas");
  #dialog;
  #onClose = () => {};

  constructor(camera, prompt) {
    this.#camera = camera;
    Object.assign(this.#video, { muted: true, playsInline: true, autoplay: true, srcObject: camera });
    this.#video.setAttribute("aria-hidden", "true");
    Object.assign(this.#canvas, { width: side, height: side });
    const words = make("p");
    words.textContent = prompt;
    const button = translate(make("button", "button"), "cancel");
    button.addEventListener("click", () => this.close());
    this.#dialog = make("dialog", "scanner", words, make("div", "viewfinder", this.#video), button);
    this.#dialog.setAttribute("aria-label", prompt);
    // Escape, and Android's back button.
    this.#dialog.addEventListener("cancel", () => this.close());
  }

  open() {
    shown = this;
    // The user may have left while the browser asked.
    if (document.hidden) return this.close();
    document.addEventListener("visibilitychange", this.#hide);
    for (const track of this.#camera.getTracks()) track.addEventListener("ended", () => this.close());
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    setOverlay(this);
    this.#video.play()?.catch(() => {});
  }

  /** Turns the camera off. */
  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const track of this.#camera.getTracks()) track.stop();
    this.#video.srcObject = null;
    this.#onClose();
    if (shown !== this) return;
    shown = null;
    document.removeEventListener("visibilitychange", this.#hide);
    if (!this.#dialog.isConnected) return;
    // Returns the focus to where it was.
    this.#dialog.close();
    this.#dialog.remove();
    keepNotice();
    setOverlay(null);
  }

  /** A page in the background, as on a phone that is locked, has no use for the camera. */
  #hide = () => { if (document.hidden) this.close(); };

  /** Waits until the camera is closed, at most for a time. */
  closed(milliseconds) {
    return new Promise(resolve => {
      if (!this.isOpen) return resolve();
      this.#onClose = resolve;
      setTimeout(resolve, milliseconds);
    });
  }

  /** The middle of the picture as bytes for the box; null before the camera has a picture. */
  still() {
    const { videoWidth: width, videoHeight: height } = this.#video;
    const cut = Math.min(width, height);
    if (!cut) return null;
    const context = this.#canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(this.#video, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side);
    return packed(context.getImageData(0, 0, side, side).data, side, side);
  }
}

/** Width and height in 16 bits each, the higher byte first, then the brightness of each pixel. @param {Uint8ClampedArray} colors */
export function packed(colors, width, height) {
  const bytes = new Uint8Array(4 + width * height);
  bytes.set([width >> 8, width & 255, height >> 8, height & 255]);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * 4;
    bytes[4 + pixel] = (colors[at] * 77 + colors[at + 1] * 150 + colors[at + 2] * 29) >> 8;
  }
  return bytes;
}
