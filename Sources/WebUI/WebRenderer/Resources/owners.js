// The nodes of elements.

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/**
 * The nodes of outer elements. The tree fills it.
 * @type {WeakMap<Element, TreeNode>}
 */
export const owners = new WeakMap();

/** The node with this outer element. */
export const owner = el => owners.get(el);

/** The node that contains an element. */
export function within(el) {
  for (; el; el = el.parentElement) if (owners.has(el)) return owners.get(el);
}
