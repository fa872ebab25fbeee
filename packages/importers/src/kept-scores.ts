// Scores that stand in another place of a file than their trial, or in another file, until the trial comes: of millions
// of trials some bytes for each score, where a Map of objects would take as much memory as the file.

import type { Json } from "@assay/base";
import { textDigest } from "@assay/eval-engine";
import { DigestTable } from "./digest-table.ts";
import type { JsonObject } from "./json-text.ts";

const LEAST = 4096;
// What a value is, when it is no number.
const [NUMBER, TRUE, FALSE, NULL, LIST, OTHER] = [0, 1, 2, 3, 4, 5];
const PLAIN: ReadonlyMap<number, Json> = new Map<number, Json>([
  [TRUE, true],
  [FALSE, false],
  [NULL, null],
  // What is in a list among scores nobody reads: it is counted, and left out.
  [LIST, []],
]);

/** Scores by the key of their trial. */
export class KeptScores {
  /** Of each key, the place of its last score, and 1. */
  private readonly last = new DigestTable(1);
  private readonly names = new Map<string, number>();
  private readonly nameAt: string[] = [];
  private readonly texts = new Map<string, string>();
  /** Values that are neither numbers nor plain, by their places. */
  private readonly others = new Map<number, Json>();
  private count = 0;
  /** Of each score: the place and 1 of the one before it with the same key, its name, what it is, and how late it is. */
  private before = new Uint32Array(LEAST);
  private name = new Uint32Array(LEAST);
  private kind = new Uint8Array(LEAST);
  private value = new Float64Array(LEAST);
  private order = new Float64Array(LEAST);

  /** Keeps a score. Of several with one name the greatest `order` counts, and of equal ones the last. */
  put(key: string, name: string, value: Json, order = 0): void {
    if (this.count === this.name.length) this.grow();
    const place = this.count++;
    const last = this.last.at(textDigest(key));
    this.before[place] = last[0]!;
    last[0] = place + 1;
    this.name[place] = this.nameOf(name);
    this.order[place] = order;
    const kind = kindOf(value);
    this.kind[place] = kind;
    if (kind === NUMBER) this.value[place] = value as number;
    else if (kind === OTHER) this.others.set(place, this.shared(value));
  }

  /** Whether anything was kept for the key. */
  has(key: string): boolean {
    return this.last.has(textDigest(key));
  }

  /** The scores of a key by their names, in the order in which they were put. */
  of(key: string): JsonObject {
    const digest = textDigest(key);
    if (!this.last.has(digest)) return {};
    const places: number[] = [];
    for (let next = this.last.at(digest)[0]!; next !== 0; next = this.before[next - 1]!)
      places.push(next - 1);
    const latest = new Map<string, number>();
    for (const place of places.reverse()) {
      const name = this.nameAt[this.name[place]!]!;
      const known = latest.get(name);
      if (known === undefined || this.order[known]! <= this.order[place]!) latest.set(name, place);
    }
    return Object.fromEntries(Array.from(latest, ([name, place]) => [name, this.valueAt(place)]));
  }

  private valueAt(place: number): Json {
    const kind = this.kind[place]!;
    if (kind === NUMBER) return this.value[place]!;
    return kind === OTHER ? this.others.get(place)! : PLAIN.get(kind)!;
  }

  private nameOf(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    this.names.set(name, this.nameAt.length);
    return this.nameAt.push(name) - 1;
  }

  /** A label that comes with many trials is held once. */
  private shared(value: Json): Json {
    if (typeof value !== "string") return value;
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    this.texts.set(value, value);
    return value;
  }

  private grow(): void {
    this.before = doubled(this.before, Uint32Array);
    this.name = doubled(this.name, Uint32Array);
    this.kind = doubled(this.kind, Uint8Array);
    this.value = doubled(this.value, Float64Array);
    this.order = doubled(this.order, Float64Array);
  }
}

function kindOf(value: Json): number {
  if (typeof value === "number") return NUMBER!;
  if (typeof value === "boolean") return value ? TRUE! : FALSE!;
  if (value === null) return NULL!;
  return Array.isArray(value) ? LIST! : OTHER!;
}

type Numbers = Uint8Array | Uint32Array | Float64Array;

function doubled<Of extends Numbers>(numbers: Of, make: new (length: number) => Of): Of {
  const more = new make(numbers.length * 2);
  more.set(numbers);
  return more;
}
