// The vocabulary: the 256 bytes of UTF-8 text, and six marks that no text can contain.

/** Ends a turn. The only mark that the model can sample itself. */
export const END = 256;

/** Fills the context window before the start of a conversation. */
export const PAD = 257;

/** Starts a system (or developer) turn. */
export const SYSTEM = 258;

/** Starts a user turn. */
export const USER = 259;

/** Starts a turn of the model. */
export const ASSISTANT = 260;

/** Starts the answer of a tool. */
export const TOOL = 261;

/** The number of tokens that the model can read: bytes and marks. */
export const INPUTS = 262;

/** The number of tokens that the model can sample: bytes and `END`. */
export const OUTPUTS = 257;
