// Text of others, so that it can be shown: what has no shape of its own, or turns the direction of what follows, is
// written out. A text that hides something is read as what it is.

// Controls and format characters, but for line breaks, tabs, and the joiner that emoji are made with.
const UNSEEN = /(?![\t\n\r\u200D])[\p{Cc}\p{Cf}]/gu;

/** The text with every unseen character written as its code point. */
export function shown(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
