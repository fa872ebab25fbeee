// scipy over arrays that are ready, in a Python process of its own which takes its own times.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Timing, timingOf } from "../interleave.ts";
import { progress } from "../program.ts";
import type { Figures, Question } from "../statistics.ts";
import type { WideTable } from "./duckdb-statistics.ts";

const PROGRAM = fileURLToPath(new URL("scipy_statistics.py", import.meta.url));

/** What scipy answers in each turn, and how long it took; undefined where it is not installed. */
export async function scipyStatistics(
  wide: WideTable,
  question: Question,
  folder: string,
): Promise<{ readonly answers: readonly Figures[]; readonly timing: Timing } | undefined> {
  // Python with scipy and numpy: ASSAY_PYTHON names one that has them.
  const python = process.env["ASSAY_PYTHON"] ?? "python3";
  const files = wide.columns.map((column, c) => {
    const file = join(folder, `column-${c}.f64`);
    writeFileSync(file, column);
    return file;
  });
  const turns = question.turns.map((turn) => (Number.isFinite(turn) ? turn : null));
  const asked = { ...wide, columns: undefined, files, question: { ...question, turns } };
  const { status, stdout, stderr } = spawnSync(python, [PROGRAM], {
    input: JSON.stringify(asked),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) {
    progress(`no scipy (${stderr.trim().split("\n").at(-1)})`);
    return undefined;
  }
  const { answers, times } = JSON.parse(stdout) as { answers: Figures[]; times: number[] };
  return { answers, timing: timingOf(times) };
}
