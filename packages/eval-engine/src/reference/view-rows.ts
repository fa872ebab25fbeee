// The specification of views over plain objects, for the implementation over columns. Never make it faster at the
// expense of clarity.

import type { CallSource, RowSource } from "@assay/calls";
import type { EvalQuery } from "../query/request.ts";
import type { RequestedData } from "../statistics/rows/selected-rows.ts";
import type { ViewRows } from "../view/view-rows.ts";
import { naive, readRows } from "./naive.ts";
import { referenceRows } from "./selected-rows.ts";

/** The rows that a query selects, computed in the simplest way. */
export async function referenceView(
  source: { readonly calls: CallSource; readonly rows: RowSource },
  project: string,
  query: EvalQuery,
  requested: RequestedData,
): Promise<ViewRows> {
  const all = {
    ...query,
    rows: true,
    rawRows: true,
    resolveRefs: true,
    summary: false,
    limit: null,
    offset: 0,
  };
  const ordered = (await naive(source.calls, source.rows, project, all)).rows;
  const byDigest = { ...all, sortBy: [] };
  const selected = (await naive(source.calls, source.rows, project, byDigest)).rows;
  const unfiltered = { ...byDigest, filters: [], intersect: false };
  const everything = (await naive(source.calls, source.rows, project, unfiltered)).rows;
  const trials = await readRows(source.calls, project, query.evaluations);
  return {
    selection: await referenceRows(source, project, query, requested),
    async inOrder(rows, from, to) {
      const places = ordered.map(({ row_digest }) =>
        selected.findIndex((row) => row.row_digest === row_digest),
      );
      return Uint32Array.from(places.filter((place) => rows?.includes(place) ?? true).slice(from, to));
    },
    write: async (rows) => Array.from(rows, (row) => selected[row]!),
    async *allRows() {
      yield everything.map(({ raw_data_row }) => raw_data_row);
    },
    outputs(evaluation, most) {
      const own = trials.flatMap((row) => row.trials.get(query.evaluations[evaluation]!)?.slice(0, 1) ?? []);
      return own.slice(0, most).map(({ output }) => output);
    },
  };
}
