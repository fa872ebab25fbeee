// A segment as bytes and back: a head, a list of contents in JSON, then the columns one after another, each at a
// multiple of eight bytes so that it can be used where it lies. What is damaged, cut short, of another version or of
// another byte order reads as nothing: the segment is then built again from the calls.

import { checksum } from "./checksum.ts";
import { type Growing, growingBytes, growingFloats, growingIndexes } from "./columns/growing.ts";
import { JsonPayload, type Payload } from "./columns/payload.ts";
import { TextDictionary } from "./columns/text-dictionary.ts";
import { Texts } from "./columns/texts.ts";
import { ValueColumn } from "./columns/value-column.ts";
import { ScoreColumns } from "./score-columns.ts";
import { Segment, type Spans } from "./segment.ts";
import type { Work } from "./work.ts";

// Grows with every change of the layout or of what a column means: older bytes are then built again.
const FORMAT = 3;
// Reads as another number where the byte order is another.
const MAGIC = 0x59415353;
const HEAD_WORDS = 4;

/** What a JSON list of contents says. */
interface Contents {
  readonly version: number;
  readonly arranged: number;
  readonly sections: readonly { readonly name: string; readonly bytes: number }[];
  readonly scores: readonly { readonly keys: readonly string[]; readonly codes: boolean }[];
  readonly structures: readonly { readonly keys: readonly string[]; readonly array: boolean }[];
  readonly spans: readonly (readonly [number, Spans])[];
}

type Sections = [name: string, bytes: Uint8Array][];

/** A segment as bytes, in pieces that follow each other. The segment must be arranged. */
export async function encodeSegment(segment: Segment, work: Work): Promise<Uint8Array[]> {
  const { parts } = segment;
  const sections: Sections = [];
  const numbers = (
    name: string,
    { array, length }: Growing<Float64Array | Int32Array | Uint8Array>,
  ): void => {
    const used = array.subarray(0, length);
    sections.push([name, new Uint8Array(used.buffer, used.byteOffset, used.byteLength)]);
  };
  const texts = (name: string, { bytes, ends, length, start }: TextsParts): void => {
    const used = ends.subarray(0, length);
    sections.push([`${name} ends`, new Uint8Array(used.buffer, used.byteOffset, used.byteLength)]);
    sections.push([`${name} bytes`, bytes.subarray(0, start)]);
  };
  for (const name of FLOATS) numbers(name, parts[name]);
  for (const name of INDEXES) numbers(name, parts[name]);
  for (const name of TEXTS) texts(name, partsOf(parts[name]));
  for (const name of PAYLOADS) texts(name, partsOf(jsonTexts(parts[name])));
  for (const [k, { values }] of parts.scores.columns.entries()) {
    numbers(`score ${k} tags`, values.tags);
    numbers(`score ${k} numbers`, values.numbers);
    if (values.texts.length === 0) continue;
    numbers(`score ${k} codes`, values.codes);
    texts(`score ${k} texts`, partsOf(dictionaryTexts(values.texts)));
  }
  const contents: Contents = {
    version: segment.version,
    arranged: segment.arranged,
    sections: sections.map(([name, bytes]) => ({ name, bytes: bytes.byteLength })),
    scores: parts.scores.columns.map(({ keys, values }) => ({ keys, codes: values.texts.length > 0 })),
    structures: parts.scores.structures(),
    spans: [...parts.spans],
  };
  const list = new Texts();
  list.push(JSON.stringify(contents));
  const pieces = [list.bytes.subarray(0, list.ends[0]!), ...sections.map(([, bytes]) => bytes)].flatMap(
    blocksOf,
  );
  let sum = 0;
  for (const piece of pieces) sum = await checksumOf(piece, sum, work);
  const head = Uint32Array.of(MAGIC, FORMAT, sum, list.ends[0]!);
  return [new Uint8Array(head.buffer), ...pieces];
}

/** The segment that `bytes` hold, or undefined when they hold none that can be used. */
export async function readSegment(bytes: Uint8Array, work: Work): Promise<Segment | undefined> {
  if (bytes.byteLength < HEAD_WORDS * 4) return undefined;
  // Columns are used where they lie, which must be a multiple of eight bytes.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const [magic, format, sum, listLength] = new Uint32Array(
    whole.buffer,
    whole.byteOffset,
    HEAD_WORDS,
  ) as unknown as [number, number, number, number];
  const listEnd = HEAD_WORDS * 4 + roundedUp(listLength);
  if (magic !== MAGIC || format !== FORMAT || listEnd > whole.byteLength) return undefined;
  const contents = readContents(whole.subarray(HEAD_WORDS * 4, HEAD_WORDS * 4 + listLength));
  if (contents === undefined) return undefined;

  const sections = new Map<string, Uint8Array>();
  let at = listEnd;
  let seed = await checksumOf(whole.subarray(HEAD_WORDS * 4, listEnd), 0, work);
  for (const { name, bytes: length } of contents.sections) {
    const end = at + roundedUp(length);
    if (end > whole.byteLength) return undefined;
    seed = await checksumOf(whole.subarray(at, end), seed, work);
    sections.set(name, whole.subarray(at, at + length));
    at = end;
  }
  return seed === sum ? assemble(contents, sections) : undefined;
}

