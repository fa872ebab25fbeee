// Limits and defaults of questions, shared by the readers and the schemas of bodies.

/** The most measures in one request. */
export const MAX_MEASURES = 256;

/** The most fields of the row in one request. */
export const MAX_SLICE_FIELDS = 16;

/** Defaults of values that a body omits. */
export const DEFAULTS = { level: 0.95, anytimeRows: 500, minRows: 10 } as const;
