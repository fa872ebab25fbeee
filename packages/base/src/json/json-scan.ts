// Scans the structure of JSON text while its bytes arrive, before anything is built of it: nesting depth, numbers of
// values and names, and where to cut it into pieces that are parsed one after the other. It does not examine values;
// the parser decides whether each piece is JSON.

/** The limits of a JSON text. */
export interface JsonLimits {
  /** Levels of nested lists and objects. */
  readonly maxDepth: number;
  /** The total number of lists, objects, texts, numbers and literals. */
  readonly maxValues: number;
  /** The number of distinct member names: each costs an engine far more than a value. */
  readonly maxNames: number;
  /** For a text that consists of records, the limits of each record. */
  readonly records?: JsonRecords | undefined;
  /**
   * The most bytes of one text or number, which is read in one go. Default 32 MiB, which takes a tenth of a second.
   */
  readonly maxText?: number;
  /**
   * Lists and objects with at least this many bytes are cut. Default 64 KiB, which take some milliseconds to parse.
   */
  readonly pieceBytes?: number;
}

/** Records in a JSON text, which are stored and read one by one. */
export interface JsonRecords {
  /** The depth of lists and objects around a record: 2 for the calls of `{"batch":[{},{}]}`. */
  readonly depth: number;
  /** The most values of one record. */
  readonly maxValues: number;
}

/** A list or object that is too long to be parsed in one go, cut into pieces. */
export interface JsonCut {
  /** Offset of its opening bracket. */
  readonly start: number;
  /** The offset after its closing bracket. */
  readonly end: number;
  /** Whether it is a list or an object. */
  readonly list: boolean;
  /** Its content in order, without the commas at the cuts. */
  readonly pieces: readonly JsonPiece[];
}

/** Some members of a list or object. */
export interface JsonPiece {
  /** Offset of the first member. */
  readonly start: number;
  /** The offset after the last member. */
  readonly end: number;
  /** The last member, if that is itself cut. */
  readonly inner: JsonCut | undefined;
}

/** Why a text is refused. */
export type JsonFault =
  /** Not JSON, with the offset of the error. */
  | { readonly kind: "syntax"; readonly at: number }
  /** A limit was exceeded; the message continues a sentence that starts with "the body" or similar. */
  | {
      readonly kind: "limit";
      readonly of: "depth" | "values" | "record" | "names" | "text";
      readonly message: string;
    };

const PIECE_BYTES = 64 * 1024;
const MAX_TEXT = 32 * 2 ** 20;

interface Open {
  readonly start: number;
  readonly list: boolean;
  /** Where the current member starts. */
  member: number;
  /** Where the current piece starts. */
  from: number;
  pieces: JsonPiece[] | undefined;
  /** The last member, if it is itself cut. */
  inner: JsonCut | undefined;
}

/** The seed of name hashes, unpredictable, so that no one can choose names that collide. */
const SEED = Math.trunc(Math.random() * 2 ** 31);

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];

