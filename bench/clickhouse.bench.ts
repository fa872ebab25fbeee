// What does it cost to push a query down to ClickHouse, beside the best SQL for that one query over the same tables?
// And does a query get slower when there is more that it does not ask about?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClickHouse,
  clickHouse,
  clickHouseStore,
  migrate,
  type Statement,
} from "@assay/adapters-clickhouse";
import { type EvalResults, type EvalResultsQueryBody, pushedExecution } from "@assay/eval-engine";
import { createClient } from "@clickhouse/client";
import { chdbConnection } from "./chdb-connection.mjs";
import { byHand, EVALUATIONS, expectFilledAsWritten, fill } from "./clickhouse-data.ts";
import { interleave } from "./interleave.ts";
import { type Measurement, single } from "./measurement.ts";
import { program, progress, sizeName } from "./program.ts";

const DATABASE = "bench";
const PUSHED = "Assay, pushed down";

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
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-clickhouse-"));
  const client = createClient({ connection: chdbConnection(folder) });
  const clickhouse = clickHouse(client, { seconds: 3600 });
  try {
    await expectFilledAsWritten(clickhouse, 40);
    await migrate(clickhouse, DATABASE);
    progress(`filling ClickHouse with ${sizeName(rows * EVALUATIONS.length)} trials`);
    await fill(clickhouse, DATABASE, "acme/small", Math.ceil(rows / 10));
    const bytesRead = async ({ sql, params }: Statement): Promise<number> => {
      const answer = await client.query({ query: sql, query_params: { ...params }, format: "JSONCompact" });
      const { statistics } = await answer.json<unknown>();
      return statistics?.bytes_read ?? 0;
    };
    const measure = (project: string, note: string, count: number) =>
      measured(clickhouse, bytesRead, project, note, effort, count);
    const few = Math.ceil(rows / 10);
    const alone = await measure("acme/small", "one project alone", few);
    await fill(clickhouse, DATABASE, "acme/large", rows);
    return [
      ...alone,
      ...(await measure("acme/small", "ten times as much beside it", few)),
      ...(await measure("acme/large", "", rows)),
    ];
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function measured(
  clickhouse: ClickHouse,
  bytesRead: (statement: Statement) => Promise<number>,
  project: string,
  note: string,
  effort: Parameters<typeof interleave>[1],
  rows: number,
): Promise<readonly Measurement[]> {
  const data = `${sizeName(rows * EVALUATIONS.length)} trials in ClickHouse${note === "" ? "" : `, ${note}`}`;
  const { recorder, statements } = recording(clickhouse);
  const { trials, calls, rows: rowSource } = clickHouseStore(recorder, { database: DATABASE });
  const execution = pushedExecution({ trials, calls, rows: rowSource });
  const ask = async (body: EvalResultsQueryBody): Promise<EvalResults> => {
    const answer = await execution.answer(project, body);
    if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
    return answer.value;
  };
  const measurements: Measurement[] = [];
  for (const [workload, body] of [
    ["difference", PAGE],
    ["summary", SUMMARY],
  ] as const) {
    progress(`${workload}, ${data}`);
    const sql = (final: boolean) =>
      byHand(DATABASE, project, final)[workload === "difference" ? "page" : "summary"];
    const hand = (final: boolean) => clickhouse.query({ sql: sql(final), params: {} });
    statements.length = 0;
    expectSame(workload, await ask(body), await hand(true));
    const read = async (asked: readonly Statement[]): Promise<number> => {
      let bytes = 0;
      for (const statement of asked) bytes += await bytesRead(statement);
      return bytes;
    };
    const pushed = await read([...statements]);
    measurements.push(
      single(data, `${workload}, bytes read`, PUSHED, "bytes", pushed),
      single(
        data,
        `${workload}, bytes read`,
        "SQL by hand",
        "bytes",
        await read([{ sql: sql(true), params: {} }]),
      ),
    );
    const timings = await interleave(
      {
        [PUSHED]: () => ask(body),
        "SQL by hand": () => hand(true),
        "SQL by hand, without FINAL": () => hand(false),
      },
      effort,
    );
    for (const [contender, timing] of Object.entries(timings))
      measurements.push({ data, workload, contender, unit: "ms", ...timing });
  }
  return measurements;
}

/** The same rows, or counts and means within 1e-9. */
function expectSame(
  workload: "difference" | "summary",
  answer: EvalResults,
  rows: readonly (readonly unknown[])[],
): void {
  const got =
    workload === "difference"
      ? answer.rows.map((row) => [row.row_digest, answer.total_rows])
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
      ? [row[0], Number(row[2])]
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
    throw new Error(`${workload}: ${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`);
}

/** Statements to ClickHouse, and a list of those that were put. */
function recording(clickhouse: ClickHouse): {
  readonly recorder: ClickHouse;
  readonly statements: Statement[];
} {
  const statements: Statement[] = [];
  return {
    statements,
    recorder: {
      ...clickhouse,
      query: (statement, options) => {
        statements.push(statement);
        return clickhouse.query(statement, options);
      },
      page: (statement, options) => {
        statements.push(statement);
        return clickhouse.page(statement, options);
      },
    },
  };
}
