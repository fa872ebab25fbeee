// Reads calls as stored, ordered by start: for export, and for clients that list calls.

import type { CallScan } from "@assay/calls";
import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { batchBySize } from "./batch-by-size.ts";
import { callOf } from "./call-text.ts";

// The number of calls whose texts are in memory at once, unless they are long.
const PAGE = 2048;

/** Scans the calls of a database. */
export function callScan(clickhouse: ClickHouse, tables: Tables): CallScan {
  return {
    async *scan(project, scope = {}) {
      for (let after: readonly [started: string, id: string] | undefined; ; ) {
        const parameters = new Parameters();
        const where = [`project = ${parameters.text(project)}`, "isNull(deleted_at)"];
        const within = (column: string, values: readonly string[] | undefined): void => {
          if (values !== undefined) where.push(`${column} IN ${parameters.texts(values)}`);
        };
        within("id", scope.ids);
        within("trace", scope.traceIds);
        within("parent", scope.parentIds);
        if (scope.rootsOnly === true) where.push("isNull(parent)");
        if (after !== undefined) {
          where.push(`(started, id) > (${parameters.bind("Int64", after[0])}, ${parameters.text(after[1])})`);
        }
        const sql = `SELECT toString(started), id, text FROM ${tables.calls} FINAL WHERE ${where.join(" AND ")} ORDER BY started, id`;
        const { rows, asked } = await batchBySize(PAGE, (count, options) =>
          clickhouse.query(parameters.statement(`${sql} LIMIT ${count}`), options),
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(([, id, text]) => ({
          call: callOf(id as string, text as string, null),
          text: text as string,
        }));
        if (rows.length < asked) return;
        after = [last[0] as string, last[1] as string];
      }
    },
  };
}
