// Logs evaluations without the SDK, through the generated API client in the weave package for Python; the commands then
// show them like any other evaluation.

import { assay } from "@assay/testing/command";
import { pythonWith } from "@assay/testing/python";
import { expect, onTestFinished, test } from "vitest";
import { runClient } from "./run-client.ts";
import { startServer } from "./test-server.ts";

const KEY = "0123456789abcdef0123456789abcdef01234567";
const P = "acme/demo";

test("evaluation runs from the weave package's API client can be queried, compared and watched", async ({
  skip,
}) => {
  const { python, reason, remove } = await pythonWith({
    packages: ["weave==0.54.0"],
    variable: "WEAVE_PYTHON",
  });
  onTestFinished(remove);
  if (python === undefined) return skip(`skipped, because ${reason}`);
  const server = await startServer(KEY);
  onTestFinished(() => server.close());
  const env = { ASSAY_URL: server.url, ASSAY_API_KEY: KEY };
  const { result } = await runClient(python, "runs_client.py", env, async () => {});
  const { runs, ...rest } = result as { readonly runs: readonly string[] };
  expect(rest).toEqual({
    status: "completed",
    summary: "large",
    listed: runs,
    scores: [true, false],
    outputs: [4, 8],
    versions: [0, 0],
    rows: true,
    deleted: 1,
  });
  expect(server.refused).toEqual([]);

  const asked = { evaluation_run_ids: runs, require_intersection: true, include_summary: true };
  const answer = await server.query(P, asked);
  expect(answer).toMatchObject({ total_rows: 2, warnings: [] });
  const rates = answer.summary?.evaluations.map(({ scorer_stats }) => scorer_stats[0]);
  expect(rates).toMatchObject([
    { scorer_key: "exact", pass_rate: 0.5 },
    { scorer_key: "exact", pass_rate: 1 },
  ]);
  const at = ["--data", server.directory, "--api-key", KEY];
  const compared = await assay(["compare", P, ...runs, ...at]);
  expect([compared.exitCode, compared.stdout]).toEqual([0, expect.stringContaining("exact")]);
  const watched = await assay(["watch", P, runs[0]!, ...at]);
  expect([watched.exitCode, watched.stdout]).toEqual([0, expect.stringContaining("2")]);
});