// Bytes that are summed between two looks at the time.
const BLOCK = 2 ** 22;

/** The checksum of `bytes` after what `seed` is of, block by block. */
async function checksumOf(bytes: Uint8Array, seed: number, work: Work): Promise<number> {
  let sum = seed;
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK);
    sum = checksum(block, sum);
    const pause = work.spend(block.length / 4);
    if (pause !== undefined) await pause;
  }
  return sum;
}

function readContents(bytes: Uint8Array): Contents | undefined {
  try {
    return JSON.parse(new Texts(bytes, Uint32Array.of(bytes.byteLength), 1).get(0)) as Contents;
  } catch {
    // Damaged: what cannot be read is built again.
    return undefined;
  }
}

const FLOATS = ["startedAt", "latency", "ownLatency", "tokens", "ownTokens"] as const;
const INDEXES = ["rowOf", "exampleOf", "next", "rowOfExample", "firstTrial"] as const;
const TEXTS = ["ids", "predictIds", "scorerIds", "digests"] as const;
const PAYLOADS = ["outputs", "examples"] as const;

function assemble(contents: Contents, sections: ReadonlyMap<string, Uint8Array>): Segment {
  const section = (name: string): Uint8Array => {
    const bytes = sections.get(name);
    if (bytes === undefined) throw new Error(`a segment of format ${FORMAT} has no section ${name}`);
    return bytes;
  };
  const floats = (name: string): Growing<Float64Array> => {
    const bytes = section(name);
    return growingFloats(new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8));
  };
  const indexes = (name: string): Growing<Int32Array> => {
    const bytes = section(name);
    return growingIndexes(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
  };
  const texts = (name: string): Texts => {
    const ends = section(`${name} ends`);
    const length = ends.byteLength / 4;
    return new Texts(section(`${name} bytes`), new Uint32Array(ends.buffer, ends.byteOffset, length), length);
  };
  const named = <Name extends string, Column>(
    names: readonly Name[],
    read: (name: string) => Column,
  ): Record<Name, Column> =>
    Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Column>;

  const columns = contents.scores.map(({ keys, codes }, k) => ({
    keys,
    values: new ValueColumn(
      growingBytes(section(`score ${k} tags`)),
      floats(`score ${k} numbers`),
      codes ? indexes(`score ${k} codes`) : growingIndexes(),
      codes ? dictionaryOf(texts(`score ${k} texts`)) : new TextDictionary(),
    ),
  }));
  return new Segment(
    {
      ...named(FLOATS, floats),
      ...named(INDEXES, indexes),
      ...named(TEXTS, texts),
      ...named(PAYLOADS, (name) => new JsonPayload(texts(name))),
      scores: ScoreColumns.restore(columns, contents.structures),
      spans: new Map(contents.spans),
    },
    contents.version,
    contents.arranged,
  );
}

interface TextsParts {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly length: number;
  readonly start: number;
}

function partsOf(texts: Texts): TextsParts {
  return { bytes: texts.bytes, ends: texts.ends, length: texts.length, start: texts.start(texts.length) };
}

function jsonTexts(payload: Payload): Texts {
  if (payload instanceof JsonPayload) return payload.texts;
  const texts = new Texts();
  for (let i = 0; i < payload.length; i++) texts.push(payload.text(i));
  return texts;
}

function dictionaryTexts(dictionary: TextDictionary): Texts {
  const texts = new Texts();
  for (let code = 0; code < dictionary.length; code++) texts.push(dictionary.get(code));
  return texts;
}

function dictionaryOf(texts: Texts): TextDictionary {
  const dictionary = new TextDictionary();
  for (let code = 0; code < texts.length; code++) dictionary.append(texts.get(code));
  return dictionary;
}

function roundedUp(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** Bytes block by block, the last one padded: no more than that is copied. */
function blocksOf(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK) blocks.push(padded(bytes.subarray(at, at + BLOCK)));
  return blocks;
}

/** The same bytes at the start of a buffer of their own, with zeros up to a multiple of eight. */
function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength % 8 === 0 && bytes.byteOffset % 8 === 0) return bytes;
  const whole = new Uint8Array(roundedUp(bytes.byteLength));
  whole.set(bytes);
  return whole;
}
