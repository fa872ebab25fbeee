// Serializes a segment: a header, a list of contents in JSON, then the columns one after another, each at a multiple of
// eight bytes, then, at a multiple of their size, blocks with the texts that stay in the file. Bytes that are damaged,
// cut off, of another version or another byte order read as undefined, and reading a damaged block throws: the segment
// is then built again from the calls.

import { type GrowableArray, growableBytes, growableFloats, growableIndexes } from "@assay/base/internal";
import { DerivedTexts } from "../columns/derived-texts.ts";
import { JsonPayload } from "../columns/json-payload.ts";
import type { Payload } from "../columns/payload.ts";
import { type ScoreColumn, ScoreColumns } from "../columns/score-columns.ts";
import { TextDictionary } from "../columns/text-dictionary.ts";
import { decode, type TextList, Texts } from "../columns/texts.ts";
import { ValueColumn } from "../columns/value-column.ts";
import type { Work } from "../kernels/work.ts";
import type { SavedSegment } from "../ports/segment-store.ts";
import { checksum } from "./file/checksum.ts";
import {
  blocksOf,
  emptyTexts,
  endsOf,
  SavedTexts,
  type Shortened,
  shortened,
  TextBlocks,
} from "./file/lazy-texts.ts";
import { endsOfLengths, lengthsOf } from "./file/lengths.ts";
import { bytesOf, checksumOf, checksumOfAll, padded, piecesOf, roundUp } from "./file/pieces.ts";
import { References, referencePrefix } from "./file/reference-texts.ts";
import { BLOCK_BYTES, blocksFor, SegmentFile } from "./file/segment-file.ts";
import { sixBitsOf, textsOfSixBits } from "./file/six-bits.ts";
import { Segment } from "./segment.ts";
import { trialsOfRows } from "./segment-order.ts";
import type { Spans } from "./segment-parts.ts";

// Increases with every change of the layout or of a column's meaning: older bytes are then rebuilt.
const FORMAT = 9;
// Reads as another number with another byte order.
const MAGIC = 0x59415353;
const HEAD_BYTES = 16;

/** Digests of rows that are saved separately (row-lists.ts): their number and checksum. */
export interface RowList {
  readonly rows: number;
  readonly checksum: number;
}

/** The list of contents, in JSON. */
interface Contents {
  readonly version: number;
  readonly arranged: number;
  /** Of the sections. */
  readonly checksum: number;
  readonly sections: readonly { readonly name: string; readonly bytes: number }[];
  readonly scores: readonly {
    readonly keys: readonly string[];
    readonly kinds: number;
  }[];
  readonly structures: readonly { readonly keys: readonly string[]; readonly array: boolean }[];
  readonly spans: readonly (readonly [number, Spans])[];
  /** Lists of trials' texts that are in blocks: the others are empty. */
  readonly lists: readonly TrialList[];
  /** Whether all examples are references to rows that differ only in the rows' digests: they are then not in blocks. */
  readonly areReferences: boolean;
  /** The width in bytes of the lengths of each list of texts. */
  readonly widths: { readonly [list: string]: number };
  /** The list with its rows' digests; undefined if they are in it. */
  readonly rowList: RowList | undefined;
  /** Whether digests take six bits for each character. */
  readonly hasSixBits: boolean;
  /** Columns that are a sequence and have no section. */
  readonly sequences: { readonly [column: string]: Sequence };
}

/** Numbers that grow by `step`, starting with `first`; NaN for null. */
interface Sequence {
  readonly first: number | null;
  readonly step: number;
  readonly length: number;
}

type Sections = [name: string, bytes: Uint8Array][];

// The cost of reading a trial's texts or one of its numbers, in array items touched.
const STEP_COST = 64;

/**
 * Serializes a segment into pieces, each valid until the next. The segment must be arranged. Its rows' digests are
 * omitted if they are saved as a list.
 */
