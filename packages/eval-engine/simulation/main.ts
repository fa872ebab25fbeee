// Measures what intervals and verdicts promise, by simulation, and writes the tables into docs/explanation/statistics-coverage.md:
// `npm run coverage`, with `-- --runs N` and `--seed N`. The same seed and runs give the same page. Fewer runs than the page
// is made of are only printed.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { printTable, withTables } from "./page.ts";
import { randomOf } from "./quantities.ts";
import { fewerRuns, tables } from "./tables.ts";

const PAGE = new URL("../../../docs/explanation/statistics-coverage.md", import.meta.url);

const OF_PAGE = 1000;

const { values } = parseArgs({
  options: { runs: { type: "string", default: String(OF_PAGE) }, seed: { type: "string", default: "1" } },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isSafeInteger(runs) || runs < 1) throw new Error("--runs takes a whole number, 1 or more");
if (!Number.isSafeInteger(seed)) throw new Error("--seed takes a whole number");

const printed: string[] = [];
for await (const table of tables(runs, randomOf(seed))) {
  printed.push(printTable(table));
  console.log(`${printed.at(-1)}\n`);
}
console.log(`${runs} simulated runs of each cell`);
const error = (p: number, of: number): string => (200 * Math.sqrt((p * (1 - p)) / of)).toFixed(1);
const how = `Made by \`npm run coverage -- --runs ${runs} --seed ${seed}\`: ${runs} simulated runs a cell, ${fewerRuns(runs)} where a table says so. Chance moves a figure near 95% or 5% by ± ${error(0.95, runs)} points, ± ${error(0.95, fewerRuns(runs))} with ${fewerRuns(runs)} runs.`;
if (runs >= OF_PAGE)
  writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8"), [how, ...printed].join("\n\n")));
