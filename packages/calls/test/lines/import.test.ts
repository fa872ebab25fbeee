// Importing lines into a store: a bad line affects no other, and no line is lost.

import { jsonText } from "@assay/base";
import { expect, test } from "vitest";
import { memoryStore } from "../../src/index.ts";
import { importCalls, importRows } from "../../src/lines/index.ts";
import { callOf } from "../../src/testing/index.ts";
import { bytesOf, idsOf } from "./support.ts";

const P = "acme/demo";

const line = (id: string, output = 1): string => `${JSON.stringify(callOf(id, "root", { output }))}\n`;

test("bad lines are reported with their number and affect no others", async () => {
  const { calls } = memoryStore();
  const bad: string[] = [];
  const report = await importCalls(
    calls,
    P,
    bytesOf(
      line("a"),
      "{oops\n\n  \n",
      line("b"),
      "[]\n",
      '{"id":5}\n',
      Buffer.from([0x22, 0xff, 0x0a]),
      line("c").trimEnd(),
    ),
    {
      onBadLine: (number, issues) =>
        bad.push(`${number} ${issues.map(({ code, path }) => `${code}:${path}`)}`),
    },
  );
  expect(report).toEqual({ lines: 7, badLines: 4, changed: 3 });
  expect(bad).toEqual(["2 json_invalid:", "6 dict_type:", "7 string_type:id", "8 encoding:"]);
  expect(await idsOf(calls)).toEqual(["a", "b", "c"]);
});

test("importing the same file again changes nothing, and a changed file changes only its changes", async () => {
  const { calls } = memoryStore();
  const lines = Array.from({ length: 20_000 }, (_, i) => line(`c${i}`));
  expect(await importCalls(calls, P, bytesOf(lines.join("")))).toMatchObject({
    changed: 20_000,
  });
  const version = await calls.version(P);
  expect(await importCalls(calls, P, bytesOf(lines.join("")))).toMatchObject({ changed: 0 });
  expect(await calls.version(P)).toBe(version);
  lines[7] = line("c7", 2);
  expect(await importCalls(calls, P, bytesOf(lines.join("")))).toMatchObject({ changed: 1 });
  const outputs: unknown[] = [];
  for await (const trees of (await calls.changes(P, "root", version))!)
    outputs.push(...trees.map((tree) => tree.call.output));
  expect(outputs).toEqual([2]);
});

test("rows are imported by digest or reference, bad ones are reported, and the same rows again change nothing", async () => {
  const { rows } = memoryStore();
  const file = '{"digest":"d","val":{"q":1}}\n{"digest":"d"}\n{"val":1}\n{"digest":"n","val":null,"ref":7}\n';
  const bad: string[] = [];
  const onBadLine = (number: number, [issue]: readonly { readonly code: string }[]) =>
    bad.push(`${number} ${issue!.code}`);
  expect(await importRows(rows, P, bytesOf(file), { onBadLine })).toEqual({
    lines: 4,
    badLines: 3,
    changed: 1,
  });
  expect(bad).toEqual(["2 missing", "3 missing", "4 string_type"]);
  const version = await rows.version(P);
  expect(await importRows(rows, P, bytesOf(file))).toMatchObject({ changed: 0 });
  expect(await rows.version(P)).toBe(version);
});

test("a long line is read like a short one, and refused before it is built if it has too many values", async () => {
  const { calls, rows } = memoryStore();
  const long = "x".repeat(300_000);
  const deep = `${"[".repeat(150_000)}${"]".repeat(150_000)}`;
  const bad: string[] = [];
  const onBadLine = (
    number: number,
    [issue]: readonly { readonly code: string; readonly message: string }[],
  ) => bad.push(`${number} ${issue!.code}: ${issue!.message}`);
  const lines = [
    JSON.stringify(callOf("long", "root", { output: { text: long, list: [1, [2, { three: long }]] } })),
    " ".repeat(300_000),
    JSON.stringify(callOf("deep", "root")).replace('"output":', `"output":${deep},"other":`),
    `[${"{},".repeat(500_000)}{}]`,
    `[${"1,".repeat(200_000)}]`,
    `[${"1,".repeat(200_000)}1]`,
    JSON.stringify(callOf("last", "root")),
  ];
  const report = await importCalls(calls, P, bytesOf(lines.join("\n")), { onBadLine });
  expect(report).toEqual({ lines: 6, badLines: 4, changed: 2 });
  expect(bad).toEqual([
    "3 too_deep: the line is nested deeper than 201 levels",
    "4 too_long: the line has more than 400000 values",
    expect.stringMatching(/^5 json_invalid: not JSON: a syntax error at byte \d+$/),
    "6 dict_type: a call must be a JSON object",
  ]);
  expect(await idsOf(calls)).toEqual(["last", "long"]);

  // Rows keep the notation of their numbers, however long the line is.
  const row = `{"digest":"d","val":{"n":1.0,"text":"${long}","list":[1e5,${"1.0,".repeat(50_000)}2]}}`;
  expect(await importRows(rows, P, bytesOf(row))).toMatchObject({ changed: 1 });
  const [val] = await rows.rows(P, ["d"]);
  expect(jsonText({ digest: "d", val })).toBe(row);
});