/** Reads a text in chunks. Do not use it after a fault. */
export class JsonScan {
  readonly #limits: JsonLimits;
  readonly #names: NameCount;
  readonly #pieceBytes: number;
  readonly #maxText: number;
  readonly #recordDepth: number;
  readonly #open: Open[] = [];
  #at = 0;
  #values = 0;
  /** The number of values before the current record. */
  #before = 0;
  /** Whether it is inside a text, and whether the next byte is escaped. */
  #inText = false;
  #escaped = false;
  #hash = 0;
  /** Whether it is inside a number or literal. */
  #inWord = false;
  /** Where the last text or word starts. */
  #from = 0;
  /** The JSON value is complete: only white space may follow. */
  #root: JsonCut | undefined;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#names = new NameCount(limits.maxNames);
    this.#pieceBytes = limits.pieceBytes ?? PIECE_BYTES;
    this.#maxText = limits.maxText ?? MAX_TEXT;
    this.#recordDepth = limits.records?.depth ?? -1;
  }

  /** The number of values read. */
  get values(): number {
    return this.#values;
  }

  /** The cuts of the whole, after everything was read; undefined if it is short enough to be parsed in one go. */
  get cut(): JsonCut | undefined {
    return this.#root;
  }

  /** Reads the next chunk. */
  push(bytes: Uint8Array): JsonFault | undefined {
    const base = this.#at;
    let [inText, escaped, hash, inWord] = [this.#inText, this.#escaped, this.#hash, this.#inWord];
    let from = this.#from;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          if (base + i - from > this.#maxText) return this.#tooLong();
          inText = false;
          continue;
        }
        hash = (Math.imul(hash, 0x01000193) ^ byte) | 0;
        continue;
      }
      if (byte > COLON && byte !== 0x5b && byte !== 0x5d && byte !== 0x7b && byte !== 0x7d) {
        if (!inWord) {
          if (++this.#values > this.#limits.maxValues) return this.#tooMany();
          from = base + i;
        }
        inWord = true;
        continue;
      }
      switch (byte) {
        case QUOTE:
          if (++this.#values > this.#limits.maxValues) return this.#tooMany();
          inText = true;
          inWord = false;
          from = base + i;
          hash = SEED;
          break;
        case COLON:
          // The previous text was a name, not a value.
          this.#values--;
          if (!this.#names.add(hash)) {
            return {
              kind: "limit",
              of: "names",
              message: `has more than ${this.#limits.maxNames} different names of members`,
            };
          }
          break;
        case 0x5b:
        case 0x7b: {
          inWord = false;
          if (++this.#values > this.#limits.maxValues) return this.#tooMany();
          if (this.#open.length >= this.#limits.maxDepth)
            return {
              kind: "limit",
              of: "depth",
              message: `is nested deeper than ${this.#limits.maxDepth} levels`,
            };
          const start = base + i;
          this.#open.push({
            start,
            list: byte === 0x5b,
            member: start + 1,
            from: start + 1,
            pieces: undefined,
            inner: undefined,
          });
          if (this.#open.length === this.#recordDepth) this.#before = this.#values;
          break;
        }
        case 0x5d:
        case 0x7d:
          inWord = false;
          if (this.#open.length === this.#recordDepth && this.#isLargeRecord()) return this.#largeRecord();
          if (!this.#close(base + i, byte === 0x5d)) return { kind: "syntax", at: base + i };
          break;
        case COMMA: {
          inWord = false;
          const open = this.#open.at(-1);
          if (open === undefined) return { kind: "syntax", at: base + i };
          if (this.#open.length === this.#recordDepth) {
            if (this.#isLargeRecord()) return this.#largeRecord();
            this.#before = this.#values;
          }
          if (open.inner !== undefined || base + i - open.from >= this.#pieceBytes) cutAt(open, base + i);
          open.member = base + i + 1;
          break;
        }
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
          inWord = false;
          break;
        default:
          // A digit, a sign, a full stop, or something that is not JSON.
          if (!inWord) {
            if (++this.#values > this.#limits.maxValues) return this.#tooMany();
            from = base + i;
          }
          inWord = true;
      }
    }
    this.#at = base + bytes.length;
    [this.#inText, this.#escaped, this.#hash, this.#inWord] = [inText, escaped, hash, inWord];
    this.#from = from;
    return (inText || inWord) && this.#at - from > this.#maxText ? this.#tooLong() : undefined;
  }

  /** Why the text may not end here; undefined if it may. */
  end(): JsonFault | undefined {
    return this.#open.length > 0 || this.#inText ? { kind: "syntax", at: this.#at } : undefined;
  }

  #tooMany(): JsonFault {
    return { kind: "limit", of: "values", message: `has more than ${this.#limits.maxValues} values` };
  }

  #isLargeRecord(): boolean {
    return this.#values - this.#before > this.#limits.records!.maxValues;
  }

  #largeRecord(): JsonFault {
    const { maxValues } = this.#limits.records!;
    return { kind: "limit", of: "record", message: `has a record of more than ${maxValues} values` };
  }

  #tooLong(): JsonFault {
    return { kind: "limit", of: "text", message: `has a text or number of more than ${this.#maxText} bytes` };
  }

  #close(at: number, list: boolean): boolean {
    const open = this.#open.pop();
    if (open === undefined || open.list !== list) return false;
    if (at + 1 - open.start < this.#pieceBytes) return true;
    cutAt(open, at);
    const cut: JsonCut = { start: open.start, end: at + 1, list, pieces: open.pieces! };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = cut;
    else {
      // Everything before becomes a separate piece, because it is short and this is not.
      if (parent.member > parent.from) {
        parent.pieces ??= [];
        parent.pieces.push({ start: parent.from, end: parent.member - 1, inner: undefined });
        parent.from = parent.member;
      }
      parent.inner = cut;
    }
    return true;
  }
}

function cutAt(open: Open, at: number): void {
  open.pieces ??= [];
  open.pieces.push({ start: open.from, end: at, inner: open.inner });
  open.from = at + 1;
  open.inner = undefined;
}

/** Counts distinct names by their hashes, with open addressing in a table that grows to twice the limit. */
class NameCount {
  readonly #most: number;
  #count = 0;
  #table = new Int32Array(256);

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the limit is not exceeded yet. */
  add(hash: number): boolean {
    // Zero marks an empty slot.
    const wanted = hash === 0 ? 1 : hash;
    if (!put(this.#table, wanted)) return true;
    this.#count++;
    if (this.#count * 2 > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 4);
      for (const one of this.#table) if (one !== 0) put(larger, one);
      this.#table = larger;
    }
    return this.#count <= this.#most;
  }
}

/** Whether `hash` is new. */
function put(table: Int32Array, hash: number): boolean {
  const mask = table.length - 1;
  for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
    if (table[at] === hash) return false;
    if (table[at] === 0) {
      table[at] = hash;
      return true;
    }
  }
}
