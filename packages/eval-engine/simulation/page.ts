// Tables as Markdown, and their place in the page.

import type { Share } from "./simulate.ts";
import type { Table } from "./tables.ts";

const BEGIN = "<!-- tables: npm run coverage -->";
const END = "<!-- /tables -->";

/** The page with these lines between its markers. */
export function withTables(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** A table with its title. */
export function printTable({ title, about, columns, rows, wanted }: Table): string {
  const cells = rows.map(({ label, shares }) => [
    ...label,
    ...shares.map((share) => printShare(share, wanted)),
  ]);
  // A column that no row uses is left out.
  const used = columns.map((_, k) => cells.some((row) => row[k] !== ""));
  const line = (row: readonly string[]): string => `| ${row.filter((_, k) => used[k]).join(" | ")} |`;
  const rule = line(columns.map((_, k) => (k < rows[0]!.label.length ? "---" : "--:")));
  return [`### ${title}`, "", about, "", line(columns), rule, ...cells.map(line)].join("\n");
}

function printShare(share: Share | null, wanted: Table["wanted"]): string {
  if (share === null) return "–";
  const { hits, of, runs } = share;
  if (of === 0) return "no interval";
  const rate = hits / of;
  const none = 1 - of / runs;
  const outside = mark(rate, of, wanted);
  const warned =
    outside === BELOW && share.warned !== undefined
      ? ` (warned: ${((100 * share.warned) / of).toFixed(0)}%)`
      : "";
  return `${(100 * rate).toFixed(1)}${outside}${warned}${none >= 0.005 ? ` (none: ${(100 * none).toFixed(0)}%)` : ""}`;
}

const BELOW = " ↓";

/** Whether a share is outside of what is wanted by more than chance: two standard errors of the simulation. */
function mark(rate: number, of: number, wanted: Table["wanted"]): string {
  if (wanted === undefined) return "";
  const error = (bound: number): number => 2 * Math.sqrt((bound * (1 - bound)) / of);
  if (rate < wanted.from - error(wanted.from)) return BELOW;
  return rate > wanted.to + error(wanted.to) ? " ↑" : "";
}
