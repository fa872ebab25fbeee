// Makes text from outside safe to show: invisible characters and those that change the direction of text are written
// as code points, so that a text cannot hide anything.

// Controls and format characters, but for line breaks, tabs, and the joiner that emoji are made with.
const UNSEEN = /(?![\t\n\r\u200D])[\p{Cc}\p{Cf}]/gu;

/** The text with every unseen character written as its code point. */
export function shown(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
