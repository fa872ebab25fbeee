// Case folding in SQL, character by character as `foldCase` of the query language does it: the table is read off the
// JavaScript engine, so that no other Unicode version than its own ever decides.

import { foldCase } from "@assay/query-lang/internal";
import type { Parameters, Sql } from "./statement.ts";

interface FoldTable {
  readonly from: string;
  readonly to: string;
  /** Characters that fold to more than one character. */
  readonly longer: readonly (readonly [string, string])[];
}

let table: FoldTable | undefined;

/** `text` folded. */
export function foldedText(text: Sql, parameters: Parameters): Sql {
  table ??= readTable();
  const { from, to, longer } = table;
  const replaced = longer.reduce(
    (sql, [one, many]) => `replaceAll(${sql}, ${parameters.text(one)}, ${parameters.text(many)})`,
    text,
  );
  return `translateUTF8(${replaced}, ${parameters.text(from)}, ${parameters.text(to)})`;
}

function readTable(): FoldTable {
  let [from, to] = ["", ""];
  const longer: [string, string][] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const one = String.fromCodePoint(code);
    const folded = foldCase(one);
    if (folded === one) continue;
    if ([...folded].length > 1) longer.push([one, folded]);
    else {
      from += one;
      to += folded;
    }
  }
  return { from, to, longer };
}
