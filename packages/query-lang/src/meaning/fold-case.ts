// Case folding for `$contains`. Offsets in folded text do not correspond to offsets in the original.

/**
 * `text` in Unicode lower case. Each character is folded independently of its context: a capital sigma always becomes
 * `σ`, even at the end of a word, so that substrings stay substrings.
 */
export function foldCase(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase();
}
