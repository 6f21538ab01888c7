// Tells the box once of each row that asks for it that it has come into sight.

import { send } from "./connection.js";

/** A row or two early: who goes through rows with the keys gets to the last one, and no further, before the next is there. */
const near = "100px";
/** One for each view that scrolls. @type {WeakMap<Element | Document, IntersectionObserver>} */
const observers = new WeakMap();

const asks = node => /\bappear\b/.test(node.p.on ?? "");

/** The outermost view that scrolls around a row: what is around that would cut off what is only near. */
function scrollerOf(el) {
  let scroller = null;
  for (let up = el.parentElement; up && up.localName !== "dialog"; up = up.parentElement) {
    if (up.matches(".list, .scroll")) scroller = up;
  }
  return scroller;
}

function observe(root) {
  const observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && send("appear", Number(target.dataset.i))) observer.unobserve(target);
    }
  }, { root, rootMargin: near });
  observers.set(root, observer);
  return observer;
}

/** Follows a node that asks, and leaves one that does not. */
export function watch(node) {
  const { el, state } = node;
  state.sight?.unobserve(el);
  state.sight = null;
  if (!asks(node) || !el.isConnected) return;
  const root = scrollerOf(el) ?? document;
  state.sight = observers.get(root) ?? observe(root);
  state.sight.observe(el);
}

/** What came into sight while the line was down was not told: who still asks is looked at anew. */
export function lookAgain(nodes) {
  for (const node of nodes) if (asks(node)) watch(node);
}
