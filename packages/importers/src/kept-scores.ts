// Scores that stand in another place of a file than their trial, or in another file, until the trial comes: of millions
// of trials some bytes for each score, where a Map of objects would take as much memory as the file.

import type { Json } from "@assay/base";
import { growableBytes, growableFloats, growableIndexes } from "@assay/base/internal";
import { DigestTable } from "./digest-table.ts";
import type { JsonObject } from "./json-text.ts";

// What a value is, when it is not a number.
const [NUMBER, TRUE, FALSE, NULL, LIST, OTHER] = [0, 1, 2, 3, 4, 5];
const PLAIN: ReadonlyMap<number, Json> = new Map<number, Json>([
  [TRUE, true],
  [FALSE, false],
  [NULL, null],
  // A list among scores is not read: it is counted, and skipped.
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
  /** Of each score: the place and 1 of the one before it with the same key, its name, what it is, and how late it is. */
  private readonly before = growableIndexes();
  private readonly name = growableIndexes();
  private readonly kind = growableBytes();
  private readonly value = growableFloats();
  private readonly order = growableFloats();

  /** Keeps a score. Of several with one name the greatest `order` counts, and of equal ones the last. */
  put(key: string, name: string, value: Json, order = 0): void {
    const last = this.last.at(key);
    const place = this.before.length;
    const kind = kindOf(value);
    this.before.push(last[0]!);
    last[0] = place + 1;
    this.name.push(this.nameOf(name));
    this.order.push(order);
    this.kind.push(kind);
    this.value.push(kind === NUMBER ? (value as number) : 0);
    if (kind === OTHER) this.others.set(place, this.shared(value));
  }

  /** The scores of a key by their names, in the order in which they were put. */
  of(key: string): JsonObject {
    if (!this.last.has(key)) return {};
    const places: number[] = [];
    for (let next = this.last.at(key)[0]!; next !== 0; next = this.before.array[next - 1]!)
      places.push(next - 1);
    const { array: order } = this.order;
    const latest = new Map<string, number>();
    for (const place of places.reverse()) {
      const name = this.nameAt[this.name.array[place]!]!;
      const known = latest.get(name);
      if (known === undefined || order[known]! <= order[place]!) latest.set(name, place);
    }
    return Object.fromEntries(Array.from(latest, ([name, place]) => [name, this.valueAt(place)]));
  }

  private valueAt(place: number): Json {
    const kind = this.kind.array[place]!;
    if (kind === NUMBER) return this.value.array[place]!;
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
}

function kindOf(value: Json): number {
  if (typeof value === "number") return NUMBER!;
  if (typeof value === "boolean") return value ? TRUE! : FALSE!;
  if (value === null) return NULL!;
  return Array.isArray(value) ? LIST! : OTHER!;
}
