// The texts of a column. Repeated texts are stored once, so that a predicate on text runs once per distinct text. If
// texts hardly repeat (model outputs), duplicates are no longer searched for, and a code is just a position. Texts are
// concatenated in blocks, which makes substring searches fast: blocks without all trigrams of the search text are
// skipped; in others, one native search covers a hundred texts, and only its matches are examined. Texts with
// characters beyond Latin-1 have separate blocks, because one such character would double the size of a whole block.

import { foldCase } from "@assay/query-lang/internal";
import {
  FILTER_BYTES,
  mayContain,
  type TrigramFilter,
  trigramFilterOf,
  trigramHashes,
} from "../kernels/trigram-bloom-filter.ts";
import type { Work } from "../kernels/work.ts";

// Enough texts to judge whether a column repeats itself.
const SAMPLE = 4096;

// Characters in a block: many enough for one search, and few enough that a rare word is in few blocks.
const BLOCK = 1 << 14;

// The work of skipping a block, and of folding a character, in array items touched.
const BLOCK_COST = 64;
const FOLD_COST = 16;

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** Concatenated texts. */
interface Block {
  readonly text: string;
  /** The texts' codes. */
  readonly codes: readonly number[];
  /** Where each text ends in `text`. */
  readonly ends: readonly number[];
  readonly runs: TrigramFilter;
}

/** Texts that are not in a block yet. */
interface Pending {
  texts: string[];
  codes: number[];
  characters: number;
}

/** A growing list of texts, without duplicates as long as repeats are frequent. */
export class TextDictionary {
  length = 0;
  private readonly blocks: Block[] = [];
  /** The block of each code, or -1 while it is pending. */
  private blockOf: Int32Array = new Int32Array(16);
  /** The index of each code in its block, or among the pending texts. */
  private placeOf: Int32Array = new Int32Array(16);
  private narrow: Pending = { texts: [], codes: [], characters: 0 };
  private wide: Pending = { texts: [], codes: [], characters: 0 };
  private codes: Map<string, number> | undefined = new Map();
  private folded: TextDictionary | undefined;
  private characters = 0;
  private added = 0;

  /** Approximate bytes. */
  get size(): number {
    return this.characters + this.length * 24 + this.blocks.length * FILTER_BYTES + (this.folded?.size ?? 0);
  }

  /** The code of a text. */
  add(text: string): number {
    this.added++;
    const known = this.codes?.get(text);
    if (known !== undefined) return known;
    if (this.codes !== undefined && this.length >= SAMPLE && this.length * 2 > this.added)
      this.codes = undefined;
    return this.append(text);
  }

  /** Adds a text as the next code, even if it exists already: for restoring earlier codes. */
  append(text: string): number {
    const code = this.length++;
    this.codes?.set(text, code);
    this.characters += text.length;
    if (code >= this.blockOf.length) {
      this.blockOf = doubled(this.blockOf);
      this.placeOf = doubled(this.placeOf);
    }
    const isWide = BEYOND_LATIN_1.test(text);
    const pending = isWide ? this.wide : this.narrow;
    this.blockOf[code] = isWide ? PENDING_WIDE : PENDING_NARROW;
    this.placeOf[code] = pending.texts.length;
    pending.texts.push(text);
    pending.codes.push(code);
    pending.characters += text.length;
    if (pending.characters >= BLOCK) this.close(pending);
    this.folded = undefined;
    return code;
  }

  get(code: number): string {
    const place = this.placeOf[code]!;
    const at = this.blockOf[code]!;
    if (at === PENDING_NARROW) return this.narrow.texts[place]!;
    if (at === PENDING_WIDE) return this.wide.texts[place]!;
    const { text, ends } = this.blocks[at]!;
    return text.slice(place === 0 ? 0 : ends[place - 1]!, ends[place]!);
  }

