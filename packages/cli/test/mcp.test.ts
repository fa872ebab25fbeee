// assay mcp as an agent uses it: the built command, and the client of the official SDK.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtServer } from "@assay/testing/server";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partAt, truncate } from "../src/mcp/truncate.ts";
import { assay } from "./run-in-process.ts";

const COMMAND = fileURLToPath(new URL("../bundle/assay.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "assay-mcp-"));
const data = join(home, "data");
const PAGE = readFileSync(new URL("../../../docs/how-to/mcp.md", import.meta.url), "utf8");
const EXAMPLE = fileURLToPath(new URL("../../../examples/units-parser/data/", import.meta.url));

/** A client of the command, with these options. */
async function clientOf(args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, "mcp", ...args] }),
  );
  return client;
}

interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

async function ask(client: Client, name: string, args: object): Promise<Answer> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
  const [{ text }] = content as [{ readonly text: string }];
  return { text, failed: isError === true };
}

async function json<T>(client: Client, name: string, args: object): Promise<T> {
  const { text, failed } = await ask(client, name, args);
  expect([failed, text.length < 40_000]).toEqual([false, true]);
  return JSON.parse(text) as T;
}

const LONG = "a long answer 😀 ".repeat(1500);

beforeAll(async () => {
  const root = { id: "long", op_name: "Evaluation.evaluate", display_name: "long", inputs: {} };
  const rows = Array.from({ length: 40 }, (_, n) => ({
    id: `long-${n}`,
    parent_id: "long",
    op_name: "Evaluation.predict_and_score",
    started_at: "2026-01-01T00:00:00Z",
    inputs: { example: { n } },
    output: {
      output: { text: LONG, list: Array.from({ length: 3000 }, (_, i) => i) },
      scores: { correct: n % 2 === 0 },
    },
  }));
  const file = join(home, "calls.jsonl");
  const lines = [{ ...root, started_at: "2026-01-01T00:00:00Z" }, ...rows];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const imports = [
    ["acme/long", file],
    ["acme/units", join(EXAMPLE, "calls.jsonl.gz"), "--rows", join(EXAMPLE, "rows.jsonl.gz")],
  ];
  for (const args of imports) {
    const { exitCode, stderr } = await assay(["import", ...args, "--data", data]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface QueryAnswer {
  readonly evaluations: readonly {
    readonly name: string;
    readonly scores: { readonly [name: string]: object };
  }[];
  readonly total_rows: number;
  readonly rows: readonly { readonly row: string }[];
  readonly more?: string;
}

describe("on a data directory", () => {
  let client: Client;
  beforeAll(async () => {
    client = await clientOf(["--data", data]);
  });
  afterAll(() => client.close());

  test("every tool describes itself and its arguments, and declares that it only reads", async () => {
    const { tools } = await client.listTools();
    const documented = [...PAGE.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(tools.map(({ name }) => name)).toEqual(documented);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\w{4}.*\.$/);
      expect(annotations?.readOnlyHint).toBe(true);
      for (const argument of Object.values(inputSchema.properties ?? {}))
        expect(argument).toHaveProperty("description");
    }
    expect(client.getServerVersion()?.name).toBe("assay");
    expect(client.getInstructions()).toContain("never instructions");
  });

  test("projects and evaluations are listed in pages that explain how to continue", async () => {
    const first = await json<{ projects: { project: string }[]; more?: string }>(client, "list_projects", {
      limit: 1,
    });
    expect(first.projects.map(({ project }) => project)).toEqual(["acme/long"]);
    expect(first.more).toBe("1 more projects: the same with offset 1");
    const listed = await json<{ evaluations: { name: string }[]; more?: string }>(
      client,
      "list_evaluations",
      {
        project: "acme/units",
      },
    );
    expect(listed.evaluations.map(({ name }) => name)).toEqual(["units_v3", "units_v2", "units_v1"]);
    expect(listed.more).toBeUndefined();
  });

  test("a query in words has the command's answer, one page at a time", async () => {
    const project = "acme/units";
    const asked = {
      project,
      evaluations: ["units_v2", "units_v3"],
      where: ['inputs.kind = "prefixed"'],
      limit: 5,
    };
    const first = await json<QueryAnswer>(client, "query", asked);
    const flags = [...asked.evaluations, "--where", asked.where[0]!, "--limit", "7", "--data", data];
    const { stdout } = await assay(["query", project, ...flags]);
    const whole = JSON.parse(stdout) as { total_rows: number; rows: { row_digest: string }[] };
    expect(first.total_rows).toBe(whole.total_rows);
    expect(first.more).toBe(`${whole.total_rows - 5} more rows: the same query with offset 5`);
    const second = await json<QueryAnswer>(client, "query", { ...asked, limit: 2, offset: 5 });
    expect([...first.rows, ...second.rows].map(({ row }) => row)).toEqual(
      whole.rows.map(({ row_digest }) => row_digest),
    );
    expect(first.evaluations.map(({ name }) => name)).toEqual(["units_v2", "units_v3"]);
    expect(first.evaluations[0]!.scores["correct"]).toHaveProperty("pass_rate");
  });

  test("a query as a request body is answered with at most the rows that fit in a message", async () => {
    const body = { evaluation_call_ids: ["long"], limit: 40 };
    const { text } = await ask(client, "query", { project: "acme/long", body, limit: 50 });
    expect(text.length).toBeLessThan(20_000);
    const { rows, total_rows, more } = JSON.parse(text) as QueryAnswer;
    expect(total_rows).toBe(40);
    expect(more).toBe(`${40 - rows.length} more rows: the same query with offset ${rows.length}`);
    expect(text).toContain("more characters: show_row)");
  });

  test("a comparison, slices and a ranking have the command's sentences", async () => {
    const pair = { project: "acme/units", evaluations: ["units_v2", "units_v3"] };
    const { text } = await ask(client, "compare", { ...pair, lower: ["magnitudes_off"] });
    expect(text).toMatch(
      /^units_v3 is better than units_v2 on correct: \+29\.4 points \(95% CI \+21\.6 to \+37\.3\)/,
    );
    expect(text).toMatch(/^correct \| 53\.8%;.*improved/m);
    const slices = await ask(client, "slices", { ...pair, measures: ["correct"], limit: 2 });
    expect(slices.text).toContain("units_v3 is worse where kind is ");
    expect(slices.text).toContain("more are omitted: name fields, or raise the limit");
    const ranking = await ask(client, "rank", { project: "acme/units", measures: ["correct"] });
    expect(ranking.text).toContain("units_v1");
    expect([slices.failed, ranking.failed]).toEqual([false, false]);
  });

  test("names from data stay within their line, and scores and warnings equal those of the command", async () => {
    const trials = ["a\n| b\u001b[31m", "c"].flatMap((name, e) =>
      [true, 0.5, 1, true].map((mixed, n) => ({
        ...{ evaluation: name, id: `q${n}\nx`, half: `h\n${n % 2}`, output: "x" },
        ...{ mixed, label: `${e}`, quality: n / 4 },
      })),
    );
    const file = join(home, "odd.jsonl");
    writeFileSync(file, trials.map((trial) => JSON.stringify(trial)).join("\n"));
    const asked = ["import", "acme/odd", file, "--evaluation", "evaluation", "--row-key", "id"];
    const scores = ["--score", "mixed,label,quality", "--as", "label=text", "--data", data];
    expect(await assay([...asked, ...scores])).toMatchObject({ exitCode: 0 });
    const project = "acme/odd";
    for (const [tool, more] of [
      ["compare", {}],
      ["slices", { fields: ["inputs.half"], measures: ["quality"] }],
      ["rank", { measures: ["quality"] }],
    ] as const) {
      const { text, failed } = await ask(client, tool, { project, ...more });
      expect([tool, failed]).toEqual([tool, false]);
      const table = text.split("\n").filter((line) => line.includes(" | "));
      expect(table.length).toBeGreaterThan(2);
      expect(text).not.toMatch(/^\| b|^x|^\d$/m);
      expect(text).not.toContain("\u001b");
    }
    const { evaluations } = await json<QueryAnswer>(client, "query", { project });
    expect(evaluations[0]!.scores).toMatchObject({
      mixed: { mean: 0.875, of: 4 },
      label: { texts: 4 },
    });
    const none = await json<{ notes: readonly string[] }>(client, "query", {
      project,
      where: "inputs.half > 3",
    });
    expect(none.notes).toEqual(["inputs.half is never a number, but is compared with 3"]);
  });

  test("a long row is cut, and all of it can be read in parts", async () => {
    const asked = { project: "acme/long", row: "inputs.n = 7" };
    const { text } = await ask(client, "show_row", asked);
    expect(text.length).toBeLessThan(24_001);
    const at = "/evaluations/0/trials/0/model_output/text";
    expect(text).toContain(`show_row with part ${JSON.stringify(JSON.stringify(at)).slice(1, -1)}, from `);
    let whole = "";
    const rest = /… \([\d,]+ more characters: show_row with part ".*", from (\d+)\)$/;
    let from: number | undefined = 0;
    while (from !== undefined) {
      const piece: string = await json<string>(client, "show_row", { ...asked, part: at, from });
      whole += piece.replace(rest, "");
      const next: RegExpExecArray | null = rest.exec(piece);
      from = next === null ? undefined : Number(next[1]);
    }
    expect(whole).toBe(LONG);
  });

  test("a row has every evaluation's trials with their scores", async () => {
    const row = await json<{ evaluations: { trials: { scores: object }[] }[] }>(client, "show_row", {
      project: "acme/units",
      row: 'inputs.id = "u030"',
    });
    expect(row.evaluations).toHaveLength(3);
    expect(row.evaluations[2]!.trials[0]!.scores).toHaveProperty("correct", false);
  });

  test.each([
    ["list_evaluations", { project: "acme/unit" }, /acme\/unit.*did you mean acme\/units/],
    ["list_evaluations", { project: "units" }, /"units" is not a project; write ENTITY\/PROJECT/],
    ["query", { project: "acme/units", evaluations: ["units_v4"] }, /units_v4.*did you mean/],
    ["query", { project: "acme/units", where: ["inputs.kind ="] }, /\^/],
    ["query", { project: "acme/units", body: { evaluation_call_ids: 7 } }, /evaluation_call_ids/],
    ["compare", { project: "acme/units", evaluations: ["units_v3"] }, /a comparison needs two evaluations/],
    ["compare", { project: "acme/units", measures: ["corect"] }, /corect.*did you mean/s],
    ["show_row", { project: "acme/units", row: "zzz" }, /no row of acme\/units matches "zzz"/],
    ["show_row", { project: "acme/units", row: 'inputs.id = "u030"', part: "/x" }, /no part "\/x"/],
    ["query", { project: "acme/units", limit: 1000 }, /limit/],
  ])("%s %o is refused with a sentence", async (name, args, sentence) => {
    const { text, failed } = await ask(client, name, args);
    expect([failed, text]).toEqual([true, expect.stringMatching(sentence)]);
    expect(text).not.toMatch(/ at .*\.js:\d/);
  });

  test.each([
    [
      "compare",
      { project: "acme/units", measure: "correct" },
      'compare takes no "measure"; did you mean measures?',
    ],
    ["query", { project: "acme/units", filter: "x" }, 'query takes no "filter"; did you mean where?'],
    ["rank", { project: "acme/units", metrics: ["x"] }, 'rank takes no "metrics"; did you mean measures?'],
    ["slices", { project: "acme/units", sort_by: "x" }, 'slices takes no "sort_by"; it takes project, '],
    ["list_projects", { limits: 3 }, 'list_projects takes no "limits"; did you mean limit?'],
    [
      "show_row",
      { project: "acme/units", digest: "x", row: "u" },
      'show_row takes no "digest"; did you mean row?',
    ],
    [
      "query",
      { project: "acme/units", where: ["scores.correct"], offset: 2, body: {} },
      "where, offset must be part of body if you give one",
    ],
  ])("%s %o: an unknown argument is refused, and the nearest one suggested", async (name, args, sentence) => {
    const { text, failed } = await ask(client, name, args);
    expect([failed, text]).toEqual([true, expect.stringContaining(sentence)]);
  });

  test("every tool accepts only its documented arguments, with one name and form across tools", async () => {
    const { tools } = await client.listTools();
    const forms = new Map<string, Set<string>>();
    for (const { name, inputSchema } of tools) {
      expect([name, inputSchema["additionalProperties"]]).toEqual([name, false]);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
        forms.set(argument, (forms.get(argument) ?? new Set()).add((schema as { type: string }).type));
    }
    expect([...forms].filter(([, types]) => types.size > 1)).toEqual([]);
    const both = ["scores.correct", 'inputs.kind = "prefixed"'];
    const pair = { project: "acme/units", evaluations: ["units_v2", "units_v3"] };
    const { text } = await ask(client, "compare", { ...pair, where: both });
    expect(text).toBe(
      (await ask(client, "compare", { ...pair, where: `(${both[0]}) and (${both[1]})` })).text,
    );
  });

  test("concurrent questions are all answered, and imports continue in between", async () => {
    const listed = await Promise.all([1, 2, 3].map(() => ask(client, "list_projects", {})));
    expect(new Set(listed.map(({ text }) => text)).size).toBe(1);
    const { exitCode } = await assay(["import", "acme/long", join(home, "calls.jsonl"), "--data", data]);
    expect(exitCode).toBe(0);
  });
});

// Each case makes one aspect large: names and texts, the number of fields, or the depth.
const LARGE: { readonly [what: string]: (n: number, v: number) => object } = {
  "long names": (n, v) => ({
    inputs: { [`${"\u0001n".repeat(10_000)}${n % 3}`]: n % 3, kind: `${"k".repeat(100_000)}${n % 3}` },
    scores: { [`${'s"'.repeat(10_000)}`]: (n + v) % 2 === 0 },
    output: { ["o".repeat(100_000)]: "x" },
  }),
  "many things": (n, v) => ({
    inputs: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`field ${i}`, `value ${(n * i) % 7}`])),
    scores: Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`a score of some length ${i}`, (n + v) % 2 === 0]),
    ),
    output: Array.from({ length: 5000 }, (_, i) => ({ i })),
  }),
  "deep values": (n, v) => ({
    inputs: { n, tree: tree(3) },
    scores: { right: (n + v) % 2 === 0 },
    output: Array.from({ length: 80 }).reduce<unknown>(
      (inside) => ({ inside: [inside, "\u0002".repeat(300)] }),
      n,
    ),
  }),
};

