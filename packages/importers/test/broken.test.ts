// Files that are broken, hostile or not what they seem: a sentence, never a crash, a hang or half an evaluation.

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesFile, type ImportFile, planImport } from "../src/index.ts";
import { FIXTURES, zstandardZip } from "./fixtures.ts";
import { imported, textFile } from "./support.ts";

const RUNS = Number(process.env["ASSAY_RUNS"] ?? 150);
const SEED = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

/** Why the one file was not taken. */
async function refusal(file: ImportFile): Promise<string> {
  const { evaluations, refused } = await planImport([file]);
  expect(evaluations).toEqual([]);
  expect(refused).toHaveLength(1);
  return refused[0]!.reason;
}

/** A file of `size` bytes that begins with a text and goes on with one letter, and takes no memory. */
function longFile(path: string, start: string, size: number): ImportFile {
  const head = new TextEncoder().encode(start);
  return {
    path,
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(to - from).fill(0x61);
      if (from < head.length) bytes.set(head.subarray(from, to));
      return bytes;
    },
  };
}

const mutation = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    kind: fc.constantFrom("change" as const, "insert" as const, "double" as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    with: fc.constantFrom(0x00, 0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d, 0x5c, 0x0a, 0x30, 0x39, 0xff, 0x80),
  }),
);

function mutated(
  bytes: Uint8Array,
  changes: readonly { kind: string; at: number; with?: number }[],
): Uint8Array {
  let all = [...bytes];
  for (const { kind, at, with: byte = 0 } of changes) {
    const place = Math.floor(at * all.length);
    if (kind === "cut") all = all.slice(0, place);
    else if (kind === "change") all[place] = byte;
    else if (kind === "insert") all.splice(place, 0, byte);
    else all = [...all.slice(0, place), ...all.slice(Math.max(0, place - 200))];
  }
  return new Uint8Array(all);
}

test("a mutated file of any kind is read whole, or refused with a sentence", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FIXTURES),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async ({ files }, changes) => {
        const [first, ...others] = files as [ImportFile, ...ImportFile[]];
        const bytes = mutated(await first.read(0, first.size), changes);
        const { plan, lines } = await imported([bytesFile(first.path, bytes), ...others]);
        for (const { reason } of plan.refused) expect(reason).toMatch(/^\S.{5,}/s);
        const calls = lines.map((line) => JSON.parse(line)).filter((line) => line.op_name !== undefined);
        for (const { id, trials } of plan.evaluations) {
          expect(calls.filter(({ parent_id }) => parent_id === id)).toHaveLength(trials);
          expect(calls.filter((call) => call.id === id)).toHaveLength(1);
        }
        expect(calls).toHaveLength(plan.evaluations.reduce((sum, { trials }) => sum + trials + 1, 0));
      },
    ),
    { numRuns: RUNS, ...SEED },
  );
}, 60_000);

describe("truncated files", () => {
  test.each(FIXTURES.map((fixture) => [fixture.files[0]!.path, fixture] as const))(
    "%s",
    async (_, { files }) => {
      const [first, ...others] = files as [ImportFile, ...ImportFile[]];
      const bytes = await first.read(0, Math.floor(first.size * 0.7));
      const whole = await planImport(files);
      const cut = await planImport([bytesFile(first.path, bytes), ...others]);
      // A table may be cut behind a line: nothing says how long it was. All else is refused.
      for (const { trials } of cut.evaluations) expect(trials).toBeLessThan(whole.evaluations[0]!.trials + 1);
      if (/json|eval$/.test(first.path) && !first.path.endsWith("jsonl")) expect(cut.evaluations).toEqual([]);
    },
  );
});

test("a gzip bomb ends as a sentence", async () => {
  const reason = await refusal(bytesFile("bomb.jsonl.gz", new Uint8Array(gzipSync(bomb()))));
  expect(reason).toMatch(/more than \d+ bytes when it is decompressed|longer than/);
}, 60_000);

test("a zip bomb ends as a sentence", async () => {
  const entries = { "header.json": new TextEncoder().encode("{}"), "samples/1_epoch_1.json": bomb() };
  const header = JSON.stringify({ status: "success", eval: { task: "t", model: "m" } });
  const zip = zipSync({ ...entries, "header.json": new TextEncoder().encode(header) });
  expect(zip.length).toBeLessThan(2_000_000);
  expect(await refusal(bytesFile("bomb.eval", zip))).toMatch(/bytes/);
}, 60_000);

