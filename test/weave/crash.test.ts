// Crash recovery of calls: clients log to `assay serve`, which is killed at random moments. After a plain restart, all
// acknowledged data is present, each request is complete or absent, and no repair is needed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvalResults } from "@assay/eval-engine";
import { rounds } from "@assay/testing/cases";
import { seeded } from "@assay/testing/seeded";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";
import { type Account, logUntilGone, payloadOf, type SentBatch } from "./crash-client.ts";

const ROUNDS = rounds(10, 3);
const SEED = Number(process.env["ASSAY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const PROJECT = "acme/crash";
/** The maximum milliseconds from the first acknowledgement to the kill. */
const LONGEST_LIFE = 400;

interface Seen {
  readonly id: string;
  readonly inputs: { readonly example?: { readonly input: string } };
  readonly output: { readonly output: string } | null;
  readonly ended_at: string | null;
}

test(`acknowledged calls survive ${ROUNDS} kills, in whole batches and without repair (seed ${SEED})`, {
  timeout: 600_000 + ROUNDS * 30_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-crash-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const random = seeded(SEED);
  const visible = new Map<string, number>();
  let acknowledged = 0;
  let last: { readonly root: string; readonly account: Account } | undefined;

  for (let round = 0; round <= ROUNDS; round++) {
    const server = await startAssay(directory);
    const ask = asking(server.url);
    try {
      if (last !== undefined) {
        const calls = await seenCalls(ask, last.root);
        checkCalls(last.account.batches, calls);
        visible.set(last.root, calls.size);
        for (const { path, body, expected } of last.account.contents)
          expect(await (await ask(path, body)).text()).toContain(expected);
        expect(await trialsOf(ask, last.root)).toBe(calls.size);
        acknowledged += last.account.batches.filter((batch) => batch.acknowledged).length;
      }
      // At the end, checks all earlier rounds again.
      if (round === ROUNDS)
        for (const [root, count] of visible) expect(await trialsOf(ask, root)).toBe(count);
      const root = `round-${round}`;
      let killed: Promise<void> | undefined;
      const kill = () => {
        killed ??= new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE)).then(() =>
          server.stop("SIGKILL"),
        );
      };
      const account = await logUntilGone(server.url, PROJECT, root, random, kill);
      await killed;
      last = { root, account };
    } finally {
      await server.stop("SIGKILL");
    }
    expect(server.stderr()).toBe("");
  }
  // Guards against a server that acknowledges nothing.
  expect(acknowledged).toBeGreaterThan(0);
});

/** Checks that every part of an acknowledged batch is present, and all parts or none of other batches. */
function checkCalls(batches: readonly SentBatch[], calls: ReadonlyMap<string, Seen>): void {
  for (const { id, inputs, output } of calls.values()) {
    const expected = payloadOf(id);
    expect(inputs.example?.input).toBe(expected.input);
    if (output !== null) expect(output.output).toBe(expected.output);
  }
  const isThere = (id: string, mode: string): boolean | undefined => {
    const call = calls.get(id);
    // A call without its start is invisible.
    if (mode === "end") return call && call.ended_at !== null;
    return call !== undefined && (mode === "start" || call.ended_at !== null);
  };
  const kept = new Set<string>();
  for (const { pieces, acknowledged } of batches) {
    if (!acknowledged) continue;
    for (const { id, mode } of pieces) {
      kept.add(`${mode} ${id}`);
      if (isThere(id, mode) === false) throw new Error(`the ${mode} of ${id} was acknowledged and is lost`);
    }
  }
  for (const { pieces, acknowledged } of batches) {
    if (acknowledged) continue;
    const there = pieces
      .filter(({ id, mode }) => !kept.has(`${mode} ${id}`))
      .map(({ id, mode }) => isThere(id, mode))
      .filter((one) => one !== undefined);
    if (new Set(there).size > 1)
      throw new Error(`only some of ${there.length} parts of one request are present`);
  }
}

type Ask = (path: string, body: object) => Promise<Response>;

function asking(url: string): Ask {
  return async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status, path).toBe(200);
    return response;
  };
}

async function seenCalls(ask: Ask, root: string): Promise<ReadonlyMap<string, Seen>> {
  const filter = { parent_ids: [root] };
  const lines = (await (await ask("/calls/stream_query", { project_id: PROJECT, filter })).text()).split(
    "\n",
  );
  const calls = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Seen);
  return new Map(calls.map((call) => [call.id, call]));
}

async function trialsOf(ask: Ask, root: string): Promise<number> {
  const body = { evaluation_call_ids: [root], include_rows: false, include_summary: true };
  const { summary } = (await (await ask(`/v2/${PROJECT}/eval_results/query`, body)).json()) as EvalResults;
  return summary?.evaluations[0]?.trial_count ?? 0;
}
