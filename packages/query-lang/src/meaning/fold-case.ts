// Case folding for `$contains`. No offset into folded text means anything in the text it came from.

/**
 * `text` in Unicode lower case. Each character is folded independently of its context: a capital sigma always becomes
 * `σ`, even at the end of a word, so that substrings stay substrings.
 */
export function foldCase(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase();
}
