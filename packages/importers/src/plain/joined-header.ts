// Tables whose column names are spread over two lines, as spreadsheets write merged cells, and pandas columns of several
// levels: `question,small,,large,` above `,answer,score,answer,score`.

import { firstRows } from "../tables/cells/delimited-rows.ts";
import { roleOf } from "../tables/columns/column-roles.ts";

const NUMBER = /^[-+]?[\d.,]+%?$/;

/** The text with the names in its first line and empty lines after it; undefined if it has no such header. */
export function withJoinedHeader(text: string, sample: string): string | undefined {
  const { start, delimiter, rows } = firstRows(sample, 3);
  const [upper, lower, index] = rows;
  if (upper === undefined || lower === undefined) return undefined;
  const names = joinedNames(upper.cells, lower.cells);
  if (names === undefined) return undefined;
  // pandas writes the names of its index below those of the columns.
  const named = index?.cells.map((cell, i) => (cell === "" ? i : -1)).filter((i) => i !== -1) ?? [];
  const filled = (index?.cells.length ?? 0) - named.length;
  const isIndex =
    filled > 0 && named.length > 1 && named[0] === filled && named.length + filled === names.length;
  const all = isIndex ? names.map((name, i) => (i < filled ? index!.cells[i]! : name)) : names;
  const last = isIndex ? index! : lower;
  if (last.end >= sample.length) return undefined;
  const line = all.map((name) => `"${name.replaceAll('"', '""')}"`).join(delimiter);
  return `${text.slice(0, start)}${line}${isIndex ? "\n\n\n" : "\n\n"}${text.slice(last.end)}`;
}

/** Names of two lines, joined where one of the upper line spans several of the lower; undefined if none does. */
function joinedNames(upper: readonly string[], lower: readonly string[]): readonly string[] | undefined {
  if (upper.length !== lower.length || lower.some((name) => NUMBER.test(name))) return undefined;
  const spans: string[] = [];
  let before = "";
  for (const [i, name] of upper.entries()) {
    before = name || before;
    spans.push(name || (lower[i] === "" ? "" : before));
  }
  const sizes = new Map<string, number>();
  for (const [i, name] of spans.entries()) if (lower[i] !== "") sizes.set(name, (sizes.get(name) ?? 0) + 1);
  const names = spans.map((name, i) =>
    name !== "" && lower[i] !== "" && sizes.get(name)! > 1 ? `${name}_${lower[i]}` : undefined,
  );
  const below = names.flatMap((name, i) => (name === undefined ? [] : [i]));
  const groups = new Set(below.map((i) => spans[i]!));
  const parts = new Set(below.map((i) => lower[i]!));
  const areKnown = (some: ReadonlySet<string>) => [...some].every((name) => roleOf(name) !== undefined);
  // Each group has each part once, and one of both says what is in the columns.
  const isWhole = new Set(names).size - Number(names.includes(undefined)) === groups.size * parts.size;
  if (groups.size < 2 || parts.size < 2 || !isWhole || below.length !== groups.size * parts.size)
    return undefined;
  if (!areKnown(groups) && !areKnown(parts)) return undefined;
  return names.map((name, i) => name ?? (lower[i] || upper[i]!));
}
