// How fast is one gesture on the comparison page, compared with the usual alternatives? Runs over the real evaluations
// with --mmlu-pro, otherwise over --rows synthetic rows.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertSameAnswer } from "./answer.ts";
import { assayContender } from "./contenders/assay.ts";
import { clickhouseContender } from "./contenders/clickhouse.ts";
import type { Contender } from "./contenders/contender.ts";
import { duckdbContender } from "./contenders/duckdb.ts";
import { MINGO, mingoThread } from "./contenders/mingo-thread.ts";
import { plainContender } from "./contenders/plain.ts";
import type { Dataset } from "./dataset.ts";
import { writeFlatFile } from "./flat-file.ts";
import { interleave } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { mmluPro } from "./mmlu-pro.ts";
import { overHttp } from "./over-http.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";
import { requestOf, TURNS, WORKLOADS, type Workload } from "./workloads.ts";

/**
 * Above this number of rows, the plain loops run out of memory, and mingo runs only workloads that have a target for
 * it.
 */
const PLAIN_ROWS = 100_000;

await program(async ({ rows, mmluPro: folder, effort }) => {
  const data = folder === undefined ? sizeName(rows) : "MMLU-Pro";
  const dataset = folder === undefined ? synthetic({ rows }) : mmluPro(folder);
  const small = dataset.digests.length <= PLAIN_ROWS;

  const scratch = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const contenders: Contender[] = [];
  try {
    progress(`writing ${dataset.name}`);
    const flat = join(scratch, "trials.csv");
    const count = writeFlatFile(dataset, flat);
    progress(`loading ${count} trials`);
    contenders.push(await duckdbContender(dataset, flat), await clickhouseContender(dataset, flat));
    rmSync(flat);
    progress("opening the evaluations");
    const assay = await assayContender(dataset);
    contenders.unshift(assay);
    contenders.push(await mingoThread({ rows, folder, texts: small }));

    await check(dataset, contenders, small ? plainContender(dataset) : undefined);
    const measurements: Measurement[] = [];
    const measure = async (workload: Workload, taking: readonly Contender[]): Promise<void> => {
      const tasks = Object.fromEntries(
        taking
          .filter(({ workloads }) => workloads.includes(workload))
          .map((contender) => [contender.name, inTurns(contender, workload)]),
      );
      for (const [contender, timing] of Object.entries(await interleave(tasks, effort)))
        measurements.push({ data, workload, contender, unit: "ms", ...timing });
    };
    for (const workload of WORKLOADS) {
      progress(`measuring ${workload}`);
      await measure(
        workload,
        contenders.filter(({ name }) => name !== MINGO),
      );
    }
    const server = await overHttp(assay.engine, dataset.project);
    const overall = "everything, over HTTP";
    progress(`measuring ${overall}`);
    let turn = 0;
    const tasks = { [ASSAY]: () => server.ask(requestOf("everything", dataset, turn++)) };
    const timing = (await interleave(tasks, effort))[ASSAY]!;
    measurements.push({ data, workload: overall, contender: ASSAY, unit: "ms", ...timing });
    await server.close();
    // mingo runs last: its thread collects garbage for seconds after an answer, which would slow the next contender
    // down.
    for (const workload of WORKLOADS) {
      progress(`measuring ${workload} of ${MINGO}`);
      await measure(
        workload,
        contenders.filter(({ name }) => name === MINGO),
      );
    }
    return measurements;
  } finally {
    for (const contender of contenders) await contender.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Throws unless all contenders, and `plain` if given, give the same answers. */
async function check(
  dataset: Dataset,
  contenders: readonly Contender[],
  plain: Contender | undefined,
): Promise<void> {
  for (const workload of WORKLOADS) {
    progress(`checking ${workload}`);
    const taking = contenders.filter((contender) => contender.workloads.includes(workload));
    const [first, ...others] = plain === undefined ? taking : [plain, ...taking];
    for (const turn of differentTurns(workload, dataset)) {
      const expected = await first!.answer(workload, turn);
      for (const other of others) {
        const what = `${workload}, turn ${turn}: ${other.name} against ${first!.name}`;
        assertSameAnswer(await other.answer(workload, turn), expected, what);
      }
    }
  }
  await plain?.close();
}

/** The turns of a workload with different requests. */
function differentTurns(workload: Workload, dataset: Dataset): readonly number[] {
  const turns = new Map<string, number>();
  for (let turn = TURNS - 1; turn >= 0; turn--)
    turns.set(JSON.stringify(requestOf(workload, dataset, turn)), turn);
  return [...turns.values()];
}

/** Uses different literals each time, as when a user drags a filter. */
function inTurns(contender: Contender, workload: Workload): () => Promise<unknown> {
  let turn = 0;
  return () => contender.answer(workload, turn++);
}
