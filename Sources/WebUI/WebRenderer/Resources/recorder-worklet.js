// The part of the microphone that runs in the browser's audio thread: posts the samples in batches, and null after the last one.

/** About 20 ms at the usual sample rates. */
const batchLength = 1024;

registerProcessor("recorder", class extends AudioWorkletProcessor {
  #batch = new Float32Array(batchLength);
  #count = 0;
  #isOver = false;

  constructor() {
    super();
    // The page has turned the microphone off.
    this.port.onmessage = () => this.#finish();
  }

  process([channels]) {
    if (this.#isOver) return false;
    // A source without a microphone has no channels.
    for (const sample of channels[0] ?? []) {
      this.#batch[this.#count++] = sample;
      if (this.#count === batchLength) this.#post();
    }
    return true;
  }

  #post() {
    this.port.postMessage(this.#batch.slice(0, this.#count));
    this.#count = 0;
  }

  #finish() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#post();
    this.port.postMessage(null);
  }
});
