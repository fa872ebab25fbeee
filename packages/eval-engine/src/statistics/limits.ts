// How much one question may ask for, and what it asks for when it does not say: what reads bodies and what describes them
// agree on it.

/** Measures that one request may name. */
export const MOST_MEASURES = 256;

/** Fields of the row that one request may name. */
export const MOST_SLICE_FIELDS = 16;

/** Defaults for values that a body leaves out. */
export const DEFAULTS = { level: 0.95, anytimeRows: 500, minRows: 10 } as const;
