// Shares reads between many questions about one selection: reads the columns of all measures and fields once, and gives
// each question its part.

import type { PushedExecutionParts } from "@assay/eval-engine/pushed";
import type { Pools } from "@assay/eval-engine/testing";
import type { FieldPath } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import type { ClickHouseStore } from "../src/index.ts";

/** The parts of a pushed-down execution for questions with the same query. */
export function readTogether(store: ClickHouseStore, { scores, fields }: Pools): PushedExecutionParts {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(what: unknown, read: () => Promise<T> | T): Promise<T> => {
    const key = JSON.stringify(what);
    const found = (known.get(key) as Promise<T> | undefined) ?? Promise.resolve(read());
    known.set(key, found);
    return found;
  };
  const rowFields = fields.map(pathOf);
  const { trials, calls, rows } = store;
  return {
    rows,
    calls: { calls: (project, ids) => once(["calls", ids], () => calls.calls(project, ids)) },
    trials: {
      open(of) {
        const opened = trials.open(of);
        const scoreLeaves = () => once("leaves", () => opened.scoreLeaves());
        return {
          ...opened,
          scoreLeaves,
          trials: (digests) => once(["trials", digests], () => opened.trials(digests)),
          async columns(asked) {
            const leaves = await scoreLeaves();
            const measured = scores.filter((score) => score !== "model_latency_seconds").map(pathOf);
            const measures = distinct([...measured, ...leaves.map((leaf) => ["scores", ...leaf])]);
            const found = await once("columns", () => opened.columns({ measures, fields: rowFields }));
            const measureAt = (path: FieldPath) => pick(found.measures, measures, path);
            return {
              ...found,
              measures: asked.measures.map(measureAt),
              fields: asked.fields.map((path) => pick(found.fields, rowFields, path)),
            };
          },
        };
      },
    },
  };
}

function pathOf(field: string): FieldPath {
  const path = readFieldPath(field);
  if (!path.ok) throw new Error(`${field} is not a field`);
  return path.value;
}

function distinct(paths: readonly FieldPath[]): readonly FieldPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

function pick<T>(columns: readonly T[], paths: readonly FieldPath[], path: FieldPath): T {
  const at = paths.findIndex((one) => JSON.stringify(one) === JSON.stringify(path));
  if (at === -1) throw new Error(`${JSON.stringify(path)} was not read`);
  return columns[at]!;
}
