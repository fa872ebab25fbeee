// Finds the cells of a delimited table in its bytes, by RFC 4180, with quotes inside unquoted cells and spaces after quoted
// ones. It returns nothing for other input: the row reader then decides what it is or what is wrong.

const [QUOTE, RETURN, NEWLINE, SPACE, BACKSLASH] = [0x22, 0x0d, 0x0a, 0x20, 0x5c] as const;

/** How much more room there is than is needed, since the next bytes may be a few more. */
const SPARE = 1.25;

/** The cells of the rows in some bytes, row by row; rows with only empty cells are left out. */
export class CellSplitter {
  /** The number of cells in a row; 0 until the first row, which names the columns. */
  columns = 0;
  /** The number of rows found in the last call. */
  rows = 0;
  /** Where each cell begins and ends, without its quotes, and whether it has doubled quotes. */
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  doubled: Uint8Array = new Uint8Array(0);
  readonly delimiter: number;

  constructor(delimiter: number) {
    this.delimiter = delimiter;
  }

  /**
   * Finds the rows that end in the bytes. The final row must end there too if these are the `last` bytes. Returns where
   * the first incomplete row begins; -1 if there is anything else than rows.
   */
  split(bytes: Uint8Array, last: boolean): number {
    // Each cell takes at least one byte: the one that ends it.
    if (this.starts.length <= bytes.length) {
      const room = Math.ceil(bytes.length * SPARE) + 1;
      this.starts = new Uint32Array(room);
      this.ends = new Uint32Array(room);
      this.doubled = new Uint8Array(room);
    }
    const { starts, ends, doubled, delimiter } = this;
    const { length } = bytes;
    this.rows = 0;
    let [at, count] = [0, 0];
    while (at < length) {
      let [i, next, isBlank, isEnd] = [at, count, true, false];
      // `"a\",b",1`: with a backslash before the quote, the cell may continue after it.
      let [isEscaped, hasQuotes] = [false, false];
      while (!isEnd) {
        let start = i;
        let [end, isDoubled] = [i, 0];
        if (i < length && bytes[i] === QUOTE) {
          end = ++start;
          for (; end < length; end++) {
            if (bytes[end] !== QUOTE) continue;
            if (end + 1 === length || bytes[end + 1] !== QUOTE) break;
            isDoubled = 1;
            end++;
          }
          // A closing quote may be followed by another quote.
          if (end + 1 >= length && !last) return at;
          if (end >= length) return -1;
          isEscaped ||= end > start && bytes[end - 1] === BACKSLASH;
          i = end + 1;
          while (bytes[i] === SPACE && delimiter !== SPACE) i++;
          if (bytes[i] === RETURN && (i + 1 === length || bytes[i + 1] === NEWLINE)) i++;
          if (i >= length && !last) return at;
          if (i < length && bytes[i] !== delimiter && bytes[i] !== NEWLINE) return -1;
        } else {
          for (; i < length; i++) {
            const byte = bytes[i];
            if (byte === delimiter || byte === NEWLINE) break;
            if (byte === QUOTE) hasQuotes = true;
          }
          if (i >= length && !last) return at;
          end = i;
          if (bytes[i] !== delimiter && end > start && bytes[end - 1] === RETURN) end--;
        }
        isEnd = bytes[i++] !== delimiter;
        if (end > start) isBlank = false;
        starts[next] = start;
        ends[next] = end;
        doubled[next++] = isDoubled;
      }
      if (isEscaped && hasQuotes) return -1;
      at = i;
      if (isBlank) continue;
      if (this.columns === 0) this.columns = next - count;
      if (next - count !== this.columns) return -1;
      count = next;
      this.rows++;
    }
    return length;
  }
}
