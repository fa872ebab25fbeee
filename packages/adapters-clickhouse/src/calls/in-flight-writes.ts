// Tracks which writes of a project have started and not ended. A write consists of several inserts, any of which may
// fail. Data of a write that has not ended counts as not written; repeating the put writes all of it again.

import { quoted } from "../columns/json-paths.ts";
import type { ClickHouse } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";

/** What a write changed, for readers that cache data. */
interface Changed {
  /** Whether it wrote calls or dataset rows. */
  readonly what: "calls" | "rows";
  /** Whether a call left a parent. */
  readonly moved: boolean;
}

/** The open writes of a database's projects. */
export interface InFlightWrites {
  /** Performs a write, which is open under its version until it is finished, or forever if it fails. */
  during(project: string, version: number, write: () => Promise<Changed>): Promise<void>;
  /** The versions of a project's open writes. */
  versions(project: string): Promise<ReadonlySet<number>>;
}

/** The open writes of a database. */
export function inFlightWrites(clickhouse: ClickHouse, tables: Tables): InFlightWrites {
  // Two processes may give their writes the same version, so open ones are counted. ClickHouse drops a version with a
  // count of 0 when it merges.
  const note = (project: string, version: number, count: 1 | -1, columns = ""): Promise<void> =>
    clickhouse.insert(tables.projects, [
      `{"project":${quoted(project)},"open":[[${version}],[${count}]]${columns}}`,
    ]);
  return {
    async during(project, version, write) {
      await note(project, version, 1);
      const { what, moved } = await write();
      const columns =
        what === "calls"
          ? `"call_writes":1,"version":${version},"moved":${moved ? version : 0}`
          : `"row_writes":1`;
      await note(project, version, -1, `,${columns}`);
    },
    async versions(project) {
      const parameters = new Parameters();
      const sql = `SELECT arrayMap(v -> toString(v), sumMap(open).1) FROM ${tables.projects} WHERE project = ${parameters.text(project)}`;
      const [[open]] = (await clickhouse.query(parameters.statement(sql))) as [[readonly string[]]];
      return new Set(open.map(Number));
    },
  };
}
