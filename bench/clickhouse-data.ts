// Evaluations in ClickHouse's tables, made by ClickHouse itself: splitting millions of calls here would take an hour, and
// is not what is measured. Columns are as `trial-rows.ts` of the adapter writes them: `expectFilledAsWritten` holds them to it.

import { type ClickHouse, clickHouseStore, migrateClickHouse } from "@assay/adapters-clickhouse";
import type { Statement } from "@assay/adapters-clickhouse/internal";
import { type CallText, readCall } from "@assay/calls";

/** The evaluations of each project, side by side over the same rows. */
export const EVALUATIONS: readonly string[] = Array.from({ length: 8 }, (_, e) => `evaluation-${e}`);

/** The subcolumn of `scores.quality`, a number; of `scores.pass`, a boolean; of `scores.judge.reason`, a text. */
const COLUMNS = { quality: "kquality", pass: "kpass", reason: "kjudge_Zreason" } as const;

const SHAPE = JSON.stringify([
  [["quality"], "number"],
  [["pass"], "boolean"],
  [["judge", "reason"], "string"],
]);

// What a trial is made of: `callsOf` reads it to write the calls of the same trial, so that the two can be compared.
function sourceSql(project: string, e: number, rows: number): string {
  return `SELECT number AS r, concat('r', hex(sipHash128(r)), substring(hex(sipHash128(r + 1)), 1, 10)) AS row,
    concat('${project}-${e}-', hex(sipHash64(r, ${e}))) AS trial, 1700000000000000 + r AS at,
    concat('weave:///acme/demo/object/rows:v1/attr/rows/id/', row) AS reference, 100 + r % 50 AS total,
    (sipHash64(r, ${e}, 'q') % 90000 + 10000) / 100000 AS quality, sipHash64(r, ${e}, 'p') % 3 = 0 AS pass,
    concat('reason ', toString(r % 5)) AS reason, concat('The answer to ', toString(r), ' is ', toString(sipHash64(r, ${e}))) AS said
    FROM numbers(${rows})`;
}

/** Fills a project with one trial of each of `rows` rows in each evaluation. Digests are as long as real ones. */
export async function fill(
  clickhouse: ClickHouse,
  database: string,
  project: string,
  rows: number,
): Promise<void> {
  const truth = "if(pass, 'true', 'false')";
  const judge = `concat('{"reason":"', reason, '"}')`;
  const scores = `concat('{"quality":', toString(quality), ',"pass":', ${truth}, ',"judge":', ${judge}, '}')`;
  // An object is kept with a hash by which equal ones are told: of its canonical JSON, with keys in order and spaces.
  const object = (canonical: string, json: string) =>
    `concat('"o', lower(hex(substring(SHA256(${canonical}), 1, 16))), replaceAll(${json}, '"', '\\\\"'), '"')`;
  const canonicalJudge = `concat('{"reason": "', reason, '"}')`;
  const canonicalScores = `concat('{"judge": ', ${canonicalJudge}, ', "pass": ', ${truth}, ', "quality": ', toString(quality), '}')`;
  const nodes = `concat('{"root":', ${object(canonicalScores, scores)}, ',"${COLUMNS.quality}":', toString(quality), ',"${COLUMNS.pass}":', ${truth},
    ',"kjudge":', ${object(canonicalJudge, judge)}, ',"${COLUMNS.reason}":"s', reason, '"}')`;
  const facts = `concat('{"predictCallId":null,"latency":null,"tokens":', toString(total), ',"scorerCallIds":{},"spans":null}')`;
  for (const [e, evaluation] of EVALUATIONS.entries()) {
    const source = sourceSql(project, e, rows);
    await clickhouse.command(`INSERT INTO ${database}.trials
      SELECT '${project}', '${evaluation}', trial, 1, 0, row, '', at, reference, total, total, '${SHAPE}', 1, 0,
        ${nodes}::JSON, concat('{"koutput":"s', said, '"}')::JSON, '{}'::JSON FROM (${source}) SETTINGS max_insert_threads = 2`);
    await clickhouse.command(`INSERT INTO ${database}.payloads
      SELECT '${project}', '${evaluation}', trial, 1, 0, at, concat('"', reference, '"'),
        concat('{"output":"', said, '","scores":', ${scores}, '}'),
        concat('{"id":"', trial, '","digest":"', row, '","facts":', ${facts}, ',"ownFacts":', ${facts}, '}')
      FROM (${source}) SETTINGS max_insert_threads = 2`);
  }
  // What a large import is followed by: see the documentation for those who run it.
  for (const table of ["trials", "payloads"])
    await clickhouse.command(`OPTIMIZE TABLE ${database}.${table} FINAL`);
}

