/** A request of the box that the page refuses, with a word of the protocol. */
export class Refusal extends Error {}

/** @returns {never} */
export const refuse = why => { throw new Refusal(why); };