export async function* encodeSegment(
  segment: Segment,
  rowList: RowList | undefined,
  work: Work,
): AsyncGenerator<Uint8Array> {
  const { parts } = segment;
  const rest = async (): Promise<void> => {
    const pause = work.spend(segment.trials * STEP_COST);
    if (pause !== undefined) await pause;
  };
  const sections: Sections = [];
  const numbers = (
    name: string,
    { array, length }: GrowableArray<Float64Array | Int32Array | Uint8Array>,
  ): void => {
    sections.push([name, bytesOf(array.subarray(0, length))]);
  };
  const widths: Record<string, number> = {};
  const lengths = (name: string, ends: Uint32Array): void => {
    const narrow = lengthsOf(ends);
    widths[name] = narrow.BYTES_PER_ELEMENT;
    sections.push([`${name} lengths`, bytesOf(narrow)]);
  };
  const texts = (name: string, list: Texts, bytes = usedBytes(list)): void => {
    lengths(name, list.ends.subarray(0, list.length));
    sections.push([`${name} bytes`, bytes]);
  };
  const sequences: Record<string, Sequence> = {};
  for (const name of [...FLOATS, ...INDEXES]) {
    await rest();
    const original = ORIGINALS[name];
    if (original !== undefined && isEqual(parts[name], parts[original])) continue;
    const sequence = sequenceIn(parts[name]);
    if (sequence === undefined) numbers(name, parts[name]);
    else sequences[name] = sequence;
  }
  const sixBits = rowList === undefined ? await sixBitsOf(usedBytes(parts.digests), work) : undefined;
  if (rowList === undefined) texts("digests", parts.digests, sixBits);
  // Texts that are read together are stored together: a trial's texts are mostly in one block.
  const trialLists: readonly (readonly [TrialList, TextList])[] = [
    ["ids", parts.ids],
    ["outputs", jsonTexts(parts.outputs)],
    ...(["predictIds", "scorerIds"] as const)
      .map((name) => [name, parts[name]] as const)
      .filter(([, list]) => hasText(list)),
  ];
  const examples = jsonTexts(parts.examples);
  const isPerRow = sequences["rowOfExample"]?.first === 0 && sequences["rowOfExample"].step === 1;
  const references = isPerRow ? await referencePrefix(examples, parts.digests, work) : undefined;
  const trials: Shortened[] = [];
  for (const [, list] of trialLists) {
    await rest();
    trials.push(await shortened(list));
  }
  const inBlocks = { trials, examples: [await shortened(references === undefined ? examples : new Texts())] };
  for (const name of IN_BLOCKS) {
    await rest();
    lengths(name, endsOf(inBlocks[name]));
  }
  const prefixes = new Texts();
  for (const { prefix } of inBlocks.trials) prefixes.pushBytes(prefix);
  prefixes.pushBytes(references ?? inBlocks.examples[0]!.prefix);
  texts("prefixes", prefixes);
  for (const [k, { values }] of parts.scores.columns.entries()) {
    await rest();
    numbers(`score ${k} tags`, values.tags);
    if (!values.isBinary) numbers(`score ${k} numbers`, values.numbers);
    if (values.texts.length === 0) continue;
    numbers(`score ${k} codes`, values.codes);
    texts(`score ${k} texts`, dictionaryTexts(values.texts));
  }
  const pieces = sections.flatMap(([, bytes]) => piecesOf(bytes));
  const contents: Contents = {
    version: segment.version,
    arranged: segment.arranged,
    checksum: await checksumOfAll(pieces, work),
    sections: sections.map(([name, bytes]) => ({ name, bytes: bytes.byteLength })),
    scores: parts.scores.columns.map(({ keys, values: { kinds } }) => ({ keys, kinds })),
    structures: parts.scores.structures(),
    spans: [...parts.spans],
    lists: trialLists.map(([name]) => name),
    areReferences: references !== undefined,
    ...{ widths, rowList, hasSixBits: sixBits !== undefined, sequences },
  };
  const list = new Texts();
  list.push(JSON.stringify(contents));
  const listed = padded(list.bytesOf(0));
  const seed = checksum(listed, list.lengthOf(0));
  yield bytesOf(Uint32Array.of(MAGIC, FORMAT, list.lengthOf(0), seed));
  yield listed;
  yield* pieces;
  const end = pieces.reduce((sum, piece) => sum + piece.length, HEAD_BYTES + listed.length);
  yield new Uint8Array(roundUp(end, BLOCK_BYTES) - end);
  let written = 0;
  for (const name of IN_BLOCKS) written += yield* blocksOf(inBlocks[name], seed, written, work);
}

/**
 * The segment in `saved`, or undefined if it is unusable. `saved` stays open for later reads as long as the segment is
 * held. `digestsIn` returns the digests of a list, or undefined if there is none.
 */
