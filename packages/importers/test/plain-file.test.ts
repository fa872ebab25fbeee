// Files in notations of people and spreadsheets give the same as plain ones, and plain ones stay as they are.

import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planImport } from "../src/index.ts";
import { plainFile } from "../src/plain/plain-file.ts";
import { fileHead } from "../src/tables/file-head.ts";

const cell = fc.constantFrom("a", "b c", 'say "x"', "1,5", "x // y", "/* z */", "[p", "q}", "ü|v", ",]");
const record = fc.record({ answer: cell, score: fc.constantFrom(0, 0.5, 1) });
const table = fc
  .array(record, { minLength: 2, maxLength: 5 })
  .map((records) => records.map((one, i) => ({ id: `r${i}`, question: `Q${i}?`, ...one })));

/** What an import of a text would write: answers and scores by row. */
async function written(name: string, text: string) {
  const plan = await planImport([textFile(name, text)]);
  const trials: unknown[] = [];
  for (const lines of plan.lines({ project: "me/demo" }))
    for await (const { bytes } of lines.trials())
      for (const line of new TextDecoder().decode(bytes).trimEnd().split("\n")) {
        const { inputs, output } = JSON.parse(line);
        if (output?.scores !== undefined) trials.push([inputs.example, output.output, output.scores]);
      }
  return plan.refused[0]?.reason ?? trials;
}

const jsonLines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");
const read = async (file: ReturnType<typeof textFile>) => {
  const found = await plainFile(file, await fileHead(file));
  return [found === file, new TextDecoder().decode(await found.read(0, found.size))] as const;
};

test("JSON with comments, needless commas, or documents one after another is read as JSON lines are", async () => {
  const comment = fc.constantFrom("", '// it\'s "so"\n', "/* {[,\n */");
  const separator = fc.constantFrom(",", "\n", " ", ",\n");
  await fc.assert(
    fc.asyncProperty(table, comment, separator, fc.boolean(), async (records, note, between, isList) => {
      const texts = records.map((one) => JSON.stringify(one, null, 1).replace(/\n\}$/, `,${note}\n}`));
      const text = isList ? `${note}[${texts.join(`,${note}`)},\n]` : `${note}${texts.join(between)}`;
      expect(await written("t.json", text)).toEqual(await written("t.json", jsonLines(records)));
    }),
    { numRuns: 80 },
  );
});

test("plain files stay as they are", async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(undefined, 2), async (records, indent) => {
      for (const text of [
        JSON.stringify(records, null, indent),
        JSON.stringify(records[0], null, indent),
        jsonLines(records),
        `id,answer\n${records.map(({ id, answer }) => `${id},"${answer.replaceAll('"', '""')}"\n`).join("")}`,
        `id|answer\n${records.map(({ id }) => `${id}|--\n`).join("")}`,
        `a: |\n  ---\nb: ${records.length}\n`,
        '{"id": 1, "answer": "cut',
        "[{'id': 'http://x'}, ]",
      ])
        expect(await read(textFile("t.x", text))).toEqual([true, text]);
    }),
    { numRuns: 30 },
  );
});

test("tables drawn with vertical lines are read as CSV is", async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom("markdown", "bare", "psql", "box"), async (records, form) => {
      const escaped = (text: unknown) => String(text).replaceAll("|", "\\|");
      const rows = [Object.keys(records[0]!), ...records.map((one) => Object.values(one).map(escaped))];
      const line = (cells: readonly unknown[]) => cells.join(" | ");
      const piped = rows.map((cells) =>
        form === "bare" || form === "psql" ? ` ${line(cells)}` : `| ${line(cells)} |`,
      );
      const dashes = rows[0]!.map(() => "---");
      const border = `+${dashes.join("+")}+`;
      const [head, ...body] = piped;
      const text = {
        markdown: ["## Results", "", head, `|${dashes.join(":|")}|`, ...body],
        bare: [head, dashes.join("|"), ...body],
        psql: [head, dashes.join("+"), ...body, "(2 rows)"],
        box: [border, head, border, ...body, border],
      }[form].join("\n");
      const csv = rows.map((cells) =>
        cells.map((one) => `"${String(one).replaceAll("\\|", "|").replaceAll('"', '""')}"`).join(","),
      );
      expect(await written("t.md", text)).toEqual(await written("t.csv", csv.join("\n")));
    }),
    { numRuns: 60 },
  );
});

test("column names in two lines are joined, and lines keep their numbers", async () => {
  const models = fc.constantFrom(["small", "large"], ["Model A", "Model B", "Model C"]);
  await fc.assert(
    fc.asyncProperty(models, fc.boolean(), fc.boolean(), async (names, isMerged, isBelow) => {
      const ids = ["id", "question"];
      const above = names.flatMap((name) => [name, isMerged ? "" : name]);
      const below = names.flatMap(() => ["answer", "score"]);
      const [first, second] = isBelow ? [["", ""], ids] : [ids, ["", ""]];
      const rows = [0, 1].map((i) => [i, `Q${i}?`, ...names.flatMap((_, m) => ["a", (i + m) % 2])]);
      const text = [[...first, ...above], [...second, ...below], ...rows]
        .map((row) => row.join(","))
        .join("\n");
      const joined = names.flatMap((name) => [`${name}_answer`, `${name}_score`]);
      const plain = [[...ids, ...joined], [], ...rows].map((row) => row.join(",")).join("\n");
      expect(await written("t.csv", text)).toEqual(await written("t.csv", plain));
      expect(await written("t.csv", `${text}\n9,Q9?`)).toBe(await written("t.csv", `${plain}\n9,Q9?`));
    }),
    { numRuns: 20 },
  );
});

test("columns of several levels, as pandas writes them, have the names of the index", async () => {
  const pivot =
    "model,answer,answer,score,score\n,small,large,small,large\nid,,,,\nq1,a,b,1,0\nq2,c,d,0,1\n".replace(
      "model,answer",
      ",answer",
    );
  const plain = "id,answer_small,answer_large,score_small,score_large\nq1,a,b,1,0\nq2,c,d,0,1\n";
  expect(await written("t.csv", pivot)).toEqual(await written("t.csv", plain));
});

test.each([
  ["t.md", "Text\n\n| id | answer |\n|---|---|\n| 1 | a |\n", /only the table/],
  ["t.html", "<!DOCTYPE html>\n<table><tr><td>1</td></tr></table>", /a page in HTML/],
  ["t.csv", "id,1,2,3\nquestion,Q?,R?,S?\nanswer,a,b,c\nscore,1,0,1\n", /transpose the table/],
])("%s is refused with what would be right", async (name, text, reason) => {
  expect(await written(name, text)).toMatch(reason);
});
