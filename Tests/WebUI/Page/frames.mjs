// Frames of binary streams, as the box reads and writes them.

export const kinds = { data: 1, end: 2, acknowledge: 3, resume: 4, cancel: 5 };

/** A frame of stream `id` from the box. */
export function frame(kind, sequence, bytes = new Uint8Array(), id = 1) {
  const frame = new Uint8Array(12 + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, kind);
  view.setUint32(4, id);
  view.setUint32(8, sequence);
  frame.set(bytes, 12);
  return frame.buffer;
}

export const kindOf = bytes => bytes[0];
/** The payloads among frames that the page has sent on stream `id`. */
export const payloads = (frames, id = 1) => frames.filter(bytes => kindOf(bytes) === kinds.data && bytes[7] === id).map(bytes => bytes.slice(12));
