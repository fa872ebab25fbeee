// Whole JSON values as bytes.

import { type Json, jsonText } from "@assay/base";
import { type LruCache, lruCache, parseJson } from "@assay/base/internal";
import type { Work } from "../kernels/work.ts";
import type { PayloadItem } from "../trials/payload-item.ts";
import { CollectedTexts } from "./collected-texts.ts";
import { itemValue, type Payload, type PayloadScan } from "./payload.ts";
import type { TextList } from "./texts.ts";

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
    this.texts.push(jsonText(itemValue(value)));
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
