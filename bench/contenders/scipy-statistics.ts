// scipy over preloaded arrays, in a separate Python process that measures its own times.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Timing, timingOf } from "../interleave.ts";
import { progress } from "../program.ts";
import type { Figures, Question } from "../statistics.ts";
import type { WideTable } from "./duckdb-statistics.ts";

const PROGRAM = fileURLToPath(new URL("scipy_statistics.py", import.meta.url));

/** scipy's answers in each turn and their timing; undefined if scipy is not installed. */
export async function scipyStatistics(
  wide: WideTable,
  question: Question,
  folder: string,
): Promise<{ readonly answers: readonly Figures[]; readonly timing: Timing } | undefined> {
  // ASSAY_PYTHON names a Python with scipy and numpy.
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
