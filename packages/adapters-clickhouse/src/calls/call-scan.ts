// Reads calls as stored, ordered by start: for export, and for clients that list calls.

import type { CallOrder, CallScan, CallScope } from "@assay/calls";
import { UNKNOWN_START } from "../columns/trial-rows.ts";
import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters, type Sql } from "../sql/statement.ts";
import { batchBySize } from "./batch-by-size.ts";
import { callOf } from "./call-text.ts";

// The number of calls whose texts are in memory at once, unless they are long.
const PAGE = 2048;

/** The number by which calls are ordered, lowest first. */
const ORDERS: { readonly [order in CallOrder]: Sql } = {
  oldest: "started",
  newest: `if(started = ${UNKNOWN_START}, started, -started)`,
  any: "toInt64(0)",
};

/** Scans the calls of a database. */
export function callScan(clickhouse: ClickHouse, tables: Tables): CallScan {
  return {
    async *scan(project, scope = {}, { order = "oldest", skip = 0 } = {}) {
      const by = ORDERS[order];
      for (let after: readonly [by: string, id: string] | undefined; ; ) {
        const parameters = new Parameters();
        const where = inScope(parameters, project, scope);
        if (after !== undefined) {
          where.push(`(${by}, id) > (${parameters.bind("Int64", after[0])}, ${parameters.text(after[1])})`);
        }
        const sql = `SELECT toString(${by}), id, text FROM ${tables.calls} FINAL WHERE ${where.join(" AND ")} ORDER BY ${by}, id`;
        const { rows, asked } = await batchBySize(PAGE, (count, options) =>
          clickhouse.query(parameters.statement(`${sql} LIMIT ${count} OFFSET ${after ? 0 : skip}`), options),
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

    async count(project, scope = {}) {
      const parameters = new Parameters();
      const where = inScope(parameters, project, scope).join(" AND ");
      const sql = `SELECT count() FROM ${tables.calls} FINAL WHERE ${where}`;
      const [row] = await clickhouse.query(parameters.statement(sql));
      return Number(row![0]);
    },
  };
}

const OP_NAME = "JSONExtractString(text, 'op_name')";

function inScope(parameters: Parameters, project: string, scope: CallScope): Sql[] {
  const where = [`project = ${parameters.text(project)}`, "isNull(deleted_at)"];
  const within = (column: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) where.push(`${column} IN ${parameters.texts(values)}`);
  };
  within("id", scope.ids);
  within("trace", scope.traceIds);
  within("parent", scope.parentIds);
  if (scope.rootsOnly === true) where.push("isNull(parent)");
  if (scope.startedOnly === true) where.push(`(started != ${UNKNOWN_START} OR ${OP_NAME} != '')`);
  if (scope.opNames !== undefined) {
    const [beginnings, names] = [true, false].map((isBeginning) =>
      scope.opNames!.filter((name) => name.endsWith(":*") === isBeginning),
    ) as [string[], string[]];
    const among = parameters.texts(beginnings.map((name) => name.slice(0, -1)));
    where.push(
      `(${OP_NAME} IN ${parameters.texts(names)} OR arrayExists(name -> startsWith(${OP_NAME}, name), ${among}))`,
    );
  }
  return where;
}
