// Reads a saved segment.

import { type GrowableArray, growableBytes, growableFloats, growableIndexes } from "@assay/base/internal";
import { DerivedTexts } from "../columns/derived-texts.ts";
import { JsonPayload } from "../columns/json-payload.ts";
import { type ScoreColumn, ScoreColumns } from "../columns/score-columns.ts";
import { TextDictionary } from "../columns/text-dictionary.ts";
import { decode, type TextList, Texts } from "../columns/texts.ts";
import { ValueColumn } from "../columns/value-column.ts";
import type { Work } from "../kernels/work.ts";
import type { SavedSegment } from "../ports/segment-store.ts";
import { checksum } from "./file/checksum.ts";
import { emptyTexts, SavedTexts, TextBlocks } from "./file/lazy-texts.ts";
import { endsOfLengths } from "./file/lengths.ts";
import { bytesOf, checksumOf, piecesOf, roundUp } from "./file/pieces.ts";
import { References } from "./file/reference-texts.ts";
import { BLOCK_BYTES, blocksFor, SegmentFile } from "./file/segment-file.ts";
import { textsOfSixBits } from "./file/six-bits.ts";
import { Segment } from "./segment.ts";
import {
  type Contents,
  FORMAT,
  HEAD_BYTES,
  MAGIC,
  type RowList,
  type Sequence,
  type TrialList,
} from "./segment-format.ts";
import { trialsOfRows } from "./segment-order.ts";

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

function filled<A extends Float64Array | Int32Array>(array: A, { first, step }: Sequence): A {
  if (step === 0) return array.fill(first ?? Number.NaN) as A;
  for (let i = 0; i < array.length; i++) array[i] = first! + i * step;
  return array;
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