/** The calls that the trials of `fill` would be made of. */
async function callsOf(clickhouse: ClickHouse, project: string, rows: number): Promise<readonly CallText[]> {
  const calls: CallText[] = [];
  for (const [e, evaluation] of EVALUATIONS.entries()) {
    const found = await clickhouse.query({
      sql: `SELECT trial, formatDateTime(fromUnixTimestamp64Micro(toInt64(at), 'UTC'), '%Y-%m-%dT%H:%i:%S.%fZ'), reference, total, quality, pass, reason, said FROM (${sourceSql(project, e, rows)})`,
      params: {},
    });
    for (const [id, started_at, example, tokens, quality, pass, reason, said] of found) {
      const value = {
        id,
        parent_id: evaluation,
        op_name: "Evaluation.predict_and_score",
        started_at,
        inputs: { example },
        output: { output: said, scores: { quality, pass: pass === 1, judge: { reason } } },
        summary: { usage: { model: { total_tokens: Number(tokens) } } },
      };
      const call = readCall(value);
      if (!call.ok) throw new Error(JSON.stringify(call.issues));
      calls.push({ call: call.value, text: JSON.stringify(value) });
    }
  }
  return calls;
}

/** Throws unless trials that are filled in are those that the adapter writes for the same calls, column by column. */
export async function expectFilledAsWritten(clickhouse: ClickHouse, rows: number): Promise<void> {
  const [filled, written] = ["filled", "written"] as const;
  for (const database of [filled, written]) await migrateClickHouse(clickhouse, database);
  await fill(clickhouse, filled, "acme/same", rows);
  const { calls } = clickHouseStore(clickhouse, { database: written });
  await calls.put("acme/same", await callsOf(clickhouse, "acme/same", rows));
  for (const table of ["trials", "payloads"]) {
    const columns = (database: string) =>
      clickhouse.query({
        sql: `SELECT * EXCEPT version FROM ${database}.${table} FINAL ORDER BY evaluation, id`,
        params: {},
      });
    const [a, b] = [await columns(filled), await columns(written)];
    const at = b.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(a[i]));
    if (at >= 0 || a.length !== rows * EVALUATIONS.length)
      throw new Error(`${table} is filled otherwise than written: ${JSON.stringify([a[at], b[at]])}`);
  }
  for (const database of [filled, written]) await clickhouse.command(`DROP DATABASE ${database}`);
}

/**
 * The best SQL known to us for a single request, over the same tables: the rows of the page, whose count before the
 * limit is the total, and what is written out of them; the summary.
 */
export function byHand(
  database: string,
  project: string,
  final: boolean,
): {
  readonly page: Statement;
  readonly payloads: (digests: readonly string[]) => Statement;
  readonly summary: Statement;
} {
  const list = EVALUATIONS.map((id) => `'${id}'`).join(", ");
  const of = `WHERE project = '${project}' AND evaluation IN (${list})`;
  const read = final ? "FINAL" : "";
  const from = `FROM ${database}.trials AS t ${read} ${of}`;
  const quality = `t.scores.${COLUMNS.quality}.:Float64`;
  const means = EVALUATIONS.map((id, e) => `avgIf(${quality}, evaluation = '${id}') AS m${e}`).join(", ");
  const bound = (value: string) => EVALUATIONS.map((_, e) => `ifNull(m${e}, ${value})`).join(", ");
  const pass = `t.scores.${COLUMNS.pass}.:Bool`;
  return {
    page: {
      sql: `SELECT digest, greatest(${bound("-inf")}) - least(${bound("inf")}) AS d
        FROM (SELECT digest, ${means} ${from} GROUP BY digest) ORDER BY d DESC, digest LIMIT 20`,
      params: {},
    },
    payloads: (digests) => ({
      sql: `SELECT evaluation, example, output, facts, started FROM ${database}.payloads ${read} ${of}
        AND (evaluation, id) IN (SELECT evaluation, id FROM ${database}.trials ${of} AND digest IN {digests:Array(String)})`,
      params: { digests },
    }),
    summary: {
      sql: `SELECT evaluation, count(), avg(${quality}), count(${quality}), countIf(${pass}), count(${pass}),
          count(t.scores.${COLUMNS.reason}.:String), sum(tokens), (SELECT count() FROM (SELECT digest ${from} GROUP BY digest))
        ${from} GROUP BY evaluation ORDER BY evaluation`,
      params: {},
    },
  };
}

/** Bytes on the disk, by table. */
export async function onDisk(
  clickhouse: ClickHouse,
  database: string,
): Promise<readonly (readonly [table: string, bytes: number])[]> {
  const sizes = await clickhouse.query({
    sql: "SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = {database:String} GROUP BY table ORDER BY table",
    params: { database },
  });
  return sizes.map(([table, bytes]) => [String(table), Number(bytes)]);
}
