// The amount of testing: all cases in a full run, a tenth when the lane runs, and a quarter of those in `npm test`.

/** `brief` in `npm test`, `test` when the lane runs, `full` every night. */
const mode = process.env["ASSAY_TESTS"] ?? "test";

/** The number of random cases: `ASSAY_RUNS`, or `full` in a full run, or a fraction of it. */
export function cases(full: number): number {
  const part = { full: 1, brief: 1 / 40 }[mode] ?? 1 / 10;
  return Number(process.env["ASSAY_RUNS"] ?? Math.ceil(full * part));
}

/** The first `few` cases of a table in `npm test`; all of them otherwise. */
export function some<T>(table: readonly T[], few = 1): readonly T[] {
  return mode === "brief" ? table.slice(0, few) : table;
}

/** How often to kill a process: `ASSAY_CRASH_ROUNDS`, or `full` in a full run, otherwise `few`. */
export function rounds(full: number, few: number): number {
  return Number(process.env["ASSAY_CRASH_ROUNDS"] ?? (mode === "full" ? full : few));
}
