// Prices of tokens in projects: rows of the database, since they are few and short.

import { Fault } from "@assay/base";
import { microseconds } from "@assay/calls";
import type { CostStore, TokenCost } from "@assay/trace-core";
import { DATABASE_FILE } from "../records/record-files.ts";
import { type RecordParts, writeIn, writeInAll } from "./parts.ts";

/** Stores costs in a data directory. */
export function duckdbCostStore(parts: RecordParts): CostStore {
  const { database, projects } = parts;
  return {
    put(costs) {
      const names = [...new Set(costs.map(({ project_id }) => project_id))];
      return writeInAll(parts, names, (transaction, numbers) =>
        transaction.append("costs", [
          { type: "INTEGER", values: costs.map(({ project_id }) => numbers[names.indexOf(project_id)]!) },
          { type: "VARCHAR", values: costs.map(({ id }) => id) },
          { type: "DOUBLE", values: Float64Array.from(costs, ({ created_at }) => microseconds(created_at)) },
          { type: "VARCHAR", values: costs.map((cost) => JSON.stringify(cost)) },
        ]),
      );
    },

    async all(name) {
      const project = projects.find(name);
      if (project === undefined) return [];
      const sql = "SELECT body FROM costs WHERE project = ? ORDER BY created, id";
      const [bodies] = await database.columns(sql, [project.number]);
      return bodies!.map((body) => costOf(body as string));
    },

    remove: (name, ids) =>
      writeIn(parts, name, (transaction, project) =>
        transaction.run("DELETE FROM costs WHERE project = ? AND id IN (SELECT unnest(?::VARCHAR[]))", [
          project,
          ids,
        ]),
      ),
  };
}

function costOf(body: string): TokenCost {
  try {
    return JSON.parse(body) as TokenCost;
  } catch (error) {
    throw new Fault("corrupt", "a cost of tokens cannot be read", { cause: error, file: DATABASE_FILE });
  }
}
