// Broken, hostile or misleading files: each is refused with a sentence, never with a crash, a hang or half an
// evaluation.

import { gzipSync } from "node:zlib";
import type { Json } from "@assay/base";
import { cases } from "@assay/testing/cases";
import {
  FIXTURES,
  fromBase64,
  ZSTD_PARQUET,
  zipOfFrames,
  zstandardZip,
} from "@assay/testing/import-fixtures";
import { withShadowedMethods } from "@assay/testing/replaced-values";
import { textFile } from "@assay/testing/text-file";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { zipEntries } from "../src/files/zip-entries.ts";
import { bytesFile, type ImportFile, type ImportOptions, planImport } from "../src/index.ts";
import { IMPORT_KINDS } from "../src/options/import-kinds.ts";
import { brokenImports } from "./fuzz-target.ts";
import { endlessFile, mutatedFile } from "./mutated-file.ts";
import { imported, written } from "./support.ts";

const RUNS = cases(300);
const SEED = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

/** The reason why the only file was refused. */
async function refusal(file: ImportFile, options: ImportOptions = {}): Promise<string> {
  const { evaluations, refused } = await planImport([file], options);
  expect(evaluations).toEqual([]);
  expect(refused).toHaveLength(1);
  return refused[0]!.reason;
}

function longFile(path: string, start: string, size: number): ImportFile {
  return endlessFile(path, new TextEncoder().encode(start), size);
}

/** The bytes of a fixture. */
async function parquet(name: string): Promise<Uint8Array> {
  const { files } = FIXTURES.find(({ files: [file] }) => file!.path === name)!;
  return (await files[0]!.read(0, files[0]!.size)).slice();
}

test.each(["long.parquet", "nested.parquet"])(
  "%s with other bytes is read completely, or refused with a sentence",
  async (name) => {
    const whole = await parquet(name);
    const other = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(other, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = whole.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        const { refused } = await planImport([bytesFile("t.parquet", bytes)]);
        for (const { reason } of refused) expect(reason).toMatch(/^[^\n]{5,400}$/);
      }),
      { numRuns: RUNS, ...SEED },
    );
  },
);

test("a broken file of any format is read completely, or refused with a sentence", async () => {
  await fc.assert(brokenImports(false), { numRuns: RUNS, ...SEED });
});

test("values with members named like methods are read or refused, wherever they are", {
  tags: ["long"],
}, async () => {
  for (const { files } of FIXTURES)
    for (const [place, file] of files.entries()) {
      if (!/jsonl?$/.test(file.path) || file.size > 64 * 1024) continue;
      const text = new TextDecoder().decode(await file.read(0, file.size));
      const [first, ...others] = parsed(text) === undefined ? text.split("\n") : [text];
      for (const value of withShadowedMethods(parsed(first!) ?? null)) {
        const changed = textFile(file.path, [JSON.stringify(value), ...others].join("\n"));
        await imported(files.map((one, i) => (i === place ? changed : one)));
      }
    }
});

