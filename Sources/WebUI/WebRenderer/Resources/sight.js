// Tells the box once of each row that asks for it that it has come into sight.

import { send } from "./connection.js";

/** A row or two early. A browser that does not know `scrollMargin` does not look beyond the edge of what scrolls. */
const margin = "100px";
const sight = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting && send("appear", Number(target.dataset.i))) sight.unobserve(target);
  }
}, { rootMargin: margin, scrollMargin: margin });

export const asksForSight = node => /\bappear\b/.test(node.p.on ?? "");

/** Follows a node that asks, and leaves one that does not. */
export function watch(node) { if (asksForSight(node)) sight.observe(node.el); else sight.unobserve(node.el); }

/** What came into sight while the line was down was not told: who still asks is looked at anew. */
export function lookAgain(nodes) {
  for (const node of nodes) if (asksForSight(node)) { sight.unobserve(node.el); sight.observe(node.el); }
}
