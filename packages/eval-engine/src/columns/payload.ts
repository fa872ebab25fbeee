// Whole JSON values, one per item, which are read again only for the returned page. Kept as references if the source
// holds the values anyway, otherwise as JSON bytes (`JsonPayload`).

import { type Json, jsonText } from "@assay/base";
import { LineCall } from "@assay/calls/internal";
import type { Work } from "../kernels/work.ts";
import type { PayloadItem } from "../trials/payload-item.ts";

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
    const value = this.item(i);
    return value instanceof LineCall ? value.outputOfDoubles() : itemValue(value);
  }
  getLogged(i: number): Json {
    return itemValue(this.item(i));
  }
  getAgain(i: number): Json {
    return this.getLogged(i);
  }
  text(i: number): string {
    return jsonText(this.getLogged(i));
  }
  sizeOf(i: number): number {
    const value = this.item(i);
    return value instanceof LineCall ? value.length : 0;
  }
  scan(): PayloadScan {
    return { ahead: () => undefined, get: (i) => this.get(i) };
  }
  async pick(order: Uint32Array): Promise<Payload> {
    return new SharedPayload(Array.from(order, (i) => this.item(i)));
  }
  continued(): Payload {
    return new SharedPayload(Array.from({ length: this.length }, (_, i) => this.item(i)));
  }
  protected item(i: number): PayloadItem {
    return this.values[i]!;
  }
}

/** The value itself. */
export function itemValue(value: PayloadItem): Json {
  return value instanceof LineCall ? value.output : value;
}
