// The directions of scores in projects: the last row written for a score counts.

import { compareText } from "@assay/base/internal";
import type { KeptDirection, ScoreDirections } from "@assay/eval-engine";
import type { Versions } from "./calls/versions.ts";
import { quoted } from "./columns/json-paths.ts";
import type { ClickHouse } from "./connection/clickhouse.ts";
import type { Tables } from "./connection/schema.ts";
import { Parameters } from "./sql/statement.ts";

/** The directions of scores in a database. */
export function scoreDirections(
  clickhouse: ClickHouse,
  { directions: table }: Tables,
  versions: Versions,
): ScoreDirections {
  /** The direction of each score, with the time of the setting; '' if it was unset. */
  const written = async (project: string) => {
    const parameters = new Parameters();
    const sql = `SELECT field, direction, toString(version) FROM ${table} FINAL WHERE project = ${parameters.text(project)}`;
    return (await clickhouse.query(parameters.statement(sql))) as readonly [
      string,
      KeptDirection | "",
      string,
    ][];
  };
  return {
    async get(project) {
      const kept = (await written(project)).flatMap(([field, direction]) =>
        direction === "" ? [] : [[field, direction] as const],
      );
      return new Map(kept.sort(([a], [b]) => compareText(a, b)));
    },
    async put(project, directions) {
      const version = versions(Math.max(0, ...(await written(project)).map((row) => Number(row[2]))));
      const lines = Array.from(
        directions,
        ([field, direction]) =>
          `{"project":${quoted(project)},"field":${quoted(field)},"version":${version},"direction":${quoted(direction ?? "")}}`,
      );
      await clickhouse.insert(table, lines);
    },
  };
}
