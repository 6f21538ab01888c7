// Binary streams between capabilities of the page and the box: samples of a microphone, speech, pictures. Docs/Protocols/WebUI.md
// describes the frames. This file uses nothing of the browser, so that tests can run it anywhere.

const kinds = { data: 1, end: 2, acknowledge: 3, resume: 4, cancel: 5 };
const headerLength = 12;
/** The maximum length of a chunk, in bytes. */
const maximumChunkLength = 32_768;
/** The part of a window that a chunk takes beside its bytes. */
const chunkCost = 256;

/** The streams of this page by number. @type {Map<number, Stream>} */
const streams = new Map();
/** @type {(frame: Uint8Array) => boolean} */
let transmit = () => false;

/**
 * The handlers of the streams that the box opens, by purpose. A handler takes the stream and a value, and returns a value or
  * throws to refuse.
 * @type {Map<string, (stream: Stream, value: any) => any>}
 */
const handlers = new Map([["echo", echo]]);
export const handle = (purpose, handler) => { handlers.set(purpose, handler); };

/** @param send sends a frame and returns true, or returns false without a connection */
export function connect(send) { transmit = send; }

/** The answer to the box's `stream.open`. @returns {Promise<any>} the handler's answer; undefined for an unknown purpose */
export async function open({ id, purpose, delivery, window, value }) {
  const handler = handlers.get(purpose);
  if (!handler || !Number.isInteger(id) || streams.has(id)) return undefined;
  const stream = new Stream(id, delivery, window);
  streams.set(id, stream);
  try {
    return await handler(stream, value) ?? true;
  } catch (error) {
    stream.cancel();
    throw error;
  }
}

/** After the snapshot of the same tree: reports the received items to the box, and continues after those that the box has received. */
export function resume() { for (const stream of streams.values()) stream.resume(); }

/** The connection is lost: nothing is sent until the box has reported its received items. */
export function pause() { for (const stream of streams.values()) stream.pause(); }

/** The tree is gone, and its streams with it. */
export function dropAll() { for (const stream of [...streams.values()]) stream.fail(); }

/** Takes a binary message of the box. One that cannot be read is ignored. @param {ArrayBuffer} buffer */
export function receive(buffer) {
  if (buffer.byteLength < headerLength) return;
  const header = new DataView(buffer);
  const [kind, id, sequence] = [header.getUint32(0) / 0x1000000, header.getUint32(4), header.getUint32(8)];
  const stream = streams.get(id);
  if (stream) stream.receive(kind, sequence, new Uint8Array(buffer, headerLength));
  else if (kind === kinds.resume) transmit(frame(kinds.cancel, id, 0));
}

function frame(kind, id, sequence, bytes = new Uint8Array()) {
  const frame = new Uint8Array(headerLength + bytes.length);
  const header = new DataView(frame.buffer);
  header.setUint8(0, kind);
  header.setUint32(4, id);
  header.setUint32(8, sequence);
  frame.set(bytes, headerLength);
  return frame;
}

const cost = bytes => bytes.length + chunkCost;
const total = items => items.reduce((sum, item) => sum + (item.bytes ? cost(item.bytes) : 0), 0);

