// Makes external text safe to show: invisible characters and those that change the direction of text are written as
// code points, so that a text cannot hide anything.

// Control and format characters, except for line breaks, tabs, and the joiner used in emoji.
const UNSEEN = /(?![\t\n\r\u200D])[\p{Cc}\p{Cf}]/gu;

/** The text with every invisible character written as its code point. */
export function shown(text: string): string {
  return text.replace(
    UNSEEN,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
