// The table of a page in HTML, as pandas' `to_html` and reports write it, and spreadsheets name `.xls`.

import { csvLine } from "./csv-line.ts";
import { markupIn } from "./markup.ts";

/** Whether a text begins like a page, or a part of one. */
export function beginsLikeHtml(sample: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body|table|div|style)\b/i.test(sample);
}

/** The only table of a page as CSV; undefined if there are several with records, or none. */
export function csvOfHtml(text: string): string | undefined {
  const tables = tablesIn(text).filter((rows) => rows.length > 1);
  return tables.length === 1 ? tables[0]!.map(csvLine).join("\n") : undefined;
}

function tablesIn(text: string): readonly (readonly (readonly string[])[])[] {
  const tables: string[][][] = [];
  let row: string[] | undefined;
  let cell: string | undefined;
  let [span, hidden] = [1, false];
  const endCell = (): void => {
    // A cell that spans several columns names the first.
    if (cell !== undefined)
      row?.push(cell.replace(/[^\S\n]+/g, " ").trim(), ...new Array<string>(span - 1).fill(""));
    cell = undefined;
  };
  for (const one of markupIn(text)) {
    if (typeof one === "string") {
      if (cell !== undefined && !hidden) cell += one.replace(/\s+/g, " ");
      continue;
    }
    const { name, attributes } = one;
    if (name === "script" || name === "style") hidden = true;
    else if (name === "/script" || name === "/style") hidden = false;
    else if (name === "table") tables.push([]);
    else if (name === "br" && cell !== undefined) cell += "\n";
    else if (/^\/?(?:t[dhr]|table)$/.test(name)) {
      endCell();
      if (name === "tr") {
        row = [];
        tables.at(-1)?.push(row);
      } else if (name === "td" || name === "th") {
        cell = "";
        span = Math.max(1, Math.min(Math.trunc(Number(attributes.get("colspan") ?? 1)) || 1, 100));
      }
    }
  }
  return tables.map((rows) => rows.filter((cells) => cells.some((text) => text !== "")));
}
