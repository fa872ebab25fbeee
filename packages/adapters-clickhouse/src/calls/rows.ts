// Dataset rows: by reference or digest, written and read like calls.

import { type Json, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { type RowScan, type RowSource, type RowWriter, rowIdOf } from "@assay/calls";
import { jsonPathsOf, quoted } from "../columns/json-paths.ts";
import { COLUMN_LIMITS, MARKS } from "../columns/trial-rows.ts";
import type { ClickHouse, RunOptions } from "../connection/clickhouse.ts";
import type { Tables } from "../connection/schema.ts";
import { Parameters } from "../sql/statement.ts";
import { batchBySize } from "./batch-by-size.ts";
import { hashOf } from "./call-text.ts";
import { inFlightWrites } from "./in-flight-writes.ts";
import type { Versions } from "./versions.ts";

const BATCH = 1000;

/** The dataset rows of a database, listed in the order of their names. */
export function rowStore(
  clickhouse: ClickHouse,
  tables: Tables,
  versions: Versions,
): RowSource & RowWriter & RowScan {
  const writes = inFlightWrites(clickhouse, tables);
  const selected = (project: string, keys: readonly string[], what: string, options?: RunOptions) => {
    const parameters = new Parameters();
    const where = `project = ${parameters.text(project)} AND key IN ${parameters.texts(keys)}`;
    const sql = `SELECT key, ${what} FROM ${tables.rows} FINAL WHERE ${where}`;
    return clickhouse.query(parameters.statement(sql), options);
  };
  const select = async (project: string, keys: readonly string[], what: string) => {
    const found = new Map<string, readonly unknown[]>();
    for (let at = 0; at < keys.length; at += BATCH)
      for (const row of await selected(project, keys.slice(at, at + BATCH), what))
        found.set(row[0] as string, row);
    return found;
  };

  return {
    async version(project) {
      const parameters = new Parameters();
      const sql = `SELECT toString(sum(row_writes)) FROM ${tables.projects} WHERE project = ${parameters.text(project)}`;
      const [[version]] = (await clickhouse.query(parameters.statement(sql))) as [[string]];
      return Number(version);
    },

    async rows(project, refs) {
      const keys = new Set(refs.flatMap((ref) => [ref, rowIdOf(ref) ?? ref]));
      const found = await select(project, [...keys], "text");
      return refs.map((ref) => {
        // A row stored under exactly this reference takes precedence over one stored only under its digest.
        const row = found.get(ref) ?? found.get(rowIdOf(ref) ?? ref);
        return row === undefined ? undefined : parseJson(row[1] as string);
      });
    },

    async *scan(project, names) {
      if (names !== undefined) {
        const wanted = [...new Set(names)].sort();
        for (let at = 0; at < wanted.length; ) {
          const { rows, asked } = await batchBySize(Math.min(BATCH, wanted.length - at), (count, options) =>
            selected(project, wanted.slice(at, at + count), "text", options),
          );
          yield rows.map(([key, text]) => exportLine(key as string, text as string));
          at += asked;
        }
        return;
      }
      for (let after: string | undefined; ; ) {
        const parameters = new Parameters();
        const where = `project = ${parameters.text(project)}${after === undefined ? "" : ` AND key > ${parameters.text(after)}`}`;
        const sql = `SELECT key, text FROM ${tables.rows} FINAL WHERE ${where} ORDER BY key`;
        const { rows, asked } = await batchBySize(BATCH, (count, options) =>
          clickhouse.query(parameters.statement(`${sql} LIMIT ${count}`), options),
        );
        if (rows.length > 0) yield rows.map(([key, text]) => exportLine(key as string, text as string));
        if (rows.length < asked) return;
        after = rows.at(-1)![0] as string;
      }
    },

    async put(project, rows) {
      const byKey = new Map(rows.map((row) => [row.ref ?? row.digest, jsonText(row.val)]));
      const known = await select(project, [...byKey.keys()], "hash, toString(version)");
      // Checked after reading: a write that ends in between has also finished writing these rows.
      const open = known.size === 0 ? new Set<number>() : await writes.versions(project);
      const changed = [...byKey].filter(([key, text]) => {
        const [, hash, version] = known.get(key) ?? [];
        return hash !== hashOf(text) || open.has(Number(version));
      });
      if (changed.length === 0) return 0;
      const version = versions(Math.max(0, ...[...known.values()].map(([, , version]) => Number(version))));
      await writes.during(project, version, async () => {
        await clickhouse.insert(
          tables.rows,
          changed.map(([key, text]) => rowLine(project, key, version, text)),
        );
        return { what: "rows", moved: false };
      });
      return changed.length;
    },
  };
}

/** A row as it arrived: under its reference, which contains its digest, or only under its digest. */
function exportLine(key: string, text: string): string {
  const digest = rowIdOf(key);
  return digest === undefined
    ? `{"digest":${quoted(key)},"val":${text}}`
    : `{"digest":${quoted(digest)},"ref":${quoted(key)},"val":${text}}`;
}

function rowLine(project: string, key: string, version: number, text: string): string {
  const nodes = jsonPathsOf([{ path: [], value: JSON.parse(text) as Json }], COLUMN_LIMITS.payload);
  const marks = (nodes.whole ? 0 : MARKS.example) | (nodes.wellFormed ? 0 : MARKS.text);
  return `{"project":${quoted(project)},"key":${quoted(key)},"version":${version},"marks":${marks},"hash":${quoted(hashOf(text))},"text":${quoted(text)},"value":${nodes.json}}`;
}
