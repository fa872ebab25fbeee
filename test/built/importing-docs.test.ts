// Runs the walkthroughs of docs/how-to/importing.md, docs/how-to/from-openai-evals.md and docs/tutorials/from-csv.md:
// the built command must print what the pages show. ASSAY_UPDATE_DOCUMENTS=1 updates the pages with the current output:
// review the diff.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { assay } from "@assay/testing/command";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const PAGES = ["how-to/importing.md", "how-to/from-openai-evals.md", "tutorials/from-csv.md"].map(
  (path) => new URL(`../../docs/${path}`, import.meta.url),
);
const [page, openai, tutorial] = PAGES.map((path) => readFileSync(path, "utf8")) as [string, string, string];
let home: string;

/** The commands of a page, with the output that the page shows. */
function commandsOf(text: string): readonly (readonly [string, string])[] {
  const blocks = text.matchAll(/^```sh\nassay (.*)\n```\n\n```text\n([\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, command, printed]) => [command!, printed!]);
}

const commands = commandsOf(page);

/** Runs a command of a page, and checks its output against the page. */
async function prints(command: string, printed: string): Promise<void> {
  const args = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
  const { exitCode, stdout, stderr } = await assay(args, { cwd: home });
  expect([exitCode, stderr]).toEqual([0, ""]);
  const steady = stdout.replace(/ in [\d.]+ s;/, " in 0.1 s;");
  if (process.env["ASSAY_UPDATE_DOCUMENTS"] === "1") updatePages(printed, steady);
  else expect(steady).toBe(printed);
}

function updatePages(before: string, now: string): void {
  for (const path of PAGES)
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(`\`\`\`text\n${before}\`\`\``, () => `\`\`\`text\n${now}\`\`\``),
    );
}

const ROWS = [
  ["fr", "What is the capital of France?", "Paris"],
  ["pe", "What is the capital of Peru?", "Lima"],
  ["ke", "What is the capital of Kenya?", "Nairobi"],
] as const;

/** An output item of OpenAI's Evals API. */
function outputItem(model: string, row: number, answer: string, similarity: number): string {
  const [id, question, expected] = ROWS[row]!;
  const passed = answer === expected;
  return JSON.stringify({
    id: `outputitem_${model}_${id}`,
    object: "eval.run.output_item",
    created_at: 1790000000,
    run_id: `evalrun_${model}`,
    eval_id: "eval_capitals",
    status: passed ? "pass" : "fail",
    datasource_item_id: row,
    datasource_item: { id, question, expected },
    results: [
      { name: "exact-8ddb6042", type: "string-check-grader", passed, score: Number(passed) },
      {
        name: "similarity-556aae65",
        type: "text-similarity-grader",
        passed: similarity >= 0.5,
        score: similarity,
      },
    ],
    sample: {
      output: [{ role: "assistant", content: answer }],
      model,
      usage: { total_tokens: 50 },
      error: { code: "", message: "" },
    },
  });
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "assay-importing-"));
  const answers = /^```csv\n([\s\S]*?)^```$/m.exec(page)![1]!;
  writeFileSync(join(home, "answers.csv"), answers);
});

afterAll(async () => {
  rmSync(home, { recursive: true });
});

/** The part of OpenAI's API that the export script uses: lists in pages of two, regardless of the limit. */
function openaiApi(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, "http://localhost");
  const run = (n: number) => ({
    ...{
      object: "eval.run",
      id: `evalrun_${n}`,
      eval_id: "eval_capitals",
      name: `week ${n}`,
      model: "small",
    },
    ...{ created_at: 1790000000 + n, data_source: { type: "completions" }, result_counts: { total: 3 } },
  });
  const items = (n: number) =>
    [
      ["Paris", 1],
      [n === 1 ? "Lima" : "Quito", n === 1 ? 1 : 0.25],
      ["Nairobi", 1],
    ].map(([answer, similarity], row) => ({
      ...(JSON.parse(outputItem(`model-${n}`, row, answer as string, similarity as number)) as object),
      ...{ id: `outputitem_${n}_${row}`, run_id: `evalrun_${n}` },
    }));
  const lists: { readonly [path: string]: readonly { readonly id?: string }[] } = {
    "/v1/evals": [{ id: "eval_capitals", name: "capitals" } as object],
    "/v1/evals/eval_capitals/runs": [run(1), run(2)],
    "/v1/evals/eval_capitals/runs/evalrun_1/output_items": items(1),
    "/v1/evals/eval_capitals/runs/evalrun_2/output_items": items(2),
  };
  const list = lists[url.pathname];
  if (list === undefined || request.headers.authorization !== "Bearer key") {
    response.writeHead(401).end();
    return;
  }
  const start = list.findIndex(({ id }) => id === url.searchParams.get("after")) + 1;
  const data = list.slice(start, start + 2);
  response.end(JSON.stringify({ object: "list", data, has_more: start + 2 < list.length }));
}

describe("docs/how-to/from-openai-evals.md", () => {
  const walk = commandsOf(openai);

  test("has its walkthrough", () => expect(walk).toHaveLength(3));

  test("the script exports all pages", async () => {
    writeFileSync(join(home, "export-openai-evals.mjs"), /^```js\n([\s\S]*?)^```$/m.exec(openai)![1]!);
    const server = createServer(openaiApi).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.close();
    });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: "key" };
    const child = spawn(process.execPath, ["export-openai-evals.mjs"], { cwd: home, env });
    const output = await text(child.stdout);
    expect(output).toBe("capitals, week 1: 3 items\ncapitals, week 2: 3 items\n");
  });

  test.each(walk)("assay %s", prints);
});

describe("docs/how-to/importing.md", () => {
  test("has its walkthrough", () => expect(commands).toHaveLength(2));

  test.each(commands)("assay %s", prints);
});

describe("docs/tutorials/from-csv.md", () => {
  const walk = commandsOf(tutorial);

  beforeAll(async () => {
    writeFileSync(join(home, "quiz.mjs"), /^```js quiz.mjs\n([\s\S]*?)^```$/m.exec(tutorial)![1]!);
    const [exitCode] = (await once(spawn(process.execPath, ["quiz.mjs"], { cwd: home }), "close")) as [
      number,
    ];
    expect(exitCode).toBe(0);
  });

  test("has its walkthrough", () => expect(walk).toHaveLength(4));

  test.each(walk)("assay %s", prints);

  test("a row is found by its field, as the page shows", async () => {
    const { exitCode, stdout } = await assay(["show", "me/quiz", 'inputs.id = "q1"'], { cwd: home });
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ evaluations: expect.any(Array) }),
    ]);
  });
});