/** One stream in both directions. One caller reads and one writes. */
export class Stream {
  /** Chunks, and the end without bytes, that the box has not acknowledged. @type {{ sequence: number, bytes?: Uint8Array }[]} */
  #unacknowledged = [];
  /** The number of these that were sent on this connection, or that the box is known to have. */
  #sent = 0;
  #next = 0;
  #ended = false;
  #connected = true;
  /** Unread chunks, and the end, which has no bytes. @type {{ sequence: number, bytes?: Uint8Array, missing: number }[]} */
  #unread = [];
  #arrived = 0;
  #readTo = 0;
  /** The cost of chunks that have arrived and are not acknowledged, and the part of it that was read. */
  #arrivedCost = 0;
  #readCost = 0;
  #received = false;
  #failed = false;
  /** @type {(() => void)[]} */
  #waiters = [];
  #reportFailure = () => {};
  /** Is resolved when the stream has failed or was cancelled, by either side. */
  failed = new Promise(resolve => { this.#reportFailure = resolve; });

  constructor(id, delivery, window) {
    this.id = id;
    this.delivery = delivery;
    this.window = window;
  }

  get isOpen() { return !this.#failed; }

  /**
   * Writes bytes, in chunks of 32 KiB at most, and waits for room in the window.
   * @param {Uint8Array} bytes
   * @throws when the stream has failed or this direction has ended
   */
  async write(bytes) {
    for (let start = 0; start < bytes.length; start += maximumChunkLength) {
      const chunk = bytes.slice(start, start + maximumChunkLength);
      await this.#until(() => this.#ended ? refuse() : this.#append(chunk));
    }
  }

  /**
   * Writes one chunk of 1 to 32,768 bytes without waiting: for sound, which cannot wait. In a live stream a chunk that finds no room counts
   * as missing.
   * @returns {boolean} whether it was taken
   */
  offer(bytes) {
    if (this.#failed || this.#ended || !bytes.length || bytes.length > maximumChunkLength) return false;
    if (this.#append(bytes.slice())) return true;
    if (this.delivery === "live") this.#next += 1;
    return false;
  }

  /** Ends this direction, and waits until the box has read to the end. */
  async finish() {
    if (this.#failed) refuse();
    if (!this.#ended) {
      this.#ended = true;
      this.#unacknowledged.push({ sequence: this.#next++ });
      this.#flush();
    }
    await this.#until(() => this.#unacknowledged.length === 0);
  }

  /**
   * The next chunk.
   * @returns {Promise<{ bytes: Uint8Array, missing: number } | null>} null after the last one; `missing` chunks were lost right before it
   * @throws when the stream has failed
   */
  async read() {
    await this.#until(() => this.#unread.length > 0 || this.#received);
    const item = this.#unread.shift();
    if (!item) return null;
    this.#readTo = item.sequence + 1;
    if (item.bytes) this.#readCost += cost(item.bytes);
    if (!item.bytes || this.#readCost >= this.window / 4) this.#acknowledge();
    this.#retire();
    return item.bytes ? { bytes: item.bytes, missing: item.missing } : null;
  }

  /** Ends both directions at once. */
  cancel() {
    if (this.#failed) return;
    transmit(frame(kinds.cancel, this.id, 0));
    this.fail();
  }

  fail() {
    this.#failed = true;
    this.#unread = [];
    this.#unacknowledged = [];
    streams.delete(this.id);
    this.#reportFailure();
    this.#wake();
  }

  pause() {
    this.#connected = false;
    this.#wake();
  }

  resume() {
    transmit(frame(kinds.resume, this.id, this.#arrived));
    this.#acknowledge();
  }

  receive(kind, sequence, bytes) {
    const isValid = kind === kinds.data ? bytes.length > 0 && this.#take(sequence, bytes)
      : kind === kinds.end ? this.#take(sequence)
      : kind === kinds.acknowledge ? this.#release(sequence)
      : kind === kinds.resume ? this.#continue(sequence)
      : false;
    if (kind === kinds.cancel) return this.fail();
    if (!isValid) return this.cancel();
    this.#flush();
    this.#retire();
    this.#wake();
  }

  #append(bytes) {
    if (this.delivery === "live" && !this.#connected) {
      this.#next += 1;
      return true;
    }
    if (total(this.#unacknowledged) + cost(bytes) > this.window) return false;
    this.#unacknowledged.push({ sequence: this.#next++, bytes });
    this.#flush();
    return true;
  }

  #flush() {
    while (this.#connected && this.#sent < this.#unacknowledged.length) {
      const { sequence, bytes } = this.#unacknowledged[this.#sent];
      if (!transmit(frame(bytes ? kinds.data : kinds.end, this.id, sequence, bytes))) return;
      this.#sent += 1;
    }
  }

  #take(sequence, bytes = undefined) {
    if (sequence < this.#arrived) return this.delivery === "reliable";
    if (this.#received || this.delivery === "reliable" && sequence > this.#arrived) return false;
    if (bytes) {
      if (this.#arrivedCost + cost(bytes) > this.window) return false;
      this.#arrivedCost += cost(bytes);
    }
    this.#unread.push({ sequence, bytes, missing: sequence - this.#arrived });
    this.#received = !bytes;
    this.#arrived = sequence + 1;
    return true;
  }

  #acknowledge() {
    this.#arrivedCost -= this.#readCost;
    this.#readCost = 0;
    transmit(frame(kinds.acknowledge, this.id, this.#readTo));
  }

  #release(sequence) {
    const count = this.#unacknowledged.filter(item => item.sequence < sequence).length;
    if (sequence > this.#next || count > this.#sent) return false;
    this.#unacknowledged.splice(0, count);
    this.#sent -= count;
    return true;
  }

  #continue(sequence) {
    const count = this.#unacknowledged.filter(item => item.sequence < sequence).length;
    if (sequence > this.#next || count > this.#sent) return false;
    this.#connected = true;
    this.#sent = count;
    // Unsent items of a live stream are out of date, its end is not.
    if (this.delivery === "live") this.#unacknowledged = this.#unacknowledged.filter((item, index) => index < count || !item.bytes);
    return true;
  }

  /** Both directions are over. */
  #retire() {
    if (this.#ended && this.#received && !this.#unread.length && !this.#unacknowledged.length) streams.delete(this.id);
  }

  async #until(condition) {
    for (;;) {
      if (this.#failed) refuse();
      if (condition()) return;
      await new Promise(resolve => this.#waiters.push(resolve));
    }
  }

  #wake() {
    for (const waiter of this.#waiters.splice(0)) waiter();
  }
}

function refuse() { throw new Error("the stream is closed"); }

/** Sends received chunks back, for tests of a connection. */
function echo(stream) {
  (async () => {
    for (let chunk = await stream.read(); chunk; chunk = await stream.read()) await stream.write(chunk.bytes);
    await stream.finish();
  })().catch(() => {});
  return true;
}
