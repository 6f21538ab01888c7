// Scrolling views that stay at the end of their content, as a conversation does.

import { owner } from "./owners.js";

/** @typedef {import("./kinds.js").TreeNode} TreeNode */

/** The rest of the content, in pixels, that still counts as the end. */
const nearness = 40;

const sizes = new ResizeObserver(() => stick());
let sticking = false;

export const sticky = () => [...document.querySelectorAll(".scroll")].map(owner).filter(node => node?.p.stick);

/** Begins at the end of the content. @param {TreeNode} node */
export function startAtEnd({ el, state }) {
  state.atEnd = true;
  // Scroll anchoring is missing in some browsers, and in all at the very top: see keepPlaces.
  el.style.overflowAnchor = "none";
  sizes.observe(el);
}

/** Scrolls to the ends once per animation frame. */
export function stickSoon() {
  if (sticking) return;
  sticking = true;
  requestAnimationFrame(() => { sticking = false; stick(); });
}

function stick() {
  for (const node of sticky()) {
    // The event of a scroll that just began may follow.
    heed(node);
    if (node.state.atEnd) node.el.scrollTop = node.el.scrollHeight;
  }
}

/**
 * Notes whether the view stays at the end: a user who scrolls up leaves it, and returns by scrolling down. Content that grows or shrinks at the
 * end stays there. A change of the view's own size, by a bar, a keyboard or a turn of the phone, moves the content and decides nothing.
 * @param {TreeNode} node
 */
export function heed({ el, state }) {
  const { scrollTop: top, scrollHeight: content, clientWidth: width, clientHeight: height } = el;
  const isNear = content - height - top < nearness;
  const before = state.seen ?? { top: 0, content, width, height, isNear };
  state.seen = { top, content, width, height, isNear };
  if (isNear && top > before.top) state.atEnd = true;
  else if (width !== before.width || height !== before.height) return;
  else if (!isNear && top < before.top) state.atEnd = false;
  else if (content !== before.content && (isNear || before.isNear)) state.atEnd = true;
}
