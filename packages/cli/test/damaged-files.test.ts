// The server on a data directory with one damaged file: one bit flipped, truncated, partly zeroed, emptied or
// removed, for every file. Each response is the original data or a fault; if data is missing, the server has reported
// it; if the server cannot start, it names the file and a remedy. It never returns different data, and never a stack
// trace.
//
//   ASSAY_RUNS   number of bit flips in each file; default 2 in a full run, otherwise 1
//   ASSAY_SEED   seed of their positions

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { cases } from "@assay/testing/cases";
import { startAssay } from "@assay/testing/server";
import { artifactFiles, wireClient } from "@assay/testing/wire-client";
import { digests, WRITINGS } from "@assay/testing/writings";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serving } from "./inference/server.ts";

const FLIPS = cases(2);
const SEED = Number(process.env["ASSAY_SEED"] ?? 20_261_123);
const EVALUATIONS = ["e1", "e2"];
const SHOWN = 60;

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function ask(url: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    ...(body !== undefined && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: await response.text() };
}

const query = (id: string) => (url: string) =>
  ask(url, "/v2/acme/demo/eval_results/query", {
    ...{ evaluation_call_ids: [id], include_raw_data_rows: true, include_summary: true },
  });

/** The queries by name. */
const QUESTIONS: Readonly<Record<string, (url: string) => Promise<Answer>>> = {
  e1: query("e1"),
  e2: query("e2"),
  evaluations: (url) => ask(url, "/v2/acme/demo/eval_results/evaluations"),
  call: (url) => ask(url, "/call/read", { project_id: "acme/demo", id: "a-call" }),
  table: (url) => ask(url, "/table/query", { project_id: "acme/demo", digest: digests.get("a-table") }),
  object: (url) =>
    ask(url, "/obj/read", {
      ...{ project_id: "acme/demo", object_id: "a-object", digest: digests.get("a-object") },
    }),
  file: (url) => ask(url, "/file/content", { project_id: "acme/demo", digest: digests.get("a-file") }),
  usage: (url) => ask(url, "/v1/usage?entity=acme"),
  async artifact(url) {
    const wanted = { entity: "acme", project: "demo", name: "a-artifact:latest" };
    try {
      return { status: 200, body: JSON.stringify(await artifactFiles(wireClient(url), wanted)) };
    } catch (error) {
      return { status: Number(/: (\d{3}) /.exec(String(error))?.[1] ?? 599), body: String(error) };
    }
  },
};
const JOURNALS = /^(calls|rows|objects)\.jsonl$|^files\.bin$/;

interface Damage {
  readonly name: string;
  readonly harm: (bytes: Buffer) => Buffer | undefined;
}

/** The damages of a file; their positions depend only on the seed. */
function damagesOf(file: string): readonly Damage[] {
  const places = fc
    .sample(fc.noBias(fc.integer({ min: 0, max: 999_999 })), { numRuns: FLIPS, seed: SEED + file.length })
    .map((millionths) => millionths / 1e6);
  return [
    { name: "removed", harm: () => undefined },
    { name: "emptied", harm: () => Buffer.alloc(0) },
    { name: "cut", harm: (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)) },
    { name: "zeroed", harm: (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 2, bytes.length >> 1) },
    ...places.map((place) => ({
      name: `flipped at ${place.toFixed(2)}`,
      harm: (bytes: Buffer) => {
        const harmed = Buffer.from(bytes);
        const at = Math.floor(place * bytes.length);
        if (at < bytes.length) harmed[at]! ^= 1 << (at % 8);
        return harmed;
      },
    })),
  ];
}

let home: string;
let template: string;
let whole: Readonly<Record<string, Answer>>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "assay-damaged-"));
  template = join(home, "whole");
  const server = await startAssay(template);
  for (const [kind, { write }] of Object.entries(WRITINGS))
    expect(await write(server.url, `a-${kind}`)).toBe(200);
  const trials = Array.from({ length: SHOWN }, (_, i) => i % 3 === 0);
  for (const id of EVALUATIONS) {
    const body = evaluationLines(id, trials).join("\n");
    const headers = { "Content-Type": "application/x-ndjson" };
    const imported = await fetch(`${server.url}/v2/acme/demo/calls/import`, {
      method: "POST",
      headers,
      body,
    });
    expect(imported.status).toBe(200);
  }
  await answersOf(server.url);
  await server.stop("SIGTERM");
  const again = await startAssay(template);
  whole = await answersOf(again.url);
  await again.stop("SIGTERM");
  expect(Object.values(whole).map(({ status }) => status)).toEqual(Object.keys(whole).map(() => 200));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function answersOf(url: string): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const [name, question] of Object.entries(QUESTIONS)) answers[name] = await question(url);
  return answers;
}

/**
 * The result of a damaged directory: the responses that differ from the original, or the reason why the server did not
 * start.
 */
async function outcome(data: string) {
  let server: Awaited<ReturnType<typeof serving>>;
  try {
    server = await serving([], { data });
  } catch (error) {
    return { refusal: String(error) };
  }
  try {
    const answers = await answersOf(server.url);
    const reported = server.stderr();
    const other = Object.entries(answers).filter(([name, { body }]) => body !== whole[name]!.body);
    return { reported, other };
  } finally {
    await server.stop();
  }
}

test("reading a damaged file returns the original data, a fault, or less data with a report", async () => {
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "assay.lock")
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort();
  expect(files.length).toBeGreaterThan(8);
  const came = { damages: 0, same: 0, reported: 0, faults: 0, refused: 0 };
  for (const file of files) {
    for (const { name, harm } of damagesOf(file)) {
      const data = join(home, "damaged");
      cpSync(template, data, { recursive: true });
      const harmed = harm(readFileSync(join(data, file)));
      if (harmed === undefined) rmSync(join(data, file));
      else writeFileSync(join(data, file), harmed);
      const { refusal, reported = "", other = [] } = await outcome(data);
      const about = `${file} ${name}`;
      came.damages++;
      expect(`${refusal}${reported}`, about).not.toMatch(/\n\s+at /);
      if (refusal !== undefined) expect(refusal, about).toMatch(/assay doctor|put it back|restore|remove/);
      for (const [question, { status, body }] of other) {
        const answered = `${about}: ${question} gets ${status} ${body.slice(0, 300)}`;
        if (status === 200) expect(reported, answered).not.toBe("");
        else expect(body, answered).not.toMatch(/Internal Server Error/);
      }
      // One flipped bit damages one record of a journal; all other records stay readable.
      if (JOURNALS.test(file) && name.startsWith("flipped"))
        expect(other.length, about).toBeLessThanOrEqual(2);
      if (refusal !== undefined) came.refused++;
      else if (other.some(({ 1: { status } }) => status !== 200)) came.faults++;
      else came[reported === "" ? "same" : "reported"]++;
      rmSync(data, { recursive: true });
    }
  }
  const { damages, same, reported, faults, refused } = came;
  console.log(
    `${files.length} files, ${damages} damages: ${same} healed silently, ${reported} reported, ${faults} with faults, ${refused} refused`,
  );
}, 3_600_000);
