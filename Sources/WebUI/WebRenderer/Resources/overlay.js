// A dialog of the page itself that the user can leave, such as the camera. It is above all nodes of the tree.

/** @typedef {{ close: () => void }} Overlay */

/** @type {Overlay | null} */
let overlay = null;
let changed = () => {};

/** The open dialog; null without one. */
export const currentOverlay = () => overlay;

/** Notes the dialog that was opened; null when it has closed. @param {Overlay | null} dialog */
export function setOverlay(dialog) {
  overlay = dialog;
  changed();
}

/** Sets the function that is called after each change. */
export function onOverlay(act) { changed = act; }
