// From objects to the first answer, including the start of the process: 10,000 questions to three models, the twenty
// questions whose quality differs most, and each model's share of correct answers. Compared with pandas, DuckDB and
// Arquero, which must give the same answer before anything is timed.

import { deepStrictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interleave } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY, FIRST_ANSWER, OBJECTS } from "./targets.ts";

/** The command of each program. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  [ASSAY]: [process.execPath, "assay.mjs"],
  Arquero: [process.execPath, "arquero.mjs"],
  DuckDB: [process.execPath, "duckdb.mjs"],
  // ASSAY_PYTHON names a Python with pandas.
  pandas: [process.env["ASSAY_PYTHON"] ?? "python3", "pandas_.py"],
};

const cwd = fileURLToPath(new URL("objects", import.meta.url));

interface Answer {
  readonly rows: readonly string[];
  readonly rates: readonly number[];
}

/** Runs a program. Returns undefined if its dependencies are not installed. */
function answerOf(name: string): Answer | undefined {
  const [command, ...args] = PROGRAMS[name]!;
  const { status, stdout, stderr } = spawnSync(command!, args, { cwd, encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout) as Answer;
  if (name === ASSAY) throw new Error(stderr);
  progress(`no ${name} (${stderr.trim().split("\n").at(-1)})`);
  return undefined;
}

await program(async ({ effort }) => {
  const ours = answerOf(ASSAY)!;
  const others = Object.keys(PROGRAMS).filter((name) => {
    const answer = answerOf(name);
    if (answer === undefined) return false;
    deepStrictEqual(answer.rows, ours.rows, name);
    for (const [m, rate] of answer.rates.entries())
      if (Math.abs(rate - ours.rates[m]!) > 1e-9) throw new Error(`${name} has a different rate: ${rate}`);
    return true;
  });
  const timings = await interleave(
    Object.fromEntries(others.map((name) => [name, async () => answerOf(name)])),
    effort,
  );
  return others.map(
    (contender): Measurement => ({
      data: OBJECTS,
      workload: FIRST_ANSWER,
      contender,
      unit: "ms",
      ...timings[contender]!,
    }),
  );
});