function tree(depth: number): object {
  return Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`branch ${i}`, depth === 0 ? "\u0001".repeat(40) : tree(depth - 1)]),
  );
}

test("whatever the data, no answer exceeds the documented length, and each is complete", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const large = join(home, "large");
  for (const [i, make] of Object.values(LARGE).entries()) {
    const lines = ["v1", "v2"].flatMap((id, v) => [
      {
        ...{ id, op_name: "Evaluation.evaluate", inputs: {} },
        ...{ display_name: i === 0 ? id.repeat(50_000) : id, started_at: `2026-01-0${v + 1}T00:00:00Z` },
      },
      ...Array.from({ length: 6 }, (_, n) => {
        const { inputs, scores, output } = make(n, v) as { inputs: object; scores: object; output: unknown };
        return {
          ...{ id: `${id}-${n}`, parent_id: id, op_name: "Evaluation.predict_and_score" },
          ...{ inputs: { example: { ...inputs, n } }, output: { output, scores } },
        };
      }),
    ]);
    const file = join(home, `large-${i}.jsonl`);
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { exitCode, stderr } = await assay(["import", `acme/large-${i}`, file, "--data", large]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  }
  const client = await clientOf(["--data", large]);
  const [, promised] = /none has more than ([\d,]+) characters/.exec(PAGE)!;
  const most = Number(promised!.replace(",", ""));
  for (const i of Object.keys(LARGE).keys()) {
    const pair = { project: `acme/large-${i}`, evaluations: ["v1", "v2"] };
    const asked: readonly [tool: string, args: object][] = [
      ["list_projects", { limit: 500 }],
      ["list_evaluations", { project: pair.project, limit: 200 }],
      ["query", { ...pair, limit: 50 }],
      ["compare", pair],
      ["slices", { ...pair, limit: 50, depth: 2 }],
      ["rank", pair],
      ["show_row", { ...pair, row: "inputs.n = 3" }],
      ["show_row", { ...pair, row: "inputs.n = 3", part: "/evaluations/0/trials/0/model_output" }],
      ["query", { ...pair, where: [`${"x".repeat(50_000)} = 1`] }],
    ];
    for (const [tool, args] of asked) {
      const { text } = await ask(client, tool, args);
      expect([tool, i, text.length <= most]).toEqual([tool, i, true]);
      if (/^[{[]/.test(text)) expect(JSON.parse(text)).toBeTypeOf("object");
    }
  }
  await client.close();
});

test("the documented settings of agents start the command", async () => {
  const settings = [...PAGE.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => JSON.parse(text!) as { [key: string]: { assay: { command: string; args: string[] } } },
  );
  const lines = [...PAGE.matchAll(/^(?:claude mcp add|codex mcp add) assay -- assay (.*)$/gm)].map(
    ([, line]) => line!.split(" "),
  );
  const started = [...settings.map((of) => Object.values(of)[0]!.assay.args), ...lines];
  expect(started.length).toBeGreaterThan(3);
  // All are the same command, so one trial covers them.
  expect(new Set(started.map((args) => args.join(" "))).size).toBe(1);
  const [name, ...args] = started[0]!;
  expect(name).toBe("mcp");
  const client = await clientOf(args.map((arg) => arg.replace("/home/me/evals/.assay", data)));
  expect((await ask(client, "list_projects", {})).failed).toBe(false);
  await client.close();
});

test("the same tools work through a server, by its address or its directory", {
  tags: ["long"],
}, async () => {
  const direct = await clientOf(["--data", data]);
  const expected = await ask(direct, "compare", { project: "acme/units" });
  await direct.close();
  const server = await builtServer([], { data });
  for (const args of [
    ["--server", server.url],
    ["--data", data],
  ]) {
    const client = await clientOf(args);
    expect(await ask(client, "compare", { project: "acme/units" })).toEqual(expected);
    await client.close();
  }
});

test("a value is cut only where it is too long", () => {
  const rest = (pointer: string, from: number) => ` at ${pointer} from ${from}`;
  const value = { "a/b": ["1234567", [1, 2, 3]], c: null, d: true };
  expect(truncate(value, { text: 7, items: 3, depth: 9, rest })).toEqual(value);
  expect(truncate(value, { text: 3, items: 2, depth: 9, rest })).toEqual({
    "a/b": ["123… (4 more characters at /a~1b/0 from 3)", [1, 2, "(1 more elements at /a~1b/1 from 2)"]],
    c: null,
    "…": "(1 more fields at  from 2)",
  });
  expect(truncate("ab😀", { text: 3, items: 1, depth: 9, rest })).toBe("ab… (2 more characters at  from 2)");
  expect(partAt(value, "/a~1b/1", 1)).toEqual([2, 3]);
  expect(partAt(value, "/a~1b/0", 5)).toBe("67");
  expect(partAt(value, "/toString", 0)).toBeUndefined();
  expect(partAt(value, "", 2)).toEqual({ d: true });
});
