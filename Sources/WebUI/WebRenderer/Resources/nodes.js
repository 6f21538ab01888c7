// The tree of nodes from the box, and the operations that change it.

import { append, attempt, build, describe, patch, slot } from "./kinds.js";
import { owners } from "./owners.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/** @type {Map<number, TreeNode>} */
export const nodes = new Map();
/** `slid`: the time of the last back transition by the browser itself. */
export const tree = { root: null, fresh: true, slid: -Infinity };

/** The changes of a frame, for its end: parents with changed children, new and removed nodes, nodes to scroll to. */
export const changes = {
  parents: new Set(), made: new Set(),
  left: new Set(), scrolls: new Set(), motion: "",
};

function create(data, up) {
  const node = { i: data.i, k: String(data.k), g: 0, p: {}, c: [], up, part: {}, state: {} };
  build(node, data.p ?? {});
  nodes.set(node.i, node);
  owners.set(node.el, node);
  setFlags(node, data.g ?? 0);
  patch(node, { on: null, ...data.p });
  for (const child of data.c ?? []) attempt(() => attach(node, create(child, node), 0));
  changes.made.add(node);
  return node;
}

/** Inserts a node into the children of another, and its element into the document. */
function attach(parent, child, before) {
  const at = before ? parent.c.findIndex(sibling => sibling.i === before) : -1;
  child.up = parent;
  parent.c.splice(at < 0 ? parent.c.length : at, 0, child);
  put(parent, child);
  changes.parents.add(parent);
}

function put(parent, child) {
  const place = slot(parent, child);
  const next = parent.c.slice(parent.c.indexOf(child) + 1).find(sibling => slot(parent, sibling) === place)?.el ?? null;
  const { el } = child;
  if (el.parentNode === place && el.nextSibling === next) return;
  // `moveBefore` keeps focus, scroll positions and open dialogs.
  if (el.isConnected && place.isConnected && "moveBefore" in place) (place).moveBefore(el, next);
  else place.insertBefore(el, next);
}

function detach(node) {
  const { up } = node;
  if (!up) return;
  up.c = up.c.filter(sibling => sibling !== node);
  changes.parents.add(up);
}

/** Removes a node with its descendants. Its element is removed at the end of the frame, possibly animated. */
function discard(node) {
  detach(node);
  forget(node);
  changes.left.add(node);
}

function forget(node) {
  if (nodes.get(node.i) === node) nodes.delete(node.i);
  owners.delete(node.el);
  changes.made.delete(node);
  changes.parents.delete(node);
  changes.scrolls.delete(node);
  node.c.forEach(forget);
}

function setFlags(node, flags) {
  node.g = flags;
  node.el.classList.toggle("gw", Boolean(flags & 1));
  node.el.classList.toggle("gh", Boolean(flags & 2));
}

/** Updates a node from a snapshot. A node with the same number and kind keeps focus, caret and scroll position. */
function sync(data, up) {
  const node = nodes.get(data.i);
  if (!node || node.k !== data.k || node.up !== up) return create(data, up);
  const gone = Object.keys(node.p).filter(name => !(name in (data.p ?? {})));
  setFlags(node, data.g ?? 0);
  change(node, { ...Object.fromEntries(gone.map(name => [name, null])), ...changed(node, data.p ?? {}) }, "");
  const before = node.c;
  node.c = (data.c ?? []).map(child => sync(child, node));
  for (const child of before) if (!node.c.includes(child)) { forget(child); changes.left.add(child); }
  for (const child of [...node.c].reverse()) put(node, child);
  changes.parents.add(node);
  return node;
}

function describeAll(node) {
  describe(node);
  node.c.forEach(describeAll);
}

function changed(node, props) {
  return Object.fromEntries(Object.entries(props).filter(([name, value]) => node.p[name] !== value || name === "val"));
}

function change(node, props, motion) {
  patch(node, props, motion);
  if (props.to) changes.scrolls.add(node);
  // Hidden content leaves the tab order.
  if ("h" in props) node.c.forEach(describeAll);
  // These affect the edges of the screen or the visible content.
  if (["bleed", "bar", "large", "sel"].some(name => name in props) || "s" in props && node.k === "pad") changes.parents.add(node);
}

/** @type {Record<string, (op: any[]) => void>} */
const operations = {
  a: ([, id, suffix]) => append(get(id), String(suffix)),
  p: ([, id, props]) => change(get(id), props, changes.motion),
  g: ([, id, flags]) => { const node = get(id); setFlags(node, flags); changes.parents.add(node); },
  i: ([, parent, before, data]) => { const up = get(parent); attach(up, create(data, up), before); },
  m: ([, parent, before, id]) => { const node = get(id), up = get(parent); detach(node); attach(up, node, before); },
  r: ([, id]) => discard(get(id)),
};

function get(id) {
  const node = nodes.get(id);
  if (!node) throw new Error(`no node ${id}`);
  return node;
}

export function applyOperations(list) {
  for (const operation of list) {
    attempt(() => {
      if (!Object.hasOwn(operations, operation[0])) throw new Error(`unknown operation ${operation[0]}`);
      operations[operation[0]](operation);
    });
  }
}

export function applySnapshot(frame, screen) {
  if (!frame.resumed) clear();
  tree.fresh = true;
  const before = tree.root;
  tree.root = sync(frame.root, null);
  if (before === tree.root) return;
  if (before) { forget(before); before.el.remove(); }
  screen.replaceChildren(tree.root.el);
}

/** Removes the old tree: a new one uses the same numbers for other nodes. */
function clear() {
  if (!tree.root) return;
  forget(tree.root);
  tree.root.el.remove();
  tree.root = null;
}
