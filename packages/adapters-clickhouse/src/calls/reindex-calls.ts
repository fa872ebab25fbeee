// Updates derived data of calls to the current rules; otherwise data derived by an earlier version stays until its call
// is written again. Writes each call again unchanged with a higher version, so it replaces itself, and an interrupted
// run can resume.

import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { callWriter, RULES } from "./call-writer.ts";
import { versionsBy } from "./versions.ts";

// The number of calls whose texts are in memory at once.
const SLICE = 1024;

/** Reads all calls again whose derived data is from earlier rules. */
export async function reindexCalls(clickhouse: ClickHouse, tables: Tables): Promise<void> {
  const writer = callWriter(
    clickhouse,
    tables,
    versionsBy(() => Date.now() * 1000),
  );
  for (let after: readonly [project: string, id: string] = ["", ""]; ; ) {
    const parameters = new Parameters();
    const place = `(${parameters.text(after[0])}, ${parameters.text(after[1])})`;
    const sql = `SELECT project, id FROM ${tables.calls} FINAL WHERE rules < ${RULES} AND (project, id) > ${place} ORDER BY project, id LIMIT ${SLICE}`;
    const rows = (await clickhouse.query(parameters.statement(sql))) as readonly [string, string][];
    const byProject = new Map<string, string[]>();
    for (const [project, id] of rows) {
      const ids = byProject.get(project);
      if (ids === undefined) byProject.set(project, [id]);
      else ids.push(id);
    }
    for (const [project, ids] of byProject) await writer.rewrite(project, ids);
    if (rows.length < SLICE) return;
    after = rows.at(-1)!;
  }
}
