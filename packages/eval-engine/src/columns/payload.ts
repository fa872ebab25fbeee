// Whole JSON values, one per item, that are looked at again only for the returned page. Kept as references when the
// source holds the values anyway, else as JSON bytes.

import { type Json, jsonText } from "@assay/base";
import { type LruCache, lruCache, parseJson } from "@assay/base/internal";
import { LineCall } from "@assay/calls/internal";
import type { Work } from "../kernels/work.ts";
import type { PayloadItem } from "../trials/payload-item.ts";
import { CollectedTexts } from "./collected-texts.ts";
import type { TextList } from "./texts.ts";

/** A growing list of JSON values. */
export interface Payload {
  readonly length: number;
  /** Adds a value. */
  push(value: PayloadItem): void;
  /** The value, for callers that do not need the notation of its numbers. */
  get(i: number): Json;
  /** The value with its numbers in their logged notation. */
  getLogged(i: number): Json;
  /** The same for a value that is likely to be read again soon. */
  getAgain(i: number): Json;
  /** The JSON text of value `i`, with its numbers in their logged notation. */
  text(i: number): string;
  /** The bytes of text that are parsed each time value `i` is read; 0 if it is in memory as a value. */
  sizeOf(i: number): number;
  /** The values, for reading all of them in order. */
  scan(): PayloadScan;
  pick(order: Uint32Array, work: Work): Promise<Payload>;
  /**
   * A continuation with the same values, to which more can be added. This list may still be read, but must get no more
   * values.
   */
  continued(): Payload;
  /** Approximate bytes that only this list holds. */
  readonly size: number;
}

/** Reads all values of an unchanging list, one after another. */
export interface PayloadScan {
  /** A promise to await before reading value `i`, if it is not in memory; otherwise undefined. */
  ahead(i: number): Promise<void> | undefined;
  /** The value, for callers that do not need the notation of its numbers. */
  get(i: number): Json;
}

/** Values as references: to the value itself, or to the call whose output is parsed again when it is read. */
export class SharedPayload implements Payload {
  private readonly values: PayloadItem[];

  constructor(values: PayloadItem[] = []) {
    this.values = values;
  }
  get length(): number {
    return this.values.length;
  }
  get size(): number {
    return this.values.length * 8;
  }
  push(value: PayloadItem): void {
    this.values.push(value);
  }
  get(i: number): Json {
    const value = this.values[i]!;
    return value instanceof LineCall ? value.outputOfDoubles() : read(value);
  }
  getLogged(i: number): Json {
    return read(this.values[i]!);
  }
  getAgain(i: number): Json {
    return this.getLogged(i);
  }
  text(i: number): string {
    return jsonText(this.getLogged(i));
  }
  sizeOf(i: number): number {
    const value = this.values[i]!;
    return value instanceof LineCall ? value.length : 0;
  }
  scan(): PayloadScan {
    return { ahead: () => undefined, get: (i) => this.get(i) };
  }
  async pick(order: Uint32Array): Promise<Payload> {
    return new SharedPayload(Array.from(order, (i) => this.values[i]!));
  }
  continued(): Payload {
    return new SharedPayload([...this.values]);
  }
}

function read(value: PayloadItem): Json {
  return value instanceof LineCall ? value.output : value;
}

// Recently read values: the rows of a page are read again while someone drags a filter over it.
const PARSED_KEPT = 1024;

/** Values as JSON bytes. */
export class JsonPayload implements Payload {
  readonly texts: TextList;
  private readonly parsed: LruCache<number, Json> = lruCache(PARSED_KEPT);

  constructor(texts: TextList = new CollectedTexts()) {
    this.texts = texts;
  }
  get length(): number {
    return this.texts.length;
  }
  get size(): number {
    return this.texts.size;
  }
  push(value: PayloadItem): void {
    this.texts.push(jsonText(read(value)));
  }
  get(i: number): Json {
    return this.parsed.get(i) ?? (JSON.parse(this.texts.get(i)) as Json);
  }
  getLogged(i: number): Json {
    return this.parsed.get(i) ?? parseJson(this.texts.get(i));
  }
  getAgain(i: number): Json {
    const known = this.parsed.get(i);
    if (known !== undefined) return known;
    const value = parseJson(this.texts.get(i));
    this.parsed.set(i, value);
    return value;
  }
  text(i: number): string {
    return this.texts.get(i);
  }
  sizeOf(i: number): number {
    return this.texts.lengthOf(i);
  }
  scan(): PayloadScan {
    const texts = this.texts.scan();
    return { ahead: (i) => texts.ahead(i), get: (i) => JSON.parse(texts.get(i)) as Json };
  }
  async pick(order: Uint32Array, work: Work): Promise<Payload> {
    return new JsonPayload(await this.texts.pick(order, work));
  }
  continued(): Payload {
    return new JsonPayload(this.texts.continued());
  }
}
