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

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** At most `most` UTF-16 units of a text, cut where a reader sees a character end, with a sign that there is more. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  // A grapheme may be as long as somebody likes: then it is cut all the same.
  for (const { index, segment } of SEGMENTS.segment(text.slice(0, most + 64))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end === 0 ? most : end)}…`;
}
