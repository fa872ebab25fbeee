// Splits text that arrives in pieces into lines. Lines that are too long are never held in memory completely.

/** Cuts text chunks into lines. */
export interface LineSplitter {
  /** The lines that end in this chunk. One that is too long is undefined, as soon as that is known. */
  push(piece: string): readonly (string | undefined)[];
  /** The last, unterminated line; empty if the text ended with a line break. */
  end(): readonly (string | undefined)[];
}

/** Cuts at `\n`, wherever chunks end, into lines of at most `longest` UTF-16 units. */
export function lineSplitter(longest: number = Number.POSITIVE_INFINITY): LineSplitter {
  // Parts of the unfinished line, joined only once, so that a long line costs no more than its length.
  let parts: string[] = [];
  let length = 0;
  return {
    push(piece) {
      const lines: (string | undefined)[] = [];
      for (let from = 0; ; ) {
        const newline = piece.indexOf("\n", from);
        const end = newline === -1 ? piece.length : newline;
        const fitted = length <= longest;
        length += end - from;
        if (length <= longest) parts.push(piece.slice(from, end));
        else if (fitted) lines.push(undefined);
        if (length > longest) parts = [];
        if (newline === -1) return lines;
        if (length <= longest) lines.push(parts.join(""));
        [parts, length] = [[], 0];
        from = newline + 1;
      }
    },
    end: () => (length > longest ? [] : [parts.join("")]),
  };
}
