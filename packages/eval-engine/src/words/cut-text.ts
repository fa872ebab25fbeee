// Cuts texts of any length to a line for people: the beginning, with an ellipsis.

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The most characters of a name in a sentence or a table. */
const LONGEST_NAME = 120;

/**
 * At most `most` UTF-16 units of a text, cut between characters as readers see them, with an ellipsis if it was cut.
 */
export function cutText(text: string, most: number = LONGEST_NAME): string {
  if (text.length <= most) return text;
  let end = 0;
  // A grapheme may be arbitrarily long; it is then cut anyway.
  for (const { index, segment } of SEGMENTS.segment(text.slice(0, most + 64))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end === 0 ? most : end)}…`;
}
