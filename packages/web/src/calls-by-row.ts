// Orders the lines of calls for the best compression: those of one row together, from all evaluations and trials.
// DEFLATE looks back 32 KB, and the data that the trials of a row repeat (the row itself, often the answer) is
// megabytes apart if evaluations follow one another. Parents must stay before their children.

import { lineSplitter } from "@assay/base/internal";

/** The characters that are ordered together, which limits the memory. */
const TOGETHER = 96 * 2 ** 20;
/** The characters per chunk. */
const PIECE = 256 * 1024;

/** The same lines in another order. A line that is not a call stays before the calls around it. */
export async function* callsByRow(
  lines: AsyncIterable<Uint8Array>,
  together: number = TOGETHER,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const splitter = lineSplitter();
  let groups = new LineGroups();
  for await (const bytes of lines) {
    for (const line of splitter.push(decoder.decode(bytes, { stream: true }))) groups.add(line!);
    if (groups.characters < together) continue;
    yield* groups.pieces();
    groups = new LineGroups();
  }
  for (const line of [...splitter.push(decoder.decode()), ...splitter.end()]) groups.add(line!);
  yield* groups.pieces();
}

/** Lines grouped by row, after those without a row. */
class LineGroups {
  characters = 0;
  private readonly groups: Map<string, string[]> = new Map([["", []]]);
  /** The group of each call of a row, for its children. */
  private readonly groupOf: Map<string, string> = new Map();

  add(line: string): void {
    if (line === "") return;
    this.characters += line.length + 1;
    const group = this.groupOfLine(line);
    const known = this.groups.get(group);
    if (known === undefined) this.groups.set(group, [line]);
    else known.push(line);
  }

  *pieces(): Generator<Uint8Array> {
    const encoder = new TextEncoder();
    let text = "";
    for (const lines of this.groups.values()) {
      for (const line of lines) text += `${line}\n`;
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = "";
    }
    if (text !== "") yield encoder.encode(text);
  }

  private groupOfLine(line: string): string {
    const { id, parent_id: parent, inputs } = callOf(line);
    const ofRow = inputs?.example == null ? undefined : `row ${JSON.stringify(inputs.example)}`;
    const group = this.groupOf.get(String(parent)) ?? ofRow;
    if (group === undefined) return "";
    this.groupOf.set(String(id), group);
    return group;
  }
}

interface LoggedLine {
  readonly id?: unknown;
  readonly parent_id?: unknown;
  readonly inputs?: { readonly example?: unknown } | null;
}

function callOf(line: string): LoggedLine {
  try {
    return (JSON.parse(line) as LoggedLine | null) ?? {};
  } catch {
    return {};
  }
}
