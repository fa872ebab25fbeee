// The vocabulary: the 256 bytes of UTF-8 text, and six marks that no text can contain.

/** Ends a turn. The last token that the model may say itself. */
export const END = 256;

/** Fills the context window before the beginning of a conversation. */
export const PAD = 257;

/** Opens a system (or developer) turn. */
export const SYSTEM = 258;

/** Opens a user turn. */
export const USER = 259;

/** Opens a turn of the model. */
export const ASSISTANT = 260;

/** Opens the answer of a tool. */
export const TOOL = 261;

/** How many tokens the model can read: bytes and marks. */
export const INPUTS = 262;

/** How many tokens the model can say: bytes and `END`. */
export const OUTPUTS = 257;
