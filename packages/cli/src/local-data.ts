// The data in a data directory, which this process then has open alone.

import {
  exportCalls,
  exportRows,
  importCalls,
  importRows,
  openStore,
  readLines,
  type Store,
} from "@assay/adapters-duckdb";
import type { BadLine } from "@assay/adapters-http";
import type { Issue } from "@assay/base";
import { createEvalEngine, type EvalEngine } from "@assay/eval-engine";
import type { DataAccess } from "./data-access.ts";

/** A data directory that is open: what commands ask of it, and what a server is made of. */
export interface LocalData extends DataAccess {
  readonly engine: EvalEngine;
  /** The stores of the directory. */
  readonly store: Store;
  /** Tells other processes that this one serves the directory at `address`. */
  announce(address: string): void;
}

/** Bad lines of an import that are kept to be shown; more are counted. */
const SHOWN = 100;

/** Opens a data directory, made when it is not there. Throws a `conflict` fault when it is open elsewhere. */
export async function openLocalData(directory: string): Promise<LocalData> {
  const store = await openStore({ directory });
  const { calls, rows, segments } = store;
  const pause = () => new Promise<void>((resume) => setImmediate(resume));
  const engine = createEvalEngine({ calls, rows, segments, pause });

  /** How many rows an evaluation has: the engine knows what a row is. */
  const rowsOf = async (project: string, id: string): Promise<number> =>
    (await engine.query(project, { evaluation_call_ids: [id], include_rows: false })).total_rows;

  return {
    where: directory,
    engine,
    store,
    query: (project, body) => engine.answer(project, body),
    async evaluations(project) {
      const listed = [];
      for (const entry of await store.evaluations(project)) {
        listed.push({ ...entry, rows: await rowsOf(project, entry.id) });
      }
      return listed;
    },
    async importLines(project, kind, bytes) {
      const bad: BadLine[] = [];
      const onBadLine = (line: number, issues: readonly Issue[]) => {
        if (bad.length < SHOWN) bad.push({ line, reason: issues.map(({ message }) => message).join("; ") });
      };
      const lines = readLines(bytes);
      const { badLines, ...done } = await (kind === "calls"
        ? importCalls(calls, project, lines, { onBadLine })
        : importRows(rows, project, lines, { onBadLine }));
      return { ...done, bad_lines: badLines, bad };
    },
    async *exportLines(project, kind, evaluations) {
      if (kind === "calls") {
        for await (const some of exportCalls(calls, project, evaluations))
          if (some.length > 0) yield linesOf(some.map(({ text }) => text));
      } else {
        for await (const some of exportRows(calls, rows, project, evaluations))
          if (some.length > 0) yield linesOf(some);
      }
    },
    announce: (address) => store.announce(address),
    close: () => store.close(),
  };
}

function linesOf(texts: readonly (string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(texts.flatMap((text) => [Buffer.from(text), NEWLINE]));
}

const NEWLINE = Buffer.from("\n");
