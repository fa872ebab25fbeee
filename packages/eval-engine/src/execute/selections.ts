// The rows for statistics and pages of rows: selected by a query over the engine's columns, or by the specification.
// Only modules that the engine loads on the first such question may import this.

import type { Call, CallSource, RowSource } from "@assay/calls";
import type { Work } from "../kernels/work.ts";
import type { Prepared } from "../plan/prepare.ts";
import type { Selection } from "../plan/select-rows.ts";
import type { EvalQuery } from "../query/request.ts";
import { columnRows } from "../statistics/rows/columns.ts";
import type { SelectRows } from "../statistics/statistics.ts";
import { columnView } from "../view/columns.ts";
import type { ViewSelect } from "../view/view.ts";

/** The rows of a frame that a query selects, while they are read. */
interface SelectedFrame {
  readonly prepared: Prepared;
  /** `undefined` selects all rows. */
  readonly kept: Selection | undefined;
  readonly roots: readonly (Call | undefined)[];
}

/** The dependencies of selecting rows. */
export interface Selecting {
  readonly source: { readonly calls: CallSource; readonly rows: RowSource };
  readonly project: string;
  /** Whether the executable specification selects. */
  readonly naive: boolean;
  readonly work: Work;
  /** Opens what a query reads and keeps it open while `use` runs. */
  readonly overRows: <T>(
    query: EvalQuery,
    use: (rows: SelectedFrame, work: Work) => Promise<T>,
  ) => Promise<T>;
}

/** Selects rows for statistics, in no particular order. */
export function selectRows({ source, project, naive, work, overRows }: Selecting): SelectRows {
  return async (query, requested, use) => {
    if (naive) {
      const { referenceRows } = await reference();
      return use(await referenceRows(source, project, query, requested), work);
    }
    return overRows({ ...query, sortBy: [] }, async ({ prepared, kept, roots }, work) => {
      const columns = { project, query, frame: prepared.frame, roots, rows: source.rows };
      return use(await columnRows(columns, kept, requested, work), work);
    });
  };
}

/** Selects rows for a page. */
export function selectView({ source, project, naive, work, overRows }: Selecting): ViewSelect {
  return async (query, requested, use) => {
    if (naive) {
      const { referenceView } = await reference();
      return use(await referenceView(source, project, query, requested), work);
    }
    return overRows(query, async ({ prepared, kept, roots }, work) => {
      const columns = { project, query, frame: prepared.frame, roots, rows: source.rows };
      const selection = await columnRows(columns, kept, requested, work);
      return use(columnView({ project, prepared, rows: source.rows, kept, selection }, work), work);
    });
  };
}

const reference = () => import("../reference/index.ts");
