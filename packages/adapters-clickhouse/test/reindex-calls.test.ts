// Tables filled by an earlier version answer like new ones after a migration.

import { type Call, createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { expect, test } from "vitest";
import { clickHouseStore, migrateClickHouse } from "../src/index.ts";
import { clickhouse, freshDatabase, whole } from "./support.ts";

const P = "acme/demo";
const TRIALS = 1500;

const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const shared = { trace_id: "t", attributes: {}, summary: {}, display_name: null, exception: null };

/**
 * Evaluations whose models are plain functions, with numbers that doubles cannot represent. More calls than fit in one
 * batch.
 */
const calls: readonly (Partial<Call> & { readonly id: string })[] = [
  ...["a", "b"].map((id) => ({
    ...{ ...shared, id, parent_id: null, op_name: "Evaluation.evaluate", started_at: time(0), inputs: {} },
  })),
  ...Array.from({ length: TRIALS }, (_, i) => ({
    ...{
      ...shared,
      id: `t${i}`,
      parent_id: i % 2 === 0 ? "a" : "b",
      op_name: "Evaluation.predict_and_score",
    },
    ...{ started_at: time(i), ended_at: time(i + 1), inputs: { example: { n: i >> 1 } } },
    output: { output: { answer: i }, scores: { match: i % 3 === 0 } },
  })),
  ...Array.from({ length: TRIALS }, (_, i) => ({
    ...{ ...shared, id: `p${i}`, parent_id: `t${i}`, op_name: "weave:///acme/demo/op/model:v0" },
    ...{ started_at: time(i), ended_at: time(i + 1), inputs: {}, output: i },
    summary: { usage: { m: { total_tokens: i } } },
  })),
];
const body = {
  ...{ evaluation_call_ids: ["a", "b"], include_summary: true, include_raw_data_rows: true },
  sort_by: [{ field: "scores.match", direction: "desc" as const }],
};

async function tableOf(database: string, table: string, columns: string): Promise<string> {
  const sql = `SELECT ${columns} FROM ${database}.${table} FINAL ORDER BY project, evaluation, id`;
  return JSON.stringify(await clickhouse.query({ sql, params: {} }));
}

const dumpOf = async (database: string) => [
  await tableOf(database, "trials", "* EXCEPT (version, scores, outputs, example), toString(scores)"),
  await tableOf(database, "payloads", "* EXCEPT version"),
];

/** Puts tables into the state of an earlier version: other trials, digests and facts, and fewer migration steps. */
async function downgrade(database: string): Promise<void> {
  const now = "SETTINGS mutations_sync = 2";
  for (const change of [
    `ALTER TABLE ${database}.calls UPDATE trial = 0 WHERE id = 't0' ${now}`,
    `ALTER TABLE ${database}.trials DELETE WHERE id = 't0' ${now}`,
    `ALTER TABLE ${database}.payloads DELETE WHERE id = 't0' ${now}`,
    `ALTER TABLE ${database}.trials UPDATE digest = concat('former', digest), tokens = NULL WHERE id != 't0' ${now}`,
    `ALTER TABLE ${database}.payloads UPDATE facts = '{}' WHERE id != 't0' ${now}`,
    `ALTER TABLE ${database}.calls DROP COLUMN rules`,
    `ALTER TABLE ${database}.schema_steps DELETE WHERE step >= 5 ${now}`,
  ])
    await clickhouse.command(change);
}

test("calls indexed by earlier rules are indexed again, and an interrupted run continues", async () => {
  const [fresh, former] = [await freshDatabase(), await freshDatabase()];
  for (const database of [fresh, former])
    await clickHouseStore(clickhouse, { database }).calls.put(P, calls.map(whole));
  await downgrade(former);
  expect(await dumpOf(former)).not.toEqual(await dumpOf(fresh));

  // The first run fails in its second batch of calls.
  let inserts = 0;
  const broken = {
    ...clickhouse,
    insert: (...of: Parameters<typeof clickhouse.insert>) =>
      of[0].endsWith(".calls") && ++inserts === 2
        ? Promise.reject(new Error("interrupted"))
        : clickhouse.insert(...of),
  };
  await expect(migrateClickHouse(broken, former)).rejects.toThrow("interrupted");
  expect(await migrateClickHouse(clickhouse, former)).toMatchObject({ step: 6, taken: 2 });
  expect(await migrateClickHouse(clickhouse, former)).toMatchObject({ step: 6, taken: 0 });
  expect(await dumpOf(former)).toEqual(await dumpOf(fresh));

  const source = memoryCalls();
  source.put(P, calls);
  const wanted = await createEvalEngine({ calls: source, rows: memoryRows() }).answer(P, body);
  const { trials, calls: kept, rows } = clickHouseStore(clickhouse, { database: former });
  const answered = await pushedExecution({ trials, calls: kept, rows }).answer(P, body);
  expect(JSON.stringify(answered)).toBe(JSON.stringify(wanted));
});
