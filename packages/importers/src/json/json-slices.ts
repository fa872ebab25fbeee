// Extracts values from one large JSON document as it streams by: each sample of a log of a gigabyte, without holding
// the log. It follows only strings and brackets, so it accepts the NaN that Python writes; the caller parses the
// extracted values.

import type { Json } from "@assay/base";
import { joinedBytes } from "../collections/byte-writer.ts";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { pieces } from "../files/pieces.ts";
import { LONGEST } from "../files/text-pieces.ts";
import { type LargeIntegers, parseJson } from "./json-text.ts";

/** Keys from the root; `*` matches every key of an object and every place of a list. */
export type JsonPath = readonly string[];

/** The values to extract from a document. */
export interface SlicePlan {
  /** Paths of the values to extract. A value within another extracted value is not returned separately. */
  readonly take: readonly JsonPath[];
  /** Paths to leave out; they read as null. */
  readonly omit?: readonly JsonPath[];
  /** Called with each key on the path to an extracted value, and with all keys down to a given depth. */
  readonly onKey?: (path: readonly string[]) => void;
  readonly watch?: number;
  /** How to read integers that a double cannot hold. Default: as texts. */
  readonly large?: LargeIntegers | undefined;
}

/** An extracted value. */
export interface JsonSlice {
  /** Its path: keys, and list places as decimal digits. */
  readonly path: readonly string[];
  readonly value: Json;
}

interface PathNode {
  readonly below: Map<string, PathNode>;
  take: boolean;
  omit: boolean;
}

