// Which writes of a project have begun and not ended. A write is several inserts, and any of them may fail: what one
// that has not ended has left counts as not written, and putting the same again writes all of it again.

import type { ClickHouse } from "./clickhouse.ts";
import { quoted } from "./nodes.ts";
import type { Tables } from "./schema.ts";
import { Parameters } from "./sql/statement.ts";

/** What a write has changed, for those who keep what they have read. */
interface Changed {
  /** Whether it was calls or dataset rows. */
  readonly what: "calls" | "rows";
  /** Whether a call has left a parent. */
  readonly moved: boolean;
}

/** The open writes of the projects of a database. */
export interface OpenWrites {
  /** Does a write: open under its version until all of it is done, and for good when it fails. */
  during(project: string, version: number, write: () => Promise<Changed>): Promise<void>;
  /** The versions of a project's writes that are open. */
  versions(project: string): Promise<ReadonlySet<number>>;
}

/** The open writes of a database. */
export function openWrites(clickhouse: ClickHouse, tables: Tables): OpenWrites {
  // Two processes may give their writes the same version: those that are open are counted. ClickHouse forgets a version
  // whose count is 0 when it merges.
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
