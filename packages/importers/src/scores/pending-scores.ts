// Keeps scores that are stored apart from their trial, in the same file or another, until the trial is read. A score
// takes a few bytes; a Map of millions of objects would take as much memory as the file.

import type { Json } from "@assay/base";
import { growableBytes, growableFloats, growableIndexes } from "@assay/base/internal";
import { DigestTable } from "../collections/digest-table.ts";
import type { JsonObject } from "../json/json-text.ts";

// The types of values.
const [NUMBER, TRUE, FALSE, NULL, LIST, TEXT, OTHER] = [0, 1, 2, 3, 4, 5, 6] as const;
const PLAIN: ReadonlyMap<number, Json> = new Map<number, Json>([
  [TRUE, true],
  [FALSE, false],
  [NULL, null],
  // Lists among scores are not read, only counted.
  [LIST, [null]],
]);

/** Scores by the key of their trial. */
export class PendingScores {
  /** For each key, the place of its last score plus 1. */
  private readonly last = new DigestTable(1);
  private readonly names = new TextNumbers();
  /** Texts among the values: many trials share a label. */
  private readonly texts = new TextNumbers();
  /** Objects among the values, by place. */
  private readonly others = new Map<number, Json>();
  /** For each score: the place plus 1 of the previous score with its key, its name, its type, and its order. */
  private readonly before = growableIndexes();
  private readonly name = growableIndexes();
  private readonly type = growableBytes();
  private readonly value = growableFloats();
  private readonly order = growableFloats();

  /** Keeps a score. Among several with one name the greatest `order` counts, or the last of equals. */
  put(key: string, name: string, value: Json, order = 0): void {
    const last = this.last.at(key);
    const place = this.before.length;
    const type = typeOf(value);
    this.before.push(last[0]!);
    last[0] = place + 1;
    this.name.push(this.names.of(name));
    this.order.push(order);
    this.type.push(type);
    this.value.push(type === NUMBER ? (value as number) : type === TEXT ? this.texts.of(value as string) : 0);
    if (type === OTHER) this.others.set(place, value);
  }

  /** The scores of a key by name, in insertion order. */
  of(key: string): JsonObject {
    if (!this.last.has(key)) return {};
    const places: number[] = [];
    for (let next = this.last.at(key)[0]!; next !== 0; next = this.before.array[next - 1]!)
      places.push(next - 1);
    const { array: order } = this.order;
    const latest = new Map<string, number>();
    for (const place of places.reverse()) {
      const name = this.names.texts[this.name.array[place]!]!;
      const known = latest.get(name);
      if (known === undefined || order[known]! <= order[place]!) latest.set(name, place);
    }
    return Object.fromEntries(Array.from(latest, ([name, place]) => [name, this.valueAt(place)]));
  }

  private valueAt(place: number): Json {
    const type = this.type.array[place]!;
    const value = this.value.array[place]!;
    if (type === NUMBER) return value;
    if (type === TEXT) return this.texts.texts[value]!;
    return type === OTHER ? this.others.get(place)! : PLAIN.get(type)!;
  }
}

/** Texts by number. */
class TextNumbers {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a text. */
  of(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

function typeOf(value: Json): number {
  if (typeof value === "number") return NUMBER;
  if (typeof value === "string") return TEXT;
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  if (value === null || (Array.isArray(value) && value.length === 0)) return NULL;
  return Array.isArray(value) ? LIST : OTHER;
}
