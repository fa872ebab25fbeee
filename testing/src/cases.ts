// How much of a test runs: all of it in a full run, a tenth of its cases when its lane runs, and a quarter of those in `npm test`.

/** `test` (a lane that runs), `brief` (`npm test`) or `full` (every night). */
const mode = process.env["ASSAY_TESTS"] ?? "test";

/** Random cases to try: `ASSAY_RUNS`, or `full` in a full run, or a part of that. */
export function cases(full: number): number {
  const part = { full: 1, brief: 1 / 40 }[mode] ?? 1 / 10;
  return Number(process.env["ASSAY_RUNS"] ?? Math.ceil(full * part));
}

/** The first `few` of the cases of a table in `npm test`, and all of them when the lane runs. */
export function some<T>(table: readonly T[], few = 1): readonly T[] {
  return mode === "brief" ? table.slice(0, few) : table;
}

/** How often to kill a process: `ASSAY_CRASH_ROUNDS`, or `full` in a full run, or `few`. */
export function rounds(full: number, few: number): number {
  return Number(process.env["ASSAY_CRASH_ROUNDS"] ?? (mode === "full" ? full : few));
}
