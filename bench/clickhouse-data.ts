// Evaluations in ClickHouse's tables, made by ClickHouse itself: shredding millions of calls here would take an hour, and
// is not what is measured. Columns are as `shred.ts` of the adapter writes them, which the answers are held to.

import type { ClickHouse } from "@assay/adapters-clickhouse";

/** The evaluations of each project, side by side over the same rows. */
export const EVALUATIONS: readonly string[] = Array.from({ length: 8 }, (_, e) => `evaluation-${e}`);

/** The subcolumn of `scores.quality`, a number; of `scores.pass`, a boolean; of `scores.judge.reason`, a text. */
const COLUMNS = { quality: "kquality", pass: "kpass", reason: "kjudge_Zreason" } as const;

const SHAPE = JSON.stringify([
  [["quality"], "number"],
  [["pass"], "boolean"],
  [["judge", "reason"], "string"],
]);

/** Fills a project with one trial of each of `rows` rows in each evaluation. Digests are as long as real ones. */
export async function fill(
  clickhouse: ClickHouse,
  database: string,
  project: string,
  rows: number,
): Promise<void> {
  for (const [e, evaluation] of EVALUATIONS.entries()) {
    const source = `SELECT number AS r, concat(hex(sipHash128(r)), substring(hex(sipHash128(r + 1)), 1, 11)) AS row,
        concat('${project}-${e}-', hex(sipHash64(r, ${e}))) AS trial, 1700000000000000 + r AS at,
        (sipHash64(r, ${e}, 'q') % 10000) / 10000 + 0.00001 AS quality, sipHash64(r, ${e}, 'p') % 3 = 0 AS pass,
        concat('reason ', toString(r % 5)) AS reason, concat('The answer to ', toString(r), ' is ', toString(sipHash64(r, ${e}))) AS said
      FROM numbers(${rows})`;
    const reference = "concat('weave:///acme/demo/object/rows:v1/attr/rows/id/', row)";
    await clickhouse.command(`INSERT INTO ${database}.trials
      SELECT '${project}', '${evaluation}', trial, 1, 0, row, '', at, ${reference}, 100 + r % 50, NULL, '${SHAPE}', 1, 0,
        concat('{"${COLUMNS.quality}":', toString(quality), ',"${COLUMNS.pass}":', if(pass, 'true', 'false'), ',"${COLUMNS.reason}":"s', reason, '"}')::JSON,
        concat('{"koutput":"s', said, '"}')::JSON, '{}'::JSON FROM (${source})`);
    const facts = `{"predictCallId":null,"latency":1,"tokens":100,"scorerCallIds":{},"spans":null}`;
    await clickhouse.command(`INSERT INTO ${database}.payloads
      SELECT '${project}', '${evaluation}', trial, 1, 0, at, concat('"', ${reference}, '"'),
        concat('{"output":"', said, '","scores":{"quality":', toString(quality), ',"pass":', if(pass, 'true', 'false'), ',"judge":{"reason":"', reason, '"}}}'),
        concat('{"id":"', trial, '","startedAt":null,"digest":"', row, '","facts":${facts},"ownFacts":${facts}}')
      FROM (${source})`);
  }
}

/** The best SQL known to us for one request alone, over the same tables. */
export function byHand(
  database: string,
  project: string,
  final: boolean,
): { readonly page: string; readonly summary: string } {
  const list = EVALUATIONS.map((id) => `'${id}'`).join(", ");
  const from = `FROM ${database}.trials AS t ${final ? "FINAL" : ""} WHERE project = '${project}' AND evaluation IN (${list})`;
  const quality = `t.scores.${COLUMNS.quality}.:Float64`;
  const means = EVALUATIONS.map((id, e) => `avgIf(${quality}, evaluation = '${id}') AS m${e}`).join(", ");
  const bound = (value: string) => EVALUATIONS.map((_, e) => `ifNull(m${e}, ${value})`).join(", ");
  const pass = `t.scores.${COLUMNS.pass}.:Bool`;
  return {
    page: `SELECT digest, greatest(${bound("-inf")}) - least(${bound("inf")}) AS d, count() OVER () AS total
      FROM (SELECT digest, ${means} ${from} GROUP BY digest) ORDER BY d DESC, digest LIMIT 20`,
    summary: `SELECT evaluation, count(), avg(${quality}), count(${quality}), countIf(${pass}), count(${pass}),
        count(t.scores.${COLUMNS.reason}.:String), sum(tokens), (SELECT count() FROM (SELECT digest ${from} GROUP BY digest))
      ${from} GROUP BY evaluation ORDER BY evaluation`,
  };
}
