// A delimited table as places of cells in its bytes, by RFC 4180 to the letter. Of anything else nothing is given, and the
// reader of rows says what it is, or what is wrong with it.

const [QUOTE, RETURN, NEWLINE] = [0x22, 0x0d, 0x0a] as const;

/** The cells of the rows in some bytes, row by row; rows of nothing but empty cells are left out. */
export class CellSplitter {
  /** How many cells a row has; 0 until the first row has come, which names the columns. */
  columns = 0;
  /** How many rows were found last. */
  rows = 0;
  /** Where each cell begins and ends, without its quotes, and whether two quotes in it stand for one. */
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  doubled: Uint8Array = new Uint8Array(0);
  readonly delimiter: number;

  constructor(delimiter: number) {
    this.delimiter = delimiter;
  }

  /**
   * Finds the rows that end in the bytes, of which the last has to, when they are the `last`. Gives where the first row begins
   * that does not; -1 when there is something else than plain rows.
   */
  split(bytes: Uint8Array, last: boolean): number {
    // A cell takes a byte and what ends it.
    if (this.starts.length <= bytes.length) {
      this.starts = new Uint32Array(bytes.length + 1);
      this.ends = new Uint32Array(bytes.length + 1);
      this.doubled = new Uint8Array(bytes.length + 1);
    }
    const { starts, ends, doubled, delimiter } = this;
    const { length } = bytes;
    this.rows = 0;
    let [at, count] = [0, 0];
    while (at < length) {
      let [i, next, isBlank, isEnd] = [at, count, true, false];
      while (!isEnd) {
        let start = i;
        let [end, isDoubled] = [i, 0];
        if (bytes[i] === QUOTE) {
          end = ++start;
          for (; end < length; end++) {
            if (bytes[end] !== QUOTE) continue;
            if (bytes[end + 1] !== QUOTE) break;
            isDoubled = 1;
            end++;
          }
          // Behind what closes it another quote may come.
          if (end + 1 >= length && !last) return at;
          if (end >= length) return -1;
          i = end + 1;
          if (bytes[i] === RETURN && (i + 1 === length || bytes[i + 1] === NEWLINE)) i++;
          if (i >= length && !last) return at;
          if (i < length && bytes[i] !== delimiter && bytes[i] !== NEWLINE) return -1;
        } else {
          for (; i < length; i++) {
            const byte = bytes[i];
            if (byte === delimiter || byte === NEWLINE) break;
            if (byte === QUOTE) return -1;
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
