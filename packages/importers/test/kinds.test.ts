// Every kind of file, small and made here: recognised by content, and read with the kind's own traps.

import { gzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { IMPORTERS } from "../src/importers.ts";
import { bytesFile, IMPORT_KINDS } from "../src/index.ts";
import { FIXTURES } from "./fixtures.ts";
import { imported } from "./support.ts";

describe.each(FIXTURES.map((fixture) => [`${fixture.kind}: ${fixture.files[0]!.path}`, fixture] as const))(
  "%s",
  (_, { kind, files, rows, trials, errors, scores }) => {
    test("has these evaluations, trials, errors and scores", async () => {
      const { plan } = await imported(files);
      expect(plan.refused).toEqual([]);
      expect(new Set(plan.evaluations.map((one) => one.kind))).toEqual(new Set([kind]));
      const sum = (of: (one: (typeof plan.evaluations)[number]) => number) =>
        plan.evaluations.reduce((total, one) => total + of(one), 0);
      expect([plan.evaluations[0]!.rows, sum((one) => one.trials), sum((one) => one.errors)]).toEqual([
        rows,
        trials,
        errors,
      ]);
      const means = Object.fromEntries(plan.evaluations[0]!.scores.map(({ path, mean }) => [path, mean]));
      expect(means).toEqual(scores);
    });

    test("is read the same when it is gzipped, and twice", async () => {
      const packed = await Promise.all(
        files.map(async (file) => {
          const bytes = await file.read(0, file.size);
          return bytesFile(`${file.path}.gz`, bytes[0] === 0x50 ? bytes : gzipSync(bytes));
        }),
      );
      const { plan } = await imported(packed);
      expect(plan.refused).toEqual([]);
      expect(plan.evaluations.map((one) => [one.kind, one.rows, one.trials])).toEqual(
        (await imported(files)).plan.evaluations.map((one) => [one.kind, one.rows, one.trials]),
      );
      expect((await imported(files)).lines).toEqual((await imported(files)).lines);
    });

    test("writes no secret, and everything below its root", async () => {
      const { lines, plan } = await imported(files);
      expect(lines.join("\n")).not.toContain("secret");
      const calls = lines.map((line) => JSON.parse(line)).filter((line) => line.op_name !== undefined);
      const roots = calls.filter(({ parent_id }) => parent_id === null).map(({ id }) => id);
      expect(roots.sort()).toEqual(plan.evaluations.map(({ id }) => id).sort());
      for (const { parent_id } of calls) if (parent_id !== null) expect(roots).toContain(parent_id);
      // Of a sample that was answered and never judged, the answer is kept.
      const failed = calls.filter(({ exception }) => exception !== null && kind !== "oaieval");
      for (const { output } of failed) expect(output.output).toBeNull();
    });
  },
);

test("the kinds that a command line names are those that there is an importer for, and calls", () => {
  const importers = IMPORTERS.map(({ name, title }) => ({ name, title }));
  expect(IMPORT_KINDS.filter(({ name }) => name !== "weave")).toEqual(importers);
});

test("a file that is given twice, or copied, is taken once", async () => {
  for (const { files } of FIXTURES) {
    const copies = files.map((file) => ({ ...file, path: `copy/${file.path}` }));
    const [once, twice] = [await imported(files), await imported([...files, ...copies])];
    // What only its folder names is another run.
    if (twice.plan.evaluations.length > once.plan.evaluations.length) continue;
    expect(twice.plan.notes.join("\n")).toContain("it is taken once");
    expect(twice.lines).toEqual(once.lines);
  }
});
