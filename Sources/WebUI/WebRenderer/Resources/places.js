// Reports of scrolling: which child of the scroll targets is at an edge of a scrolling view.

import { send } from "./connection.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/** Reports the child at the edge after scrolling, when it is another one: at most 10 a second, and always the last. @param {TreeNode} node */
export function notePlace(node) {
  if (node.state.noting) return;
  node.state.noting = setTimeout(() => {
    node.state.noting = 0;
    const child = node.el.isConnected ? childAt(node) : undefined;
    if (!child || child.i === node.state.noted) return;
    node.state.noted = child.i;
    send("place", node.i, child.i);
  }, 100);
}

/** The innermost scroll target at the edge of a scrolling view. */
function childAt(node) {
  const across = node.p.axis === "h";
  const box = node.el.getBoundingClientRect();
  const edge = (across ? box.left : box.top) + edgeIn(node, across, across ? box.width : box.height);
  let child;
  for (let targets = targetsIn(node.c); targets?.c.length; targets = targetsIn([child])) child = childBefore(edge, targets.c, across);
  return child;
}

/** The first of these nodes that ends behind the edge, or the last. They follow each other, so half of the rest is left out at each step. */
function childBefore(edge, children, across) {
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle].el.getBoundingClientRect();
    if ((across ? child.right : child.bottom) <= edge) low = middle + 1; else high = middle;
  }
  return children[low];
}

/**
 * The distance of the edge from the start of a scrolling view, in pixels.
 *
 * A bar that comes or goes moves the edge of the view over the content, which must not look like scrolling. The reported edge then keeps its
 * place in the content until scrolling brings the edge of the view there.
 */
function edgeIn({ el, p, state }, across, length) {
  // Bars cover the ends of some scrolling views.
  const style = getComputedStyle(el);
  const covered = name => across ? 0 : parseFloat(style.getPropertyValue(name)) || 0;
  const [first, last] = [covered("scroll-padding-top"), length - covered("scroll-padding-bottom")];
  const line = p.at === "end" ? last - 1 : p.at === "center" ? (first + last) / 2 : first + 1;
  const [scrolled, all] = across ? [el.scrollLeft, el.scrollWidth] : [el.scrollTop, el.scrollHeight];
  const before = state.edge ?? { line, scrolled, lag: 0 };
  const moved = scrolled - before.scrolled;
  let lag = before.lag + before.line - line;
  if (lag > 0) lag = scrolled <= 0 ? 0 : Math.max(0, lag - Math.max(0, moved));
  else lag = scrolled >= all - length - 1 ? 0 : Math.min(0, lag - Math.min(0, moved));
  state.edge = { line, scrolled, lag };
  return line + lag;
}

/** The nearest node inside whose children are scroll targets. @param {TreeNode[]} nodes */
function targetsIn(nodes) {
  for (const node of nodes) {
    const found = node.p.targets ? node : node.k === "scroll" || node.k === "list" ? undefined : targetsIn(node.c);
    if (found) return found;
  }
}
