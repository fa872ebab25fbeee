// Serializes a segment.

import type { GrowableArray } from "@assay/base/internal";
import { JsonPayload } from "../columns/json-payload.ts";
import type { Payload } from "../columns/payload.ts";
import type { TextDictionary } from "../columns/text-dictionary.ts";
import { type TextList, Texts } from "../columns/texts.ts";
import type { Work } from "../kernels/work.ts";
import { checksum } from "./file/checksum.ts";
import { blocksOf, endsOf, type Shortened, shortened } from "./file/lazy-texts.ts";
import { lengthsOf } from "./file/lengths.ts";
import { bytesOf, checksumOfAll, padded, piecesOf, roundUp } from "./file/pieces.ts";
import { referencePrefix } from "./file/reference-texts.ts";
import { BLOCK_BYTES } from "./file/segment-file.ts";
import { sixBitsOf } from "./file/six-bits.ts";
import type { Segment } from "./segment.ts";
import {
  type Contents,
  FLOATS,
  FORMAT,
  HEAD_BYTES,
  IN_BLOCKS,
  INDEXES,
  MAGIC,
  ORIGINALS,
  type RowList,
  type Sequence,
  type TrialList,
} from "./segment-format.ts";

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
