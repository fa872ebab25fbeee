// Case folding for `$contains`. No offset into folded text means anything in the text it came from.

/**
 * `text` in Unicode lower case. Each character is folded by itself, wherever it stands: a capital sigma is always
 * `σ`, also at the end of a word, so that a text contains, folded, whatever it contains.
 */
export function foldCase(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase();
}