  /** One byte per code: 1 if its text contains `part`, with `fold` after case folding of both. */
  async containing(part: string, fold: boolean, work: Work): Promise<Uint8Array> {
    if (fold) return (await this.foldedTexts(work)).containing(foldCase(part), false, work);
    const found = new Uint8Array(this.length);
    if (part === "") return found.fill(1);
    for (const { texts, codes } of [this.narrow, this.wide]) {
      for (const [i, text] of texts.entries()) found[codes[i]!] = text.includes(part) ? 1 : 0;
    }
    const from = this.blocks.length === 0 ? 0 : rarestIn(this.blocks[0]!.text, part);
    const hashes = trigramHashes(part);
    for (const block of this.blocks) {
      const passed = !mayContain(block.runs, hashes);
      if (!passed) searchBlock(block, part, from, found);
      const pause = work.spend(passed ? BLOCK_COST : block.text.length);
      if (pause !== undefined) await pause;
    }
    return found;
  }

  clone(): TextDictionary {
    const copy = new TextDictionary();
    copy.length = this.length;
    // Blocks are immutable.
    copy.blocks.push(...this.blocks);
    copy.blockOf = this.blockOf.slice();
    copy.placeOf = this.placeOf.slice();
    copy.narrow = copyOf(this.narrow);
    copy.wide = copyOf(this.wide);
    copy.codes = this.codes && new Map(this.codes);
    copy.folded = this.folded;
    copy.characters = this.characters;
    copy.added = this.added;
    return copy;
  }

  private async foldedTexts(work: Work): Promise<TextDictionary> {
    if (this.folded !== undefined) return this.folded;
    const folded = new TextDictionary();
    folded.codes = undefined;
    for (let code = 0; code < this.length; code++) {
      const text = this.get(code);
      folded.append(foldCase(text));
      const pause = work.spend(text.length * FOLD_COST);
      if (pause !== undefined) await pause;
    }
    this.folded = folded;
    return folded;
  }

  /** Moves the pending texts into a block. */
  private close(pending: Pending): void {
    const ends: number[] = [];
    let end = 0;
    for (const [i, text] of pending.texts.entries()) {
      end += text.length;
      ends.push(end);
      this.blockOf[pending.codes[i]!] = this.blocks.length;
    }
    const text = pending.texts.join("");
    this.blocks.push({ text, codes: pending.codes, ends, runs: trigramFilterOf(text) });
    pending.texts = [];
    pending.codes = [];
    pending.characters = 0;
  }
}

const PENDING_NARROW = -1;
const PENDING_WIDE = -2;

/**
 * Marks the texts of a block that contain the nonempty `part`. Matches across two texts do not count. It searches for
 * the end of `part` from its character `from`, and then compares the characters before it.
 */
function searchBlock({ text, codes, ends }: Block, part: string, from: number, found: Uint8Array): void {
  const rest = part.slice(from);
  let i = 0;
  for (let at = text.indexOf(rest, from); at !== -1; ) {
    const start = at - from;
    if (from > 0 && !text.startsWith(part, start)) {
      at = text.indexOf(rest, at + 1);
      continue;
    }
    while (ends[i]! <= start) i++;
    const inside = start + part.length <= ends[i]!;
    if (inside) found[codes[i]!] = 1;
    at = text.indexOf(rest, inside ? ends[i]! + from : at + 1);
  }
}

// Enough characters to distinguish rare from frequent ones.
const CHARACTERS_COUNTED = 8192;

/**
 * The index of the character of `part` that is rarest in `text`. A native search stops at every occurrence of its
 * first character, so starting with a rare one makes it fast.
 */
function rarestIn(text: string, part: string): number {
  const counts = new Uint32Array(0x10000);
  for (let at = Math.min(text.length, CHARACTERS_COUNTED) - 1; at >= 0; at--) counts[text.charCodeAt(at)]!++;
  let rarest = 0;
  for (let at = 1; at < part.length; at++) {
    if (counts[part.charCodeAt(at)]! < counts[part.charCodeAt(rarest)]!) rarest = at;
  }
  return rarest;
}

function copyOf({ texts, codes, characters }: Pending): Pending {
  return { texts: [...texts], codes: [...codes], characters };
}

function doubled(array: Int32Array): Int32Array {
  const next = new Int32Array(array.length * 2);
  next.set(array);
  return next;
}