test("a Zstandard frame that asks for gigabytes of memory is refused before they are set aside", async () => {
  const zip = zstandardZip({ "header.json": '{"status":"success","eval":{"task":"t"}}' });
  // The frame's header: no single segment, and a window of two gigabytes.
  const at = zip.findIndex(
    (_, i) => zip[i] === 0x28 && zip[i + 1] === 0xb5 && zip[i + 2] === 0x2f && zip[i + 3] === 0xfd,
  );
  zip[at + 4] = 0x00;
  zip[at + 5] = 0xa8;
  expect(await refusal(bytesFile("window.eval", zip))).toMatch(/bytes of memory/);
});

test.each([
  ["lines.jsonl", '{"doc_id": 1, "doc": {}, "resps": [], "filter": "'],
  ["list.json", '[{"generator_2": "m", "preference": 1, "instruction": "'],
  ["document.json", '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": "'],
  ["table.csv", 'question,answer,correct\nq,a,1\nq,"'],
])(
  "a file with a line of a gigabyte (%s) is refused",
  async (path, start) => {
    const heap = process.memoryUsage().rss;
    expect(await refusal(longFile(path, start, 2 ** 30))).toMatch(/longer than|breaks off/);
    expect(process.memoryUsage().rss - heap).toBeLessThan(900 * 2 ** 20);
  },
  60_000,
);

test("text that is not UTF-8 is refused, and says what would be right", async () => {
  const latin = new Uint8Array([
    ...new TextEncoder().encode("question,answer,correct\nq,"),
    0xe9,
    0x2c,
    0x31,
    0x0a,
  ]);
  expect(await refusal(bytesFile("latin.csv", latin))).toMatch(/not UTF-8 .* save it as UTF-8/);
});

test("a table in UTF-16, as spreadsheets save it, is read", async () => {
  const text = "\ufeffquestion,answer,correct\nq,é,true\n";
  const bytes = new Uint8Array(
    [...text].flatMap((one) => [one.charCodeAt(0) & 0xff, one.charCodeAt(0) >> 8]),
  );
  const { plan } = await imported([bytesFile("sheet.csv", bytes)]);
  expect(plan.evaluations.map(({ trials, scores }) => [trials, scores[0]!.type])).toEqual([[1, "boolean"]]);
});

test("a file of no kind names the kinds that are", async () => {
  const reasons = [
    await refusal(textFile("package.json", '{"name": "x", "version": "1"}')),
    await refusal(bytesFile("picture.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))),
    await refusal(textFile("empty.csv", "")),
  ];
  for (const reason of reasons) expect(reason).toMatch(/Inspect AI.*lm-evaluation-harness.*table/);
});

test("values that nest too deep are refused", async () => {
  const deep = `{"question": ${"[".repeat(5000)}${"]".repeat(5000)}, "answer": "a", "correct": true}\n`;
  expect(await refusal(textFile("deep.jsonl", deep + deep))).toMatch(/nested deeper/);
});

test("a file that changes between the two readings leaves no evaluation", async () => {
  const [whole, less] = ["a,b", "a"].map(
    (rows) =>
      `question,answer,correct\n${rows
        .split(",")
        .map((q) => `${q},x,1\n`)
        .join("")}`,
  );
  let text = whole!;
  const file: ImportFile = {
    path: "moving.csv",
    size: whole!.length,
    read: async (from, to) => new TextEncoder().encode(text.padEnd(whole!.length, "\n")).subarray(from, to),
  };
  const plan = await planImport([file]);
  text = less!;
  const roots: unknown[] = [];
  await expect(async () => {
    for await (const { calls } of plan.batches({ project: "me/demo" })) {
      roots.push(...calls.filter(({ parent_id }) => parent_id === null));
    }
  }).rejects.toThrow("moving.csv: changed while it was imported");
  expect(roots).toEqual([]);
});

/** A hundred and forty megabytes of one letter, in a line. */
function bomb(): Uint8Array {
  const bytes = new Uint8Array(140 * 2 ** 20).fill(0x61);
  bytes.set(new TextEncoder().encode('{"doc_id":1,"doc":{},"resps":[],"filter":"x'));
  return bytes;
}
