// Web Audio for tests: a context whose time stands still, and nodes that note what they are told.

/** An object with listeners. */
class Target {
  #listeners = [];
  addEventListener(name, act) { this.#listeners.push([name, act]); }
  removeEventListener(name, act) { this.#listeners = this.#listeners.filter(one => one[0] !== name || one[1] !== act); }
  happens(name) { for (const [listened, act] of [...this.#listeners]) if (listened === name) act({ type: name }); }
}

class Param {
  /** The automation that was not cancelled: name, value, time. */
  events = [];
  setValueAtTime(value, time) { this.events.push(["set", value, time]); }
  linearRampToValueAtTime(value, time) { this.events.push(["ramp", value, time]); }
  setTargetAtTime(value, time) { this.events.push(["target", value, time]); }
  cancelScheduledValues(from) { this.events = this.events.filter(([, , time]) => time < from); }
}

class Node extends Target {
  targets = [];
  constructor(context) {
    super();
    this.context = context;
    context.nodes.push(this);
  }
  connect(target) { this.targets.push(target); return target; }
  disconnect() { this.targets = []; }
}

/** The contexts that the page has made. @type {Context[]} */
export const contexts = [];

export class Context extends Target {
  static sampleRate = 48_000;
  /** The state after `resume`. */
  static resumes = "running";
  state = "suspended";
  currentTime = 0;
  destination = {};
  nodes = [];
  modules = [];
  constructor() {
    super();
    this.sampleRate = Context.sampleRate;
    this.audioWorklet = { addModule: async address => { this.modules.push(address); } };
    contexts.push(this);
  }
  async resume() { this.state = Context.resumes; }
  /** The browser changes the state. */
  become(state) { this.state = state; this.happens("statechange"); }
  ofType(type) { return this.nodes.filter(node => node instanceof type); }
}

export class Source extends Node {
  stopsAt = null;
  constructor(context, { buffer }) { super(context); this.buffer = buffer; }
  start(time) { this.startsAt = time; }
  stop(time) { this.stopsAt = time; }
}

export class Volume extends Node { gain = new Param(); }

export class Worklet extends Node {
  constructor(context, name, options) {
    super(context);
    Object.assign(this, { name, options, port: { posted: [], postMessage: message => this.port.posted.push(message), onmessage: null } });
  }
  /** The audio thread delivers samples, or null after the last ones. */
  delivers(data) { this.port.onmessage?.({ data }); }
}

export class Microphone {
  tracks = [Object.assign(new Target(), { readyState: "live", enabled: true, stop() { this.readyState = "ended"; } })];
  getTracks() { return this.tracks; }
  /** True while it hears. */
  get isOn() { return this.isOpen && this.tracks[0].enabled; }
  get isOpen() { return this.tracks[0].readyState === "live"; }
}

class AudioBuffer {
  constructor({ length, sampleRate }) { Object.assign(this, { length, sampleRate, samples: new Float32Array(length) }); }
  copyToChannel(samples, channel, start) { this.samples.set(samples, start); }
}

/** Gives the browser of a test these classes. */
export function installAudio() {
  contexts.splice(0);
  Object.assign(Context, { sampleRate: 48_000, resumes: "running" });
  Object.assign(globalThis, {
    AudioContext: Context, AudioBuffer, AudioBufferSourceNode: Source, GainNode: Volume, AudioWorkletNode: Worklet,
    MediaStreamAudioSourceNode: class extends Node { constructor(context, { mediaStream }) { super(context); this.mediaStream = mediaStream; } },
  });
}
