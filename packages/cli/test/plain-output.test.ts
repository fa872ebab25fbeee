// Whatever the logged data, no command writes terminal escapes or characters that reorder text to a terminal; JSON
// keeps the values complete.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

const P = "me/pl\u202eain";
/** Every control and bidirectional character except NUL, and a sequence that clears the screen. */
const HOSTILE = `\u001b[2J${Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code + 1))
  .filter((character) => /[\p{Cc}\p{Bidi_Control}]/u.test(character))
  .join("")}x`;
const NO_TEXT = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u;

/** Two evaluations with `HOSTILE` in every text and every name. */
function lines(): string {
  const calls = ["a", "b"].flatMap((letter) => {
    const id = `${letter}${HOSTILE}`;
    const root = {
      ...{ id, op_name: "Evaluation.evaluate", display_name: `run ${id}`, inputs: { model: id } },
      ...{ started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:10:00Z" },
    };
    const trials = [0, 1, 2, 3].map((row) => ({
      ...{ id: `${id}-${row}`, parent_id: id, op_name: "Evaluation.predict_and_score" },
      ...{ started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:01Z" },
      inputs: { example: { n: row, [`q${HOSTILE}`]: `${row}${HOSTILE}` } },
      output: {
        output: HOSTILE,
        scores: { [`s${HOSTILE}`]: letter === "a" || row > 1, [`t${HOSTILE}`]: HOSTILE },
      },
    }));
    return [root, ...trials];
  });
  return calls.map((call) => JSON.stringify(call)).join("\n");
}

const ANSWERED: readonly (readonly string[])[] = [
  ["query", P],
  ["query", P, "--format", "json"],
  ["query", P, "--format", "csv"],
  ["query", P, "--format", "jsonl"],
  ["compare", P],
  ["compare", P, "--format", "json"],
  ["compare", P, "--format", "markdown"],
  ["compare", P, "--format", "junit"],
  ["show", P, "inputs.n = 0"],
  ["evaluations", P],
  ["evaluations", P, "--format", "json"],
  ["projects"],
  ["projects", "--format", "json"],
  ["watch", P, `run a${HOSTILE}`, `run b${HOSTILE}`],
  ["export", P],
  ["export", P, "--format", "csv"],
  ["doctor"],
];
const REFUSED: readonly (readonly string[])[] = [
  ["query", P, `missing ${HOSTILE}`],
  ["query", P, "--where", `inputs.${HOSTILE} = 1`],
  ["evaluations", `me/missing ${HOSTILE}`],
  ["delete", P, `run a${HOSTILE}`],
  [HOSTILE],
];

test("no command prints terminal escapes or marks that reverse text", async () => {
  const home = folder();
  const [file, data] = [join(home, `calls ${HOSTILE}.jsonl`), join(home, "data")];
  writeFileSync(file, lines());
  expect(await assay(["import", P, file, "--data", data], { columns: 100 })).toMatchObject({ exitCode: 0 });
  const shown: unknown[] = [];
  for (const columns of [100, undefined])
    for (const args of [...ANSWERED, ...REFUSED]) {
      const { exitCode, stdout, stderr } = await assay([...args, "--data", data], columns ? { columns } : {});
      const what = [args.slice(0, 4).join(" "), columns === undefined ? "in a pipe" : "on a terminal"];
      // A table in a pipe is a file, and contains the texts unchanged.
      const isFile = columns === undefined && /csv|jsonl|export/.test(args.join(" "));
      for (const text of isFile ? [stderr] : [stdout, stderr])
        if (NO_TEXT.test(text))
          shown.push([...what, exitCode, JSON.stringify(text.match(NO_TEXT)), text.slice(0, 300)]);
      expect(exitCode, `${what.join(" ")}: ${stderr}`).toBe(REFUSED.includes(args) ? 2 : 0);
    }
  expect(shown).toEqual([]);
  // JSON still has the complete values.
  const { stdout } = await assay(["watch", P, `run a${HOSTILE}`, "--data", data]);
  expect(JSON.parse(stdout)[0].display_name).toBe(`run a${HOSTILE}`);
});