/** The value of JSON text; undefined if it is not valid. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

test("every file is read or refused as every format", { tags: ["long"] }, async () => {
  for (const { files } of FIXTURES)
    for (const { name: from } of IMPORT_KINDS) {
      const { plan } = await imported(files, { from });
      for (const { reason } of plan.refused) expect(reason).toMatch(/^(?!.*undefined)\S.{5,}/s);
    }
});

describe("truncated files", () => {
  test.each(FIXTURES.map((fixture) => [fixture.files[0]!.path, fixture] as const))(
    "%s",
    async (_, { files }) => {
      const [first, ...others] = files as [ImportFile, ...ImportFile[]];
      const bytes = await first.read(0, Math.floor(first.size * 0.7));
      const whole = await planImport(files);
      const cut = await planImport([bytesFile(first.path, bytes), ...others]);
      // A table truncated at the end of a line still imports, because nothing states its length. Truncated JSON
      // documents and archives are refused.
      const trials = ({ evaluations }: typeof whole) => evaluations.reduce((sum, one) => sum + one.trials, 0);
      expect(trials(cut)).toBeLessThanOrEqual(trials(whole));
      if (/json|eval$/.test(first.path) && !first.path.endsWith("jsonl")) expect(cut.evaluations).toEqual([]);
    },
  );
});

test("a gzip bomb is refused with a sentence", { tags: ["long"] }, async () => {
  const reason = await refusal(bytesFile("bomb.jsonl.gz", new Uint8Array(gzipSync(bomb()))));
  expect(reason).toMatch(/more than \d+ bytes after decompression|longer than/);
});

test.each([
  ["repeats a text", `c: d\na: &a ${"x".repeat(2 ** 20)}\nb: [${"*a, ".repeat(200)}]\n`],
  [
    "multiplies lists",
    Array.from({ length: 12 }, (_, i) => `k${i + 1}: &k${i + 1} [${`*k${i}, `.repeat(9)}]\n`)
      .join("")
      .replace(/^/, "k0: &k0 x\n"),
  ],
  ["contains itself", "a: &a [*a]\nb: c\n"],
])("YAML whose alias %s is refused with a sentence", async (_, text) => {
  expect(
    await refusal(bytesFile("bomb.yaml", new TextEncoder().encode(text)), { from: "promptfoo" }),
  ).toMatch(/aliases repeat too much|nresolved alias/);
});

test("a zip bomb is refused with a sentence", { tags: ["long"] }, async () => {
  const entries = { "header.json": new TextEncoder().encode("{}"), "samples/1_epoch_1.json": bomb() };
  const header = JSON.stringify({ status: "success", eval: { task: "t", model: "m" } });
  const zip = zipSync({ ...entries, "header.json": new TextEncoder().encode(header) });
  expect(zip.length).toBeLessThan(2_000_000);
  expect(await refusal(bytesFile("bomb.eval", zip))).toMatch(/bytes/);
});

test.each([0, 1, 999, 1001, 2 ** 31])(
  "an entry of a thousand bytes is read although its stated size is %i",
  async (stated) => {
    const zip = zipSync({ one: new TextEncoder().encode("long".repeat(250)) });
    const directory = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    new DataView(zip.buffer, zip.byteOffset).setUint32(directory + 24, stated, true);
    const [entry] = await zipEntries(bytesFile("stated.zip", zip));
    const read: Uint8Array[] = [];
    for await (const piece of entry!.pieces()) read.push(piece);
    expect(Buffer.concat(read).toString()).toBe("long".repeat(250));
  },
);

test("a Zstandard frame that asks for gigabytes of memory is refused before they are allocated", async () => {
  const zip = zstandardZip({ "header.json": '{"status":"success","eval":{"task":"t"}}' });
  // The frame's header: not a single segment, and a window of two gigabytes.
  const at = zip.findIndex(
    (_, i) => zip[i] === 0x28 && zip[i + 1] === 0xb5 && zip[i + 2] === 0x2f && zip[i + 3] === 0xfd,
  );
  zip[at + 4] = 0x00;
  zip[at + 5] = 0xa8;
  expect(await refusal(bytesFile("window.eval", zip))).toMatch(/bytes of memory/);
});

describe("Zstandard frames of run-length blocks", () => {
  const KIB = 1024;
  test("the largest valid blocks", { tags: ["long"] }, () =>
    isRefused(128 * KIB, 1 / 8, /more than \d+ bytes after decompression|not a table/),
  );
  test.each([
    ["blocks above the size limit", 2048 * KIB - 1, 8, /a block of 2097151 bytes/],
    ["blocks of one byte in the largest window", 1, 128, /take too long/],
  ])("%s", (_, block, window, why) => isRefused(block, window, why));
  async function isRefused(block: number, window: number, why: RegExp): Promise<void> {
    const frame = runs({ block, window, count: 500_000 });
    const files = { table: frame, inspect: zipOfFrames({ "header.json": frame }) };
    for (const [from, bytes] of Object.entries(files)) {
      const [heap, cpu] = [process.memoryUsage().rss, process.cpuUsage()];
      expect(await refusal(bytesFile("bomb", bytes), { from })).toMatch(why);
      expect(process.memoryUsage().rss - heap).toBeLessThan(600 * 2 ** 20);
      expect(process.cpuUsage(cpu).user).toBeLessThan(20e6);
    }
  }

  test("in a page of a Parquet file", async () => {
    const bytes = fromBase64(ZSTD_PARQUET);
    const whole = await planImport([bytesFile("page.parquet", bytes)]);
    expect(whole.evaluations.map(({ rows }) => rows)).toEqual([2]);
    const at = Buffer.from(bytes).indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    bytes.set(runs({ block: 128 * KIB, window: 1, count: 20 }), at);
    expect(await refusal(bytesFile("page.parquet", bytes))).toMatch(/more than the stated \d+ bytes/);
  });
});

test.each([
  ["lines.jsonl", '{"doc_id": 1, "doc": {}, "resps": [], "filter": "'],
  ["list.json", '[{"generator_2": "m", "preference": 1, "instruction": "'],
  ["document.json", '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": "'],
  ["table.csv", 'question,answer,correct\nq,a,1\nq,"'],
  ["number.json", '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": 0'],
])("a file with a gigabyte-long line (%s) is refused", { tags: ["long"] }, async (path, start) => {
  const heap = process.memoryUsage().rss;
  expect(await refusal(longFile(path, start, 2 ** 30))).toMatch(/longer than|truncated/);
  expect(process.memoryUsage().rss - heap).toBeLessThan(900 * 2 ** 20);
});

describe("inputs found by fuzzing are refused with a sentence, or read completely", () => {
  test.each([
    ["a page whose header lacks its lengths", "drop", 0.010152284263959392, /does not state its length/],
    ["metadata that start twice", "double", 0.7969543147208121, /are not valid/],
  ] as const)("in a Parquet file, %s", async (_, kind, at, why) => {
    const file = bytesFile("long.parquet", await parquet("long.parquet"));
    expect(await refusal(await mutatedFile(file, [{ kind, at }]))).toMatch(why);
  });
  test.each<[string, readonly (readonly [at: number, byte: number])[], RegExp]>([
    [
      "a run of a billion values",
      [
        [390, 44],
        [870, 180],
        [1496, 79],
      ],
      /a run of \d+ values in a page of 120/,
    ],
    [
      "a column missing from the schema",
      [
        [261, 177],
        [634, 113],
        [1555, 221],
      ],
      /element not found/,
    ],
    ["a group with a negative number of columns", [[1050, 1]], /not valid|not found/],
  ])("in a nested Parquet file, %s", async (_, changes, why) => {
    const bytes = await parquet("nested.parquet");
    for (const [at, byte] of changes) bytes[at] = byte;
    expect(await refusal(bytesFile("t.parquet", bytes))).toMatch(why);
  });
  const log = (epoch: unknown) =>
    JSON.stringify({
      status: "success",
      eval: { task: ["caps"], model: "m", created: "+275760-09-13T00:00:00.000Z" },
      samples: [{ id: 1, epoch, input: "q", scores: { match: { value: 1 } } }],
    }).replace('["caps"]', '"caps"');
  test.each<[string, string, string, object?]>([
    ["a split table without columns", "t.json", '{"columns":null,"data":[["a"]]}', { from: "table" }],
    ["a repetition beyond the latest valid date", "a.json", log(1e308)],
    [
      "a column named like a property of every object",
      "t.jsonl",
      '{"question":"a","answer":"b","correct":1,"constructor":1}\n{"question":"c","answer":"d","correct":1}\n',
    ],
    [
      "values with members named like methods",
      "t.jsonl",
      '{"question":{"toString":1},"answer":[{"toString":1,"valueOf":2}],"correct":1}\n'.repeat(2),
    ],
    [
      "a run whose id is an object",
      "run.json",
      '{"id":{"toString":1},"data_source":{},"eval_id":"e","result_counts":{}}',
    ],
    [
      "a time outside the calendar",
      "results.json",
      '{"numTotalTestSuites":1,"startTime":1e308,"testResults":[]}',
    ],
  ])("%s", async (_, path, text, options = {}) => {
    const { plan } = await imported([textFile(path, text)], options);
    for (const { reason } of plan.refused) expect(reason).toMatch(/^\S.{5,}/s);
    expect(plan.evaluations.length + plan.refused.length).toBeLessThan(2);
  });
});

test.each([
  ["at once", [0xe9, 0x78], 0],
  ["after multi-byte characters", [...new TextEncoder().encode("é漢😀"), 0xff, 0x78], 9],
  ["in the middle of a character", [0x61, 0xe6, 0xbc, 0x78], 1],
  ["at the end of the file", [0x61, 0x62, 0xe6, 0xbc], 2],
])("the position of invalid UTF-8 is given: %s", async (_, bytes, place) => {
  const start = new TextEncoder().encode("id,model,correct\n1,");
  const file = bytesFile("t.csv", Uint8Array.from([...start, ...bytes]));
  expect(await refusal(file, { from: "table" })).toBe(
    `not UTF-8 text after byte ${start.length + place}; save it as UTF-8`,
  );
});

test("text that is not UTF-8 is refused with advice to save it as UTF-8", async () => {
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

test("a file of unknown format is refused with a pointer to the list of formats, and an empty one as empty", async () => {
  const reasons = [
    await refusal(textFile("package.json", '{"name": "x", "version": "1"}')),
    await refusal(bytesFile("picture.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))),
  ];
  for (const reason of reasons)
    expect(reason).toMatch(/^unknown format; assay import --help lists the formats/);
  expect(await refusal(textFile("empty.csv", ""))).toBe("empty file");
});

test("values nested too deeply are refused", async () => {
  const deep = `{"question": ${"[".repeat(5000)}${"]".repeat(5000)}, "answer": "a", "correct": true}\n`;
  expect(await refusal(textFile("deep.jsonl", deep + deep))).toMatch(/nested deeper/);
});

test("an import writes what it read, even if the file has changed since", async () => {
  let text = "question,answer,correct\na,x,1\nb,x,1\n";
  const file: ImportFile = {
    path: "moving.csv",
    size: text.length,
    read: async (from, to) => new TextEncoder().encode(text).subarray(from, to),
  };
  const plan = await planImport([file]);
  const before = await written(plan);
  text = text.replaceAll("x", "y");
  expect(await written(plan)).toEqual(before);
  expect(before.calls.map(({ parent_id }) => parent_id === null)).toEqual([false, false, true]);
});

interface Runs {
  /** The decompressed bytes of each block. */
  readonly block: number;
  /** The frame's window in mebibytes. */
  readonly window: number;
  readonly count: number;
}

