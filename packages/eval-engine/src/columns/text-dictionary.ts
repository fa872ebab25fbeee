// The texts of a column. Repeated ones are kept once, so that a predicate on text runs once per different text; where
// texts hardly repeat (model outputs), looking for repeats is given up, and a code is just a position.

// Enough to tell whether a column repeats itself.
const SAMPLE = 4096;

/** A growing list of texts, without repeats as long as repeats are common. */
export class TextDictionary {
  private readonly entries: string[] = [];
  private codes: Map<string, number> | undefined = new Map();
  private characters = 0;
  private added = 0;

  get length(): number {
    return this.entries.length;
  }

  /** Bytes held, roughly. */
  get size(): number {
    return this.characters + this.entries.length * 32;
  }

  /** The code of a text. */
  add(text: string): number {
    this.added++;
    const known = this.codes?.get(text);
    if (known !== undefined) return known;
    this.codes?.set(text, this.entries.length);
    if (this.codes !== undefined && this.entries.length >= SAMPLE && this.entries.length * 2 > this.added)
      this.codes = undefined;
    this.characters += text.length;
    return this.entries.push(text) - 1;
  }

  /** Adds a text as the next code, whether or not it is there already: for one that was a code before. */
  restore(text: string): void {
    this.codes?.set(text, this.entries.length);
    this.characters += text.length;
    this.added++;
    this.entries.push(text);
  }

  get(code: number): string {
    return this.entries[code]!;
  }

  clone(): TextDictionary {
    const copy = new TextDictionary();
    for (const entry of this.entries) copy.entries.push(entry);
    copy.codes = this.codes === undefined ? undefined : new Map(this.codes);
    copy.characters = this.characters;
    copy.added = this.added;
    return copy;
  }
}
