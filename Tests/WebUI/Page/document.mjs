// As much of a browser's document as the page's modules use. It lays nothing out and dispatches no events of its own.

const toData = name => "data-" + name.replace(/[A-Z]/g, letter => "-" + letter.toLowerCase());

/** One simple selector: a tag, an id, classes, attributes, and the pseudo-classes that the modules use. */
function matchesSimple(el, selector) {
  const parts = selector.match(/^[\w*-]+|#[\w-]+|\.[\w-]+|\[[^\]]+\]|:[\w-]+(\([^)]*\))?/g);
  if (!parts || parts.join("") !== selector) throw new Error(`the document of the tests does not know the selector ${selector}`);
  return parts.every(part => {
    if (part[0] === "#") return el.id === part.slice(1);
    if (part[0] === ".") return el.classList.contains(part.slice(1));
    if (part[0] === "[") {
      const [, name, value] = part.match(/^\[([\w-]+)(?:="?([^"\]]*)"?)?\]$/);
      return value === undefined ? el.hasAttribute(name) : el.getAttribute(name) === value;
    }
    if (part === ":enabled") return !el.disabled;
    if (part[0] === ":") throw new Error(`the document of the tests does not know ${part}`);
    return part === "*" || el.localName === part.toLowerCase();
  });
}

function matches(el, selector) {
  return selector.split(",").some(one => {
    const steps = one.trim().split(/\s+/).reverse();
    const fits = (el, [last, ...rest]) => {
      if (!el) return false;
      if (last === ">") return fits(el.parentElement, rest);
      if (!matchesSimple(el, last)) return false;
      if (!rest.length) return true;
      if (rest[0] === ">") return fits(el.parentElement, rest.slice(1));
      for (let up = el.parentElement; up; up = up.parentElement) if (fits(up, rest)) return true;
      return false;
    };
    return fits(el, steps);
  });
}

export class Text {
  parentNode = null;
  constructor(data) { this.data = data; }
  get textContent() { return this.data; }
  appendData(suffix) { this.data += suffix; }
}

export class HTMLElement {
  parentNode = null;
  childNodes = [];
  scrollWidth = 0;
  clientWidth = 0;
  disabled = false;
  #attributes = new Map();
  #listeners = new Map();
  style = Object.assign(Object.create({ setProperty(name, value) { this[name] = value; } }), { cssText: "" });

  constructor(tag, owner) {
    this.localName = tag.toLowerCase();
    this.tagName = tag.toUpperCase();
    this.ownerDocument = owner;
    const el = this;
    this.dataset = new Proxy({}, {
      get: (_, name) => el.getAttribute(toData(name)) ?? undefined,
      set: (_, name, value) => { el.setAttribute(toData(name), value); return true; },
      deleteProperty: (_, name) => { el.removeAttribute(toData(name)); return true; },
    });
    this.classList = {
      all: () => (el.getAttribute("class") ?? "").split(/\s+/).filter(Boolean),
      contains: name => el.classList.all().includes(name),
      add: (...names) => el.setAttribute("class", [...new Set([...el.classList.all(), ...names])].join(" ")),
      remove: (...names) => el.setAttribute("class", el.classList.all().filter(name => !names.includes(name)).join(" ")),
      toggle(name, on = !el.classList.contains(name)) { if (on) el.classList.add(name); else el.classList.remove(name); return on; },
    };
    if (this.localName === "input" || this.localName === "textarea") {
      Object.assign(this, { text: "", selectionStart: 0, selectionEnd: 0 });
    }
  }

  get id() { return this.getAttribute("id") ?? ""; }
  set id(value) { this.setAttribute("id", value); }
  get className() { return this.getAttribute("class") ?? ""; }
  set className(value) { this.setAttribute("class", value); }
  get lang() { return this.getAttribute("lang") ?? ""; }
  set lang(value) { this.setAttribute("lang", value); }
  get tabIndex() { return Number(this.getAttribute("tabindex") ?? -1); }
  set tabIndex(value) { this.setAttribute("tabindex", value); }
  get value() { return this.text; }
  // As in browsers, the caret goes to the end.
  set value(text) { this.text = text; this.selectionStart = this.selectionEnd = text.length; }
  setSelectionRange(start, end) { this.selectionStart = start; this.selectionEnd = end; }

  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }
  hasAttribute(name) { return this.#attributes.has(name); }
  matches(selector) { return matches(this, selector); }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null; }

  get parentElement() { return this.parentNode instanceof HTMLElement ? this.parentNode : null; }
  get children() { return this.childNodes.filter(node => node instanceof HTMLElement); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get nextSibling() { return this.#sibling(this.parentNode?.childNodes ?? []); }
  get nextElementSibling() { return this.#sibling(this.parentNode?.children ?? []); }
  #sibling(all) { return all[all.indexOf(this) + 1] ?? null; }
  get isConnected() { return this === this.ownerDocument.documentElement || Boolean(this.parentElement?.isConnected); }
  get textContent() { return this.childNodes.map(node => node.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [String(text)])); }

  insertBefore(node, next) {
    if (typeof node === "string") node = new Text(node);
    if (node.parentNode) node.parentNode.childNodes = node.parentNode.childNodes.filter(child => child !== node);
    const at = next ? this.childNodes.indexOf(next) : -1;
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, node);
    node.parentNode = this;
    return node;
  }
  append(...nodes) { for (const node of nodes) this.insertBefore(node, null); }
  prepend(...nodes) { for (const node of nodes.reverse()) this.insertBefore(node, this.firstChild); }
  replaceChildren(...nodes) {
    for (const node of this.childNodes) node.parentNode = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  remove() { if (this.parentNode) { this.parentNode.childNodes = this.parentNode.childNodes.filter(child => child !== this); this.parentNode = null; } }
  cloneNode() { return this.ownerDocument.createElement(this.localName); }

  querySelectorAll(selector) { return this.children.flatMap(el => [...(el.matches(selector) ? [el] : []), ...el.querySelectorAll(selector)]); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }

  addEventListener(name, act) { this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), act]); }
  removeEventListener(name, act) { this.#listeners.set(name, (this.#listeners.get(name) ?? []).filter(one => one !== act)); }
  /** Runs the listeners of this element; the document's hear of it too. */
  dispatch(name, details = {}) {
    const event = { type: name, target: this, defaultPrevented: false, preventDefault() { this.defaultPrevented = true; }, ...details };
    for (const act of this.#listeners.get(name) ?? []) act(event);
    this.ownerDocument.heard(event);
    return event;
  }
  focus() {
    if (this.ownerDocument.activeElement === this) return;
    this.ownerDocument.activeElement.blur();
    this.ownerDocument.activeElement = this;
    this.dispatch("focus");
  }
  blur() {
    if (this.ownerDocument.activeElement !== this || this === this.ownerDocument.body) return;
    this.ownerDocument.activeElement = this.ownerDocument.body;
    this.dispatch("blur");
  }
}

export class Document {
  hidden = false;
  title = "";
  #listeners = new Map();
  documentElement = new HTMLElement("html", this);
  body = new HTMLElement("body", this);
  activeElement = this.body;
  constructor() { this.documentElement.append(this.body); }

  createElement(tag) { return new HTMLElement(tag, this); }
  createElementNS(_, tag) { return new HTMLElement(tag, this); }
  createTextNode(text) { return new Text(text); }
  getElementById(id) { return this.documentElement.querySelector(`#${id}`); }
  querySelector(selector) { return this.documentElement.querySelector(selector); }
  querySelectorAll(selector) { return this.documentElement.querySelectorAll(selector); }
  addEventListener(name, act) { this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), act]); }
  removeEventListener(name, act) { this.#listeners.set(name, (this.#listeners.get(name) ?? []).filter(one => one !== act)); }
  heard(event) { for (const act of this.#listeners.get(event.type) ?? []) act(event); }
}