export async function readSegment(
  saved: SavedSegment,
  digestsIn: (list: RowList) => Promise<Texts | undefined>,
  work: Work,
): Promise<Segment | undefined> {
  const head = new Uint32Array(HEAD_BYTES / 4);
  if (!saved.read(0, bytesOf(head))) return undefined;
  const [magic, format, listLength, seed] = head as unknown as [number, number, number, number];
  if (magic !== MAGIC || format !== FORMAT || listLength > saved.size) return undefined;
  const list = new Uint8Array(roundUp(listLength));
  if (!saved.read(HEAD_BYTES, list) || checksum(list, listLength) !== seed) return undefined;
  const contents = JSON.parse(decode(list, 0, listLength)) as Contents;

  const sections = new Map<string, Uint8Array>();
  const pieces: Uint8Array[] = [];
  const start = HEAD_BYTES + list.length;
  let end = start;
  for (const { name, bytes: length } of contents.sections) {
    end += roundUp(length);
    if (end > saved.size) return undefined;
    // A separate buffer for each, so that a column that outgrows it releases it.
    const bytes = new Uint8Array(roundUp(length));
    pieces.push(...piecesOf(bytes));
    sections.set(name, bytes.subarray(0, length));
    // Many large buffers in one turn would trigger a garbage collection each, without a pause for others.
    const pause = work.spend(length);
    if (pause !== undefined) await pause;
  }
  const sum = await loadedSum(saved, start, pieces, work);
  if (sum !== contents.checksum) return undefined;
  const listed = contents.rowList && (await digestsIn(contents.rowList));
  if (contents.rowList !== undefined && listed === undefined) return undefined;
  const blocks = { saved, start: roundUp(end, BLOCK_BYTES), seed };
  return assemble(contents, sections, listed, blocks, work);
}

// How many pieces are read while another is summed.
const AHEAD = 2;

/** Loads consecutive pieces from `at` and returns the checksum of all; undefined if they could not be read. */
async function loadedSum(
  saved: SavedSegment,
  at: number,
  pieces: readonly Uint8Array[],
  work: Work,
): Promise<number | undefined> {
  let sum = 0;
  let offset = at;
  const load = (k: number): Promise<boolean> | undefined => {
    const piece = pieces[k];
    if (piece === undefined) return undefined;
    offset += piece.length;
    return saved.load(offset - piece.length, piece);
  };
  const loading = Array.from({ length: AHEAD }, (_, k) => load(k));
  for (const [k, piece] of pieces.entries()) {
    if (!(await loading[k])) return undefined;
    loading.push(load(k + AHEAD));
    sum = await checksumOf(piece, sum, work);
  }
  return sum;
}

const FLOATS = ["startedAt", "latency", "ownLatency", "tokens", "ownTokens"] as const;
const INDEXES = ["exampleOf", "rowOfExample", "firstTrial"] as const;
/**
 * Columns that are left out if they are equal to another one: without children, a trial's latency and tokens are its
 * own, and mostly a row has one example.
 */
const ORIGINALS: { readonly [column: string]: "latency" | "tokens" | "rowOf" | undefined } = {
  ...{ ownLatency: "latency", ownTokens: "tokens", exampleOf: "rowOf" },
};
const IN_BLOCKS = ["trials", "examples"] as const;
type TrialList = "ids" | "outputs" | "predictIds" | "scorerIds";

