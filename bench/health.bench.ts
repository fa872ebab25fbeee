// How long does a health request wait while the heaviest query runs? The server runs in this process; the client runs
// in another thread, so that the query does not block it.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { openStore } from "@assay/adapters-duckdb";
import type { DatasetRow, RowWriter } from "@assay/calls";
import { createEvalEngine } from "@assay/eval-engine";
import { ASKER } from "./asker.ts";
import type { Dataset } from "./dataset.ts";
import { timingOf } from "./interleave.ts";
import { lineCalls } from "./line-calls.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY, SLOWEST_HEALTH } from "./targets.ts";
import { requestOf, TURNS, type Workload } from "./workloads.ts";

const ROUNDS = 3;

const HEAVY: readonly Workload[] = ["everything", "text", "difference", "summary"];

const BATCH = 20_000;

async function putRows(store: RowWriter, dataset: Dataset): Promise<void> {
  let batch: DatasetRow[] = [];
  for (const row of dataset.rows()) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await store.put(dataset.project, batch);
    batch = [];
  }
  await store.put(dataset.project, batch);
}

await program(async ({ rows }) => {
  const dataset = synthetic({ rows });
  // Columns are opened from files, and rows stay on disk, as in `assay serve`: a million rows as objects would slow
  // garbage collection down.
  const directory = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const store = await openStore({ directory });
  const { project } = dataset;
  progress("writing the rows");
  await putRows(store.rows, dataset);
  const parts = {
    calls: lineCalls(dataset),
    rows: store.rows,
    segments: store.segments,
    pause: () => new Promise<void>((resume) => setImmediate(resume)),
    keepBytes: 16 * 2 ** 30,
  };
  progress(`building the columns of ${dataset.name}`);
  await createEvalEngine(parts).open(project, dataset.evaluations);

  const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
  const times = new Map<string, number[]>();
  const askDuring = async (what: string, work: () => Promise<unknown>) => {
    progress(`asking for health during ${what}`);
    const asker = new Worker(ASKER, { eval: true, workerData: url });
    await once(asker, "message");
    await work();
    const done = once(asker, "message");
    asker.postMessage("stop");
    const [taken] = (await done) as [number[]];
    times.set(what, [...(times.get(what) ?? []), ...taken]);
  };

  for (let round = 0; round < ROUNDS; round++) {
    // A new engine: the computations that it caches are the heaviest.
    const engine = createEvalEngine(parts);
    await askDuring("open", () => engine.open(project, dataset.evaluations));
    for (const workload of HEAVY) {
      await askDuring(`first ${workload}`, () => engine.query(project, requestOf(workload, dataset, round)));
      await askDuring(workload, async () => {
        for (let turn = 1; turn <= TURNS; turn++)
          await engine.query(project, requestOf(workload, dataset, round + turn));
      });
    }
  }
  server.close();
  server.closeAllConnections();
  await store.close();
  rmSync(directory, { recursive: true, force: true });

  const measurement = (workload: string, taken: readonly number[]): Measurement => ({
    data: sizeName(rows),
    workload,
    contender: ASSAY,
    unit: "ms",
    ...timingOf(taken),
  });
  return [
    ...Array.from(times, ([what, taken]) =>
      measurement(`slowest health during ${what}`, [Math.max(...taken)]),
    ),
    measurement(SLOWEST_HEALTH, [Math.max(...Array.from(times.values()).flat())]),
  ];
});
