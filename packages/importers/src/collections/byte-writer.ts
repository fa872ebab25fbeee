// Builds JSON directly as UTF-8 bytes: data copied from a file to a digest, a scratch or a store never becomes a
// string.

const encoder = new TextEncoder();
/** Longer texts are left to the runtime: calling it costs as much as handling this many bytes here. */
const SHORT = 48;
const [NEWLINE, QUOTE, SLASH, BACKSLASH, LETTER_U] = [0x0a, 0x22, 0x2f, 0x5c, 0x75] as const;

/** A growing byte buffer. */
export class ByteWriter {
  /** The written bytes, followed by free space. Replaced by another array when it grows. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The number of bytes written. */
  size = 0;

  constructor(room: number = 1024) {
    this.bytes = new Uint8Array(room);
  }

  /** Makes room for this many more bytes. */
  reserve(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.size + more));
    grown.set(this.bytes.subarray(0, this.size));
    this.bytes = grown;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.size++] = byte;
  }

  newline(): void {
    this.byte(NEWLINE);
  }

  /** Writes a text. */
  text(text: string): void {
    const { length } = text;
    // A UTF-16 unit is at most three bytes of UTF-8.
    this.reserve(length * 3);
    const { bytes } = this;
    if (length <= SHORT) {
      let [at, i] = [this.size, 0];
      for (; i < length; i++) {
        const unit = text.charCodeAt(i);
        if (unit >= 0x80) break;
        bytes[at++] = unit;
      }
      if (i === length) {
        this.size = at;
        return;
      }
    }
    this.size += encoder.encodeInto(text, bytes.subarray(this.size)).written;
  }

  /** Copies bytes unchanged, possibly from this writer. */
  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    copyBytes(from, start, end, this.bytes, this.size);
    this.size += end - start;
  }

  /**
   * Writes the JSON of a text in UTF-8, like `JSON.stringify`, or with `ascii` like `canonicalJson`. In `doubled` text,
   * two quotes stand for one.
   */
  quoted(
    from: Uint8Array,
    start: number,
    end: number,
    doubled: boolean = false,
    ascii: boolean = false,
  ): void {
    // One byte becomes at most six.
    this.reserve((end - start) * 6 + 2);
    const { bytes } = this;
    const isPlain = ascii ? PLAIN_ASCII : PLAIN;
    let at = this.size;
    bytes[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = from[i]!;
      if (isPlain[byte] === 1) bytes[at++] = byte;
      else if (byte >= 0x7f) {
        at = escapeCharacter(from, i, bytes, at);
        i += bytesAfter(byte);
      } else {
        if (byte === QUOTE && doubled) i++;
        const escaped = ESCAPES[byte]!;
        for (let k = 0; k < escaped.length; k++) bytes[at++] = escaped.charCodeAt(k);
      }
    }
    bytes[at++] = QUOTE;
    this.size = at;
  }

  /** Copies JSON with the characters beyond ASCII as escapes, like `canonicalJson`. */
  asciiJson(from: Uint8Array, start: number, end: number): void {
    this.reserve((end - start) * 6);
    const { bytes } = this;
    let at = this.size;
    for (let i = start; i < end; i++) {
      const byte = from[i]!;
      if (byte < 0x7f) bytes[at++] = byte;
      else {
        at = escapeCharacter(from, i, bytes, at);
        i += bytesAfter(byte);
      }
    }
    this.size = at;
  }

  /** Writes all of the bytes. */
  write(bytes: Uint8Array): void {
    this.copy(bytes, 0, bytes.length);
  }

  /** The written bytes, without a copy. The writer must not be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.size);
  }

  /** A copy of the written bytes. */
  written(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.size);
  }
}

/** A copy of this length, with zeros at its end. */
export function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.ceil(length));
  longer.set(array);
  return longer;
}

