// The weave PyPI package, unmodified, logs evaluations. It is installed into a temporary virtual environment;
// WEAVE_PYTHON can name a Python that has it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalResults } from "@assay/eval-engine";
import { pythonWith } from "@assay/testing/python";
import { expect, onTestFinished, test } from "vitest";
import { runClient } from "./run-client.ts";
import { startServer } from "./test-server.ts";

const PACKAGE = "weave==0.54.0";
const KEY = "0123456789abcdef0123456789abcdef01234567";
const PROJECT = "acme/demo";
const FIELDS = new URL("../../testing/data/client-fields.json", import.meta.url);

test("evaluations that the weave package for Python logs can be queried during and after the run", async ({
  skip,
}) => {
  const { python, reason, folder, remove } = await pythonWith({
    packages: [PACKAGE],
    variable: "WEAVE_PYTHON",
  });
  onTestFinished(remove);
  if (python === undefined) return skip(`skipped, because ${reason}`);
  const server = await startServer(KEY);
  const asked = { include_summary: true, include_raw_data_rows: true, resolve_row_refs: true };
  const ask = (evaluation: string): Promise<EvalResults> =>
    server.query(PROJECT, { ...asked, evaluation_call_ids: [evaluation] });
  let whileRunning: EvalResults | undefined;
  try {
    const env = {
      WF_TRACE_SERVER_URL: server.url,
      // Before it logs, this client queries its W&B server for the user and the project.
      WANDB_BASE_URL: server.url,
      WANDB_API_KEY: KEY,
      // The client remembers sent content by digest, regardless of the address: a cache from another server would hide
      // rows.
      WEAVE_SERVER_CACHE_DIR: join(folder, "cache"),
      WANDB_ERROR_REPORTING: "false",
      WEAVE_PARALLELISM: "1",
    };
    const { result } = await runClient(python, "client.py", env, async () => {
      // This client sends a call when it ends, except for the root: the first trial arrives on its own.
      await server.until(async () => {
        const [root] = await server.roots(PROJECT);
        if (root === undefined) return false;
        whileRunning = await ask(root);
        return whileRunning.total_rows > 0;
      });
    });

    expect(whileRunning).toMatchObject({ total_rows: 1, warnings: [] });
    expect(whileRunning?.rows[0]?.raw_data_row).toMatchObject({ country: "France" });

    const [evaluation, logger] = await server.roots(PROJECT);
    const results = await ask(evaluation!);
    expect(results).toMatchObject({ total_rows: 3, warnings: [] });
    const byCountry = new Map(
      results.rows.map((row) => [
        (row.raw_data_row as { country: string }).country,
        row.evaluations[0]!.trials,
      ]),
    );
    for (const trials of byCountry.values()) expect(trials).toHaveLength(2);
    expect(byCountry.get("France")?.[0]).toMatchObject({
      model_output: { text: "Paris", length: 5 },
      scores: {
        exact: true,
        details: { shape: { length: 5, long: true }, note: "ok" },
        verdict: "it says Paris",
      },
    });
    // In this client, a failing scorer fails its trial, which then has no scores.
    expect(byCountry.get("Perú")?.[0]).toMatchObject({ scores: {} });
    expect(byCountry.get("Japan")?.[0]).toMatchObject({ model_output: null });

    const logged = await ask(logger!);
    expect(logged).toMatchObject({ total_rows: 3, warnings: [] });
    expect(logged.summary?.evaluations[0]?.scorer_stats).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ scorer_key: "exact", pass_true_count: 2, pass_known_count: 3 }),
        expect.objectContaining({ scorer_key: "quality", path: "letters.first", value_type: "text" }),
      ]),
    );

    expect(result).toMatchObject({
      roots: [evaluation!, logger!],
      statuses: ["descendant_error", "success"],
      objects: [["capitals-evaluation", 2, 4, "weave:///acme/demo/object/capitals", true]],
      notes: ["seen"],
      asked: ["seen"],
      // Both trials of the dataset row, in addition to the inline row that the filter finds without expansion.
      through: [["Japan"], 2],
      priced: [0.0005, 0.00002, "project"],
      known: [["gpt-x", true]],
      left: ["gpt-y"],
      trials: 6,
      first: { country: "France", population: 68.5 },
    });
    expect(server.refused).toEqual([]);

    // The committed list of fields that the tests in packages/adapters-http/test/weave use.
    const fields = await runClient(python, "client_fields.py", {}, async () => {});
    const known = JSON.parse(readFileSync(FIELDS, "utf8")) as object;
    expect(fields.result).toMatchObject(known);
  } finally {
    await server.close();
  }
});
