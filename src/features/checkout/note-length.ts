// Not in the contract, so that the page does not load its schemas.

/** Longest note to a maker, characters. */
export const NOTE_LENGTH = 500
