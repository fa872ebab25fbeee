// What does a query that is pushed down to ClickHouse cost, compared with the best SQL for that query over the same
// tables? And do other projects' data make it slower?

import { type ClickHouse, clickHouse, clickHouseStore, migrateClickHouse } from "@assay/adapters-clickhouse";
import type { Statement } from "@assay/adapters-clickhouse/internal";
import { Fault } from "@assay/base";
import type { EvalResults, EvalResultsQueryBody } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { startServer } from "../testing/src/clickhouse-server.mjs";
import { byHand, EVALUATIONS, expectFilledAsWritten, fill, onDisk } from "./clickhouse-data.ts";
import { type Effort, interleave } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";
import { PUSHED } from "./targets.ts";

const DATABASE = "bench";
const HAND = "SQL by hand";

// More memory than any machine has.
const NO_LIMIT = 2 ** 40;

const PAGE: EvalResultsQueryBody = {
  evaluation_call_ids: EVALUATIONS,
  sort_by: [{ field: "scores.quality", direction: "desc", mode: "difference" }],
  limit: 20,
};
const SUMMARY: EvalResultsQueryBody = {
  evaluation_call_ids: EVALUATIONS,
  include_rows: false,
  include_summary: true,
};

await program(async ({ rows, effort }) => {
  const server = await startServer();
  // Tables of many millions of rows take long to fill.
  const client = createClient({
    url: server.url,
    request_timeout: 3600_000,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const clickhouse = connected(client);
  try {
    await expectFilledAsWritten(clickhouse, 40);
    await migrateClickHouse(clickhouse, DATABASE);
    const few = Math.ceil(rows / 10);
    progress(`filling ClickHouse with ${trialsOf(few)}`);
    await fill(clickhouse, DATABASE, "acme/small", few);
    const byItself = await measured(client, "acme/small", `${trialsOf(few)}, one project by itself`, effort);
    progress(`filling ClickHouse with ${trialsOf(rows)}`);
    await fill(clickhouse, DATABASE, "acme/large", rows);
    const data = trialsOf(rows);
    const perTrial = EVALUATIONS.length * (few + rows);
    return [
      ...byItself,
      ...(await measured(client, "acme/small", `${trialsOf(few)}, ten times as much beside it`, effort)),
      ...(await measured(client, "acme/large", data, effort)),
      ...(await onDisk(clickhouse, DATABASE)).flatMap(([table, bytes]) =>
        ["trials", "payloads"].includes(table)
          ? [single(data, `a million ${table} on the disk`, PUSHED, "bytes", (bytes / perTrial) * 1e6)]
          : [],
      ),
    ];
  } finally {
    await client.close();
    await server.stop();
  }
});

/** A ClickHouse port over a client, with a limit of `memory` bytes for each statement. */
function connected(client: ClickHouseClient, memory = NO_LIMIT): ClickHouse {
  return clickHouse(client, { seconds: 3600, memory });
}

function trialsOf(rows: number): string {
  return `${sizeName(rows * EVALUATIONS.length)} trials in ClickHouse`;
}

/** Answers each workload. */
interface Contender {
  readonly difference: (clickhouse: ClickHouse) => Promise<unknown>;
  readonly summary: (clickhouse: ClickHouse) => Promise<unknown>;
}

/** Assay's own statements. */
function pushed(project: string): {
  readonly [workload in keyof Contender]: (clickhouse: ClickHouse) => Promise<EvalResults>;
} {
  const ask = async (clickhouse: ClickHouse, body: EvalResultsQueryBody): Promise<EvalResults> => {
    const execution = pushedExecution(clickHouseStore(clickhouse, { database: DATABASE }));
    const answer = await execution.answer(project, body);
    if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
    return answer.value;
  };
  return {
    difference: (clickhouse) => ask(clickhouse, PAGE),
    summary: (clickhouse) => ask(clickhouse, SUMMARY),
  };
}

/** Hand-written SQL; each function returns the rows that `expectSame` compares. */
function hand(
  project: string,
  final: boolean,
): { readonly [workload in keyof Contender]: (clickhouse: ClickHouse) => Promise<HandRows> } {
  const { page, payloads, summary } = byHand(DATABASE, project, final);
  return {
    async difference(clickhouse) {
      const { rows, before } = await clickhouse.page(page);
      const found = await clickhouse.query(payloads(rows.map(([digest]) => digest as string)));
      return rows.map(([digest]) => [digest, before, found.length]);
    },
    summary: (clickhouse) => clickhouse.query(summary),
  };
}

async function measured(
  client: ClickHouseClient,
  project: string,
  data: string,
  effort: Effort,
): Promise<readonly Measurement[]> {
  const clickhouse = connected(client);
  const measurements: Measurement[] = [];
  const assay = pushed(project);
  const contenders: { readonly [name: string]: Contender } = {
    [PUSHED]: assay,
    [HAND]: hand(project, true),
    [`${HAND}, without FINAL`]: hand(project, false),
  };
  for (const workload of ["difference", "summary"] as const) {
    progress(`${workload}, ${data}`);
    expectSame(workload, await assay[workload](clickhouse), await hand(project, true)[workload](clickhouse));
    const tasks = Object.entries(contenders).map(
      ([name, contender]) => [name, () => contender[workload](clickhouse)] as const,
    );
    const timings = await interleave(Object.fromEntries(tasks), effort);
    for (const [contender, timing] of Object.entries(timings))
      measurements.push({ data, workload, contender, unit: "ms", ...timing });
    for (const [name, contender] of Object.entries(contenders)) {
      const read = await bytesRead(client, (recorder) => contender[workload](recorder));
      measurements.push(single(data, `${workload}, bytes read`, name, "bytes", read));
      const memory = await leastMemory((limit) => contender[workload](connected(client, limit)));
      measurements.push(single(data, `${workload}, memory`, name, "bytes", memory));
    }
  }
  return measurements;
}

/** The bytes that the statements of an answer read, according to ClickHouse. */
async function bytesRead(
  client: ClickHouseClient,
  answer: (recorder: ClickHouse) => Promise<unknown>,
): Promise<number> {
  const clickhouse = connected(client);
  const statements: Statement[] = [];
  await answer({
    ...clickhouse,
    query: (statement, options) => {
      statements.push(statement);
      return clickhouse.query(statement, options);
    },
    page: (statement, options) => {
      statements.push(statement);
      return clickhouse.page(statement, options);
    },
  });
  let bytes = 0;
  for (const { sql, params } of statements) {
    const asked = await client.query({ query: sql, query_params: { ...params }, format: "JSONCompact" });
    bytes += (await asked.json<unknown>()).statistics?.bytes_read ?? 0;
  }
  return bytes;
}

/** The lowest `max_memory_usage` with which every statement of an answer succeeds, to within an eighth. */
async function leastMemory(answer: (limit: number) => Promise<unknown>): Promise<number> {
  const suffices = async (limit: number): Promise<boolean> => {
    try {
      await answer(limit);
      return true;
    } catch (error) {
      if (error instanceof Fault && error.code === "exhausted") return false;
      throw error;
    }
  };
  let [low, high] = [0, 2 ** 23];
  for (; !(await suffices(high)); high *= 2) low = high;
  for (let i = 0; i < 3; i++) {
    const middle = (low + high) / 2;
    if (await suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

type HandRows = readonly (readonly unknown[])[];

/** Throws unless both have the same rows, or the same counts and means within 1e-9. */
function expectSame(workload: "difference" | "summary", answer: EvalResults, rows: HandRows): void {
  const got =
    workload === "difference"
      ? answer.rows.map((row) => [row.row_digest, answer.total_rows, answer.rows.length * EVALUATIONS.length])
      : (answer.summary?.evaluations ?? []).map((one) => [
          one.evaluation_call_id,
          one.trial_count,
          Math.round((one.scorer_stats[0]?.numeric_mean ?? Number.NaN) * 1e9),
          one.scorer_stats[1]?.pass_true_count,
          one.predict_total_tokens,
          answer.summary?.row_count,
        ]);
  const wanted = rows.map((row) =>
    workload === "difference"
      ? row
      : [
          row[0],
          Number(row[1]),
          Math.round(Number(row[2]) * 1e9),
          Number(row[4]),
          Number(row[7]),
          Number(row[8]),
        ],
  );
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${workload}: got ${JSON.stringify(got)}, expected ${JSON.stringify(wanted)}`);
}