/** A Zstandard frame of run-length blocks of spaces. */
function runs({ block, window, count }: Runs): Uint8Array {
  const bytes = new Uint8Array(6 + count * 4);
  bytes.set([0x28, 0xb5, 0x2f, 0xfd, 0x00, (10 + Math.log2(window)) << 3]);
  for (let i = 0; i < count; i++) {
    const header = (block << 3) | 2 | (i === count - 1 ? 1 : 0);
    bytes.set([header & 0xff, (header >> 8) & 0xff, header >> 16, 0x20], 6 + i * 4);
  }
  return bytes;
}

/** A line of 140 megabytes, all of one letter. */
function bomb(): Uint8Array {
  const bytes = new Uint8Array(140 * 2 ** 20).fill(0x61);
  bytes.set(new TextEncoder().encode('{"doc_id":1,"doc":{},"resps":[],"filter":"x'));
  return bytes;
}

test("an invalid file or format name is a TypeError that explains it", async () => {
  const csv = textFile("a.csv", "question,model,correct\n1,a,true\n");
  await expect(planImport([csv], { from: "tabel" })).rejects.toThrow(
    /no format is called "tabel"; available: weave, /,
  );
  const dropped = [csv, new File(["question,model,correct"], "b.csv")] as unknown as ImportFile[];
  await expect(planImport(dropped)).rejects.toThrow("file 1 must be made with blobFile or bytesFile");
  expect(() => bytesFile("a.csv", "question" as unknown as Uint8Array)).toThrow(
    "the bytes of a.csv must be a Uint8Array",
  );
});