/** The bytes of all parts, one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Copies bytes to another array, or to another place in the same one. */
export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > SHORT) to.set(from.subarray(start, end), at);
  else for (let i = start, k = at; i < end; i++, k++) to[k] = from[i]!;
}

/** The bits of a character in a continuation byte. */
function bits(from: Uint8Array, at: number): number {
  return from[at]! & 0x3f;
}

/** How many bytes of a character follow its first. */
function bytesAfter(first: number): number {
  return first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
}

/** Writes the character at `i` as one or two escapes and returns where they end. */
function escapeCharacter(from: Uint8Array, i: number, bytes: Uint8Array, at: number): number {
  const first = from[i]!;
  if (first < 0x80) return escapeUnit(bytes, at, first);
  if (first < 0xe0) return escapeUnit(bytes, at, ((first & 31) << 6) | bits(from, i + 1));
  if (first < 0xf0)
    return escapeUnit(bytes, at, ((first & 15) << 12) | (bits(from, i + 1) << 6) | bits(from, i + 2));
  const rest = ((first & 7) << 18) | (bits(from, i + 1) << 12) | (bits(from, i + 2) << 6) | bits(from, i + 3);
  return escapeUnit(bytes, escapeUnit(bytes, at, 0xd7c0 + (rest >> 10)), 0xdc00 | (rest & 0x3ff));
}

/** Writes a UTF-16 unit as an escape and returns where it ends. */
function escapeUnit(bytes: Uint8Array, start: number, unit: number): number {
  let at = start;
  bytes[at++] = BACKSLASH;
  bytes[at++] = LETTER_U;
  for (let shift = 12; shift >= 0; shift -= 4) {
    const digit = (unit >> shift) & 15;
    bytes[at++] = digit < 10 ? 0x30 + digit : 0x57 + digit;
  }
  return at;
}

/**
 * Rewrites a JSON text in place as `JSON.stringify` writes it, which is never longer. Its escapes must begin with one of
 * the letters of JSON. Returns where it ends; -1 if an escape is not valid.
 */
export function rewriteEscapes(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; ) {
    if (bytes[at] !== BACKSLASH) bytes[to++] = bytes[at++]!;
    else if (bytes[at + 1] === LETTER_U) {
      const unit = unitAt(bytes, at);
      const low = (unit & 0xfc00) === 0xd800 ? unitAt(bytes, at + 6) : -1;
      if (unit === -1) return -1;
      if ((low & 0xfc00) === 0xdc00) {
        to = writeCharacter(bytes, to, 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff));
        at += 12;
      } else {
        to = writeCharacter(bytes, to, unit);
        at += 6;
      }
    } else {
      if (bytes[at + 1] !== SLASH) bytes[to++] = BACKSLASH;
      bytes[to++] = bytes[at + 1]!;
      at += 2;
    }
  }
  return to;
}

/** The UTF-16 unit of the escape at a place; -1 if there is none. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const byte = bytes[i]!;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
}

/** Writes a character of a JSON text and returns where it ends. */
function writeCharacter(bytes: Uint8Array, start: number, code: number): number {
  let at = start;
  if (code < 0x80) {
    const escaped = ESCAPES[code];
    if (!escaped) bytes[at++] = code;
    else for (let k = 0; k < escaped.length; k++) bytes[at++] = escaped.charCodeAt(k);
    return at;
  }
  if ((code & 0x1ff800) === 0xd800) return escapeUnit(bytes, at, code);
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 63);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 63);
  }
  bytes[at++] = 0x80 | (code & 63);
  return at;
}

/** Whether a byte needs no escape in a JSON text, and whether it needs none in an ASCII one. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);
const PLAIN_ASCII = PLAIN.map((isPlain, byte) => (byte < 0x7f ? isPlain : 0));

/** How JSON escapes the first ASCII characters; the character itself if it does not. */
const ESCAPES: readonly string[] = Array.from({ length: 0x60 }, (_, unit) =>
  JSON.stringify(String.fromCharCode(unit)).slice(1, -1),
);