/** A container on the path to an extracted value. */
interface Container {
  readonly isList: boolean;
  readonly node: PathNode;
  place: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
// Anything nested deeper is refused: values nest at most 200 deep in a call.
const DEEPEST = 10_000;
const SHORT_STRING = 48;
const LONGEST_SCALAR = 64 * 1024;

/** Extracts the values in the plan from a JSON document, in document order. */
export async function* jsonSlices(file: ImportFile, plan: SlicePlan): AsyncGenerator<JsonSlice> {
  yield* slicesOf(pieces(file), plan);
}

/** The whole value of a JSON document. */
export async function jsonDocument(file: ImportFile): Promise<Json> {
  let document: Json = null;
  for await (const { value } of jsonSlices(file, { take: [[]] })) document = value;
  return document;
}

/** The same as `jsonSlices` for a document in pieces. */
export async function* slicesOf(
  document: AsyncIterable<Uint8Array>,
  plan: SlicePlan,
): AsyncGenerator<JsonSlice> {
  const slicer = new JsonSlicer(plan);
  for await (const piece of document) {
    slicer.feed(piece);
    yield* slicer.takeValues();
  }
  slicer.end();
  yield* slicer.takeValues();
}

/** The scanner: takes bytes, returns values. */
export class JsonSlicer {
  private readonly root: PathNode;
  private readonly onKey: SlicePlan["onKey"];
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });
  private readonly containers: Container[] = [];
  private readonly path: string[] = [];
  private done: JsonSlice[] = [];
  private offset = 0;

  /** The expected next token in a container on the path. */
  private expected: "value" | "key" | "colon" | "comma" | "nothing" = "value";
  /** Open brackets inside a value whose content is not needed. */
  private blindDepth = 0;
  private token: "string" | "key" | "scalar" | undefined;
  private escaped = false;
  private scalarSize = 0;
  private key: Uint8Array[] = [];

  /** The pieces of the value being extracted; undefined outside of one. */
  private captured: Uint8Array[] | undefined;
  private capturedSize = 0;
  private capturedDepth = 0;
  /** Where to start copying in the current piece; -1 while bytes are left out. */
  private copyFrom = -1;
  private readonly large: LargeIntegers | undefined;
  private omittedDepth = -1;

  /** Creates a scanner for one document. */
  constructor({ take, omit = [], onKey, watch = 0, large }: SlicePlan) {
    this.large = large;
    this.root = emptyNode();
    nodeAt(this.root, new Array<string>(watch).fill("*"));
    this.onKey = onKey;
    for (const path of take) nodeAt(this.root, path).take = true;
    for (const path of omit) nodeAt(this.root, path).omit = true;
  }

  /** The completed values; each is returned once. */
  takeValues(): readonly JsonSlice[] {
    const { done } = this;
    if (done.length > 0) this.done = [];
    return done;
  }

  /** Processes the next bytes of the document. */
  feed(bytes: Uint8Array): void {
    let at = this.offset === 0 ? startOf(bytes) : 0;
    if (this.copyFrom !== -1) this.copyFrom = 0;
    while (at < bytes.length) {
      if (this.token !== undefined) at = this.inToken(bytes, at);
      else if (this.blindDepth > 0) at = this.inBlind(bytes, at);
      else at = this.inSight(bytes, at);
    }
    if (this.captured !== undefined && this.copyFrom !== -1) this.copy(bytes, bytes.length);
    this.offset += bytes.length;
  }

  /** Ends the document. Throws if it is incomplete. */
  end(): void {
    if (this.token === "scalar") this.ended(new Uint8Array(0), 0);
    if (this.expected !== "nothing" || this.token !== undefined || this.blindDepth > 0) {
      throw new Unreadable(
        this.offset === 0
          ? "empty file"
          : `truncated after byte ${this.offset}, in the middle of a JSON value`,
      );
    }
  }

  private inToken(bytes: Uint8Array, from: number): number {
    if (this.token === "scalar") {
      for (let at = from; at < bytes.length; at++) {
        if (isDelimiter(bytes[at]!)) {
          this.ended(bytes, at);
          return at;
        }
        if (++this.scalarSize > LONGEST_SCALAR)
          this.refuse(at, `not JSON: a number, true, false or null of more than ${LONGEST_SCALAR} bytes`);
      }
      return bytes.length;
    }
    const end = this.stringEnd(bytes, from);
    if (this.token === "key") this.addToKey(bytes.slice(from, end));
    if (end > bytes.length) return bytes.length;
    if (this.token === "key") this.keyRead();
    else if (this.blindDepth > 0) this.token = undefined;
    else this.ended(bytes, end);
    return end;
  }

  /** The position after the string's closing quote; beyond the bytes if they do not contain it. */
  private stringEnd(bytes: Uint8Array, from: number): number {
    let { escaped } = this;
    // Most strings are short. In long ones the engine finds the next quote faster than a loop; the backslashes before
    // it decide whether it ends the string.
    const near = Math.min(bytes.length, from + SHORT_STRING);
    let at = from;
    for (; at < near; at++) {
      const byte = bytes[at]!;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.escaped = false;
        return at + 1;
      }
    }
    if (escaped && at === bytes.length) {
      this.escaped = true;
      return bytes.length + 1;
    }
    // The first byte may be the second half of an escape.
    if (escaped) at++;
    for (;;) {
      const quote = indexFrom(bytes, QUOTE, at);
      let slashes = quote;
      while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes--;
      const isEscaped = (quote - slashes) % 2 === 1;
      if (quote === bytes.length || !isEscaped) {
        this.escaped = isEscaped;
        return quote + 1;
      }
      at = quote + 1;
    }
  }

  private addToKey(piece: Uint8Array): void {
    this.key.push(piece);
    // A key arrives in one piece or two; hundreds of pieces are not a key.
    if (this.key.length > 256) throw new Unreadable(`${this.path.join(".")}: a key is too long to be read`);
  }

  private keyRead(): void {
    this.token = undefined;
    const text = this.decoded(this.key, `byte ${this.offset}`);
    this.key = [];
    const key = parseJson(`"${text.slice(0, -1)}"`, `byte ${this.offset}`) as string;
    this.path[this.containers.length - 1] = key;
    this.onKey?.(this.path.slice(0, this.containers.length));
    this.expected = "colon";
  }

  private inBlind(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.token = "string";
        return at + 1;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++this.blindDepth > DEEPEST) this.refuse(at, `nested deeper than ${DEEPEST} levels`);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (--this.blindDepth > 0) continue;
        this.ended(bytes, at + 1);
        return at + 1;
      }
    }
    return bytes.length;
  }

  private inSight(bytes: Uint8Array, at: number): number {
    const byte = bytes[at]!;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const container = this.containers.at(-1);
    if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && container !== undefined)
      return this.close(bytes, at);
    if (this.expected === "value") return this.open(bytes, at);
    if (this.expected === "key" && byte === QUOTE) {
      this.token = "key";
      return at + 1;
    }
    if (this.expected === "colon" && byte === COLON) {
      this.expected = "value";
      return at + 1;
    }
    if (this.expected === "comma" && byte === COMMA) {
      this.expected = container!.isList ? "value" : "key";
      return at + 1;
    }
    this.refuseByte(bytes, at);
  }

  /** Refuses a byte that cannot be here. */
  private refuseByte(bytes: Uint8Array, at: number): never {
    const expected = this.expected === "nothing" ? "the text to end" : `a ${this.expected}`;
    this.refuse(at, `not JSON: expected ${expected}, not ${JSON.stringify(String.fromCharCode(bytes[at]!))}`);
  }

  private open(bytes: Uint8Array, at: number): number {
    const byte = bytes[at]!;
    const node = this.nodeOfValue();
    if (node?.take && this.captured === undefined) {
      this.captured = [];
      this.capturedSize = 0;
      this.capturedDepth = this.containers.length;
      this.copyFrom = at;
    }
    if (node?.omit && this.captured !== undefined && this.omittedDepth === -1) {
      this.copy(bytes, at);
      this.captured.push(NULL);
      this.omittedDepth = this.containers.length;
      this.copyFrom = -1;
    }
    if (byte === QUOTE) this.token = "string";
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (node === undefined || node.below.size === 0 || this.omittedDepth !== -1) this.blindDepth = 1;
      else {
        this.containers.push({ isList: byte === OPEN_LIST, node, place: 0 });
        this.path.length = this.containers.length;
        this.path[this.containers.length - 1] = "0";
        this.expected = byte === OPEN_LIST ? "value" : "key";
      }
    } else if (isScalarStart(byte)) {
      this.token = "scalar";
      this.scalarSize = 1;
    } else this.refuseByte(bytes, at);
    return at + 1;
  }

  private close(bytes: Uint8Array, at: number): number {
    const { isList, place } = this.containers.at(-1)!;
    const fits = isList === (bytes[at] === CLOSE_LIST);
    const empty = place === 0 && this.expected === (isList ? "value" : "key");
    if (!fits || !(this.expected === "comma" || empty)) this.refuseByte(bytes, at);
    this.containers.pop();
    this.path.length = this.containers.length;
    this.ended(bytes, at + 1);
    return at + 1;
  }

  /** Ends a value, just before `end`. */
  private ended(bytes: Uint8Array, end: number): void {
    this.token = undefined;
    this.blindDepth = 0;
    const depth = this.containers.length;
    if (this.omittedDepth === depth) {
      this.omittedDepth = -1;
      this.copyFrom = end;
    }
    if (this.captured !== undefined && this.capturedDepth === depth) this.give(bytes, end);
    const container = this.containers.at(-1);
    if (container === undefined) this.expected = "nothing";
    else {
      container.place++;
      if (container.isList) this.path[depth - 1] = String(container.place);
      this.expected = "comma";
    }
  }

  private give(bytes: Uint8Array, end: number): void {
    this.copy(bytes, end);
    const path = this.path.slice(0, this.capturedDepth);
    const where = path.length === 0 ? "the document" : path.join(".");
    const text = this.decoded(this.captured!, where);
    this.captured = undefined;
    this.copyFrom = -1;
    this.done.push({ path, value: parseJson(text, where, this.large) });
  }

  private decoded(pieces: readonly Uint8Array[], where: string): string {
    try {
      return this.decoder.decode(joinedBytes(pieces));
    } catch {
      throw new Unreadable(`${where}: not UTF-8 text`);
    }
  }

  private copy(bytes: Uint8Array, end: number): void {
    if (this.copyFrom === -1 || this.captured === undefined) return;
    this.capturedSize += end - this.copyFrom;
    if (this.capturedSize > LONGEST) {
      throw new Unreadable(`${this.path.join(".")}: one value is longer than ${LONGEST} bytes`);
    }
    if (end > this.copyFrom) this.captured.push(bytes.slice(this.copyFrom, end));
    this.copyFrom = end;
  }

  /** The part of the plan for the next value and values below it. */
  private nodeOfValue(): PathNode | undefined {
    const container = this.containers.at(-1);
    if (container === undefined) return this.root;
    const { below } = container.node;
    return below.get(this.path[this.containers.length - 1]!) ?? below.get("*");
  }

  private refuse(at: number, what: string): never {
    throw new Unreadable(`byte ${this.offset + at}: ${what}`);
  }
}

const NULL = new Uint8Array([0x6e, 0x75, 0x6c, 0x6c]);

function emptyNode(): PathNode {
  return { below: new Map(), take: false, omit: false };
}

function nodeAt(root: PathNode, path: JsonPath): PathNode {
  let node = root;
  for (const key of path) {
    const next = node.below.get(key) ?? emptyNode();
    node.below.set(key, next);
    node = next;
  }
  return node;
}

/** The next position of a byte; the end if there is none. */
function indexFrom(bytes: Uint8Array, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found === -1 ? bytes.length : found;
}

/** Where the document begins: after a byte order mark, if any. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || byte <= 0x20;
}

function isScalarStart(byte: number): boolean {
  // Letters for true, false, null, NaN and Infinity; digits; a minus sign.
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    (byte >= 0x41 && byte <= 0x7a && byte !== 0x5b && byte !== BACKSLASH && byte !== CLOSE_LIST)
  );
}