async function assemble(
  contents: Contents,
  sections: ReadonlyMap<string, Uint8Array>,
  listed: Texts | undefined,
  { saved, start, seed }: { readonly saved: SavedSegment; readonly start: number; readonly seed: number },
  work: Work,
): Promise<Segment | undefined> {
  const section = (name: string): Uint8Array => {
    const bytes = sections.get(name);
    if (bytes === undefined) throw new Error(`a segment of format ${FORMAT} has no section ${name}`);
    return bytes;
  };
  const floats = (name: string): GrowableArray<Float64Array> => {
    const sequence = contents.sequences[name];
    if (sequence !== undefined) return growableFloats(filled(new Float64Array(sequence.length), sequence));
    const bytes = section(name);
    return growableFloats(new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8));
  };
  const indexes = (name: string): GrowableArray<Int32Array> => {
    const sequence = contents.sequences[name];
    if (sequence !== undefined) return growableIndexes(filled(new Int32Array(sequence.length), sequence));
    const bytes = section(name);
    return growableIndexes(new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
  };
  const endsIn = (name: string): Uint32Array =>
    endsOfLengths(section(`${name} lengths`), contents.widths[name]!);
  const texts = (name: string): Texts => {
    const ends = endsIn(name);
    return new Texts(section(`${name} bytes`), ends, ends.length);
  };
  const [trialEnds, exampleEnds] = [endsIn("trials"), endsIn("examples")];
  const [trialBlocks, exampleBlocks] = [blocksFor(trialEnds.at(-1) ?? 0), blocksFor(exampleEnds.at(-1) ?? 0)];
  if (saved.size !== start + (trialBlocks + exampleBlocks) * BLOCK_BYTES) return undefined;
  const file = new SegmentFile(saved, start, seed);
  const trials = new TextBlocks(file, 0, trialEnds);
  const examples = new TextBlocks(file, trialBlocks, exampleEnds);
  const prefixes = texts("prefixes");
  const digests = listed ?? texts("digests");
  if (contents.hasSixBits)
    digests.bytes = await textsOfSixBits(digests.bytes, digests.start(digests.length), work);
  const { lists, areReferences } = contents;
  const ofExamples = prefixes.bytesOf(lists.length);
  const trialTexts = (name: TrialList): TextList => {
    const [every, at] = [lists.length, lists.indexOf(name)];
    return at === -1
      ? emptyTexts(trialEnds.length / every)
      : new DerivedTexts(new SavedTexts(trials, every, at, prefixes.bytesOf(at)));
  };
  const columns: ScoreColumn[] = [];
  for (const [k, { keys, kinds }] of contents.scores.entries()) {
    const name = `score ${k}`;
    const values = new ValueColumn(
      growableBytes(section(`${name} tags`)),
      sections.has(`${name} numbers`) ? floats(`${name} numbers`) : undefined,
      sections.has(`${name} codes`) ? indexes(`${name} codes`) : undefined,
      sections.has(`${name} codes`) ? await dictionaryOf(texts(`${name} texts`), work) : undefined,
      kinds,
    );
    columns.push({ keys, values });
  }
  const isSaved = (name: string): boolean => sections.has(name) || contents.sequences[name] !== undefined;
  const [latency, tokens] = [floats("latency"), floats("tokens")];
  const firstTrial = indexes("firstTrial");
  const { rowOf, next } = trialsOfRows(firstTrial.array, trialEnds.length / lists.length);
  return new Segment(
    {
      startedAt: floats("startedAt"),
      ...{ latency, tokens, firstTrial },
      ownLatency: isSaved("ownLatency") ? floats("ownLatency") : latency.continued(),
      ownTokens: isSaved("ownTokens") ? floats("ownTokens") : tokens.continued(),
      rowOf: growableIndexes(rowOf),
      next: growableIndexes(next),
      exampleOf: isSaved("exampleOf") ? indexes("exampleOf") : growableIndexes(rowOf.slice()),
      rowOfExample: indexes("rowOfExample"),
      digests,
      ids: trialTexts("ids"),
      outputs: new JsonPayload(trialTexts("outputs")),
      predictIds: trialTexts("predictIds"),
      scorerIds: trialTexts("scorerIds"),
      examples: new JsonPayload(
        new DerivedTexts(
          areReferences ? new References(ofExamples, digests) : new SavedTexts(examples, 1, 0, ofExamples),
        ),
      ),
      scores: ScoreColumns.restore(columns, contents.structures),
      spans: new Map(contents.spans),
    },
    contents.version,
    contents.arranged,
    file,
  );
}

/** The column as a sequence, if it is one: in most imports, nearly all columns without information about trials are. */
function sequenceIn({
  array,
  length,
}: GrowableArray<Float64Array> | GrowableArray<Int32Array>): Sequence | undefined {
  const first = array[0];
  if (length < 2 || first === undefined) return undefined;
  const step = Number.isNaN(first) ? 0 : array[1]! - first;
  if (!Number.isInteger(step) || !(Number.isInteger(first) || Number.isNaN(first))) return undefined;
  for (let i = 1; i < length; i++) if (!Object.is(array[i], first + i * step)) return undefined;
  return { first: Number.isNaN(first) ? null : first, step, length };
}

function isEqual(
  a: GrowableArray<Float64Array | Int32Array>,
  b: GrowableArray<Float64Array | Int32Array>,
): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a.array[i], b.array[i])) return false;
  return true;
}

function filled<A extends Float64Array | Int32Array>(array: A, { first, step }: Sequence): A {
  if (step === 0) return array.fill(first ?? Number.NaN) as A;
  for (let i = 0; i < array.length; i++) array[i] = first! + i * step;
  return array;
}

/** The bytes of all texts, without the free space after them. */
export function usedBytes({ bytes, ends, length }: Texts): Uint8Array {
  return bytes.subarray(0, length === 0 ? 0 : ends[length - 1]);
}

function hasText(list: TextList): boolean {
  for (let i = 0; i < list.length; i++) if (list.lengthOf(i) > 0) return true;
  return false;
}

function jsonTexts(payload: Payload): TextList {
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

async function dictionaryOf(texts: Texts, work: Work): Promise<TextDictionary> {
  const dictionary = new TextDictionary();
  for (let code = 0; code < texts.length; code++) {
    dictionary.append(texts.get(code));
    const pause = work.spend(TEXT_COST + texts.lengthOf(code) * CHARACTER_COST);
    if (pause !== undefined) await pause;
  }
  return dictionary;
}

// The cost of adding a text to a dictionary, and of a character in it, in array items touched.
const TEXT_COST = 256;
const CHARACTER_COST = 8;
