// Whole numbers in pages that are never moved. Growing a typed array of millions copies it each time, which takes three
// times its memory and leaves gaps that are too small for later arrays.

const BITS = 14;
const PAGE = 2 ** BITS;
const FIRST = 16;

type Page = Uint8Array | Uint16Array | Uint32Array;
/** The type of a page. */
export type PageType = new (length: number) => Page;

/** A growing list of whole numbers below 2^32, 0 if unset. Each page is as narrow as its numbers. */
export class PagedArray {
  /** The number of items. */
  length = 0;
  private readonly pages: Page[] = [];
  private type: PageType;

  /** `type`: of the first pages. */
  constructor(type: PageType = Uint8Array) {
    this.type = type;
  }

  get(i: number): number {
    return this.pages[i >>> BITS]![i & (PAGE - 1)]!;
  }

  /** Sets item `i`; skipped items are 0. */
  set(i: number, value: number): void {
    if (i >= this.length) this.extend(i + 1);
    const page = this.pages[i >>> BITS]!;
    page[i & (PAGE - 1)] = value;
    if (page[i & (PAGE - 1)] !== value) this.widen(i, value);
  }

  push(value: number): void {
    this.set(this.length, value);
  }

  /** Makes it at least as long; new items are 0. */
  extend(length: number): void {
    if (length <= this.length) return;
    this.length = length;
    const { pages } = this;
    const [first] = pages;
    if (first === undefined || first.length < Math.min(length, PAGE)) {
      let room = first?.length ?? FIRST;
      while (room < Math.min(length, PAGE)) room *= 2;
      pages[0] = pageOf(this.type, room, first);
    }
    while (pages.length * PAGE < length) pages.push(new this.type(PAGE));
  }

  /** All items in one array. */
  toArray(): Uint32Array {
    const array = new Uint32Array(this.length);
    for (const [k, page] of this.pages.entries())
      array.set(page.subarray(0, Math.min(page.length, this.length - k * PAGE)), k * PAGE);
    return array;
  }

  private widen(i: number, value: number): void {
    this.type = value < 2 ** 16 ? Uint16Array : Uint32Array;
    const page = this.pages[i >>> BITS]!;
    const wider = pageOf(this.type, page.length, page);
    wider[i & (PAGE - 1)] = value;
    this.pages[i >>> BITS] = wider;
  }
}

function pageOf(type: PageType, length: number, content: Page | undefined): Page {
  const page = new type(length);
  if (content !== undefined) page.set(content);
  return page;
}
