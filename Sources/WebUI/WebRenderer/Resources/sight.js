// Reports once, for each row that requests it, that the row became visible.

import { send } from "./connection.js";

/** A row or two early, so that keyboard focus at the last row finds the next one. Rows that are still to be created: two screens early. */
const margins = { row: "100px", gap: "1600px" };
/** The observers by scrolling view, for rows and for gaps. @type {Record<string, WeakMap<Element | Document, IntersectionObserver>>} */
const observers = { row: new WeakMap(), gap: new WeakMap() };

const reportsAppear = node => /\bappear\b/.test(node.p.on ?? "");

/** The outermost scrolling view around a row. Its ancestors would clip the margin. */
function scrollerOf(el) {
  let scroller = null;
  for (let up = el.parentElement; up && up.localName !== "dialog"; up = up.parentElement) {
    if (up.matches(".list, .scroll")) scroller = up;
  }
  return scroller;
}

function observe(root, kind) {
  const observer = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && send("appear", Number(target.dataset.i))) observer.unobserve(target);
    }
  }, { root, rootMargin: margins[kind] });
  observers[kind].set(root, observer);
  return observer;
}

/** Observes a node that requests it, and stops for others. */
export function watch(node) {
  const { el, state } = node;
  state.sight?.unobserve(el);
  state.sight = null;
  if (!reportsAppear(node) || !el.isConnected) return;
  const root = scrollerOf(el) ?? document;
  const kind = node.k === "gap" ? "gap" : "row";
  state.sight = observers[kind].get(root) ?? observe(root, kind);
  state.sight.observe(el);
}

/** Observes all nodes again: rows that became visible without a connection were not reported. */
export function lookAgain(nodes) {
  for (const node of nodes) if (reportsAppear(node)) watch(node);
}

/**
 * Leaves high children of lazy containers that are out of sight unlaid and unpainted, so that a page of a megabyte costs as much as a short one.
 * They have been laid out once: their height is known.
 */
const far = new IntersectionObserver(entries => {
  for (const { isIntersecting, target, boundingClientRect: { height } } of entries) {
    const isFar = !isIntersecting && height > 1000;
    if (isFar) target.style.setProperty("--height", `${height}px`);
    target.classList.toggle("far", isFar);
  }
}, { scrollMargin: "1000px 0px" });

/** Observes the children of a lazy container. */
export function watchDistance(parent) { for (const { el } of parent.c) far.observe(el); }
