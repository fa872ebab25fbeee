// The rows that a page shows, as a table to take away: the same filters, the same change, the same order.

import type { TableSource } from "@assay/adapters-http";
import { bad, ok } from "@assay/base";
import type { EvalResultsQueryBody, RowPageBody } from "@assay/eval-engine";
import { flatTrials } from "./flat-trials.ts";
import type { LocalData } from "./local-data.ts";
import { tableBytes } from "./write-table.ts";

type Data = Pick<LocalData, "engine" | "query">;

/** Writes tables of the rows of open data. */
export function exportedRows(data: Data): TableSource {
  return {
    table: (project, body, format) => {
      const page = body as RowPageBody;
      return tableBytes(flatTrials(shownRows(data, page), project, page.query), format);
    },
  };
}

/** Answers a query with the rows that a page shows, whole. */
function shownRows({ engine, query }: Data, page: RowPageBody): Pick<LocalData, "query"> {
  return {
    async query(project, body) {
      const asked = body as EvalResultsQueryBody;
      if (asked.include_rows === false) return query(project, asked);
      const { limit = null, offset = 0 } = asked;
      const shown = await engine.answerView("page", project, {
        ...page,
        query: { ...page.query, limit, offset },
        measures: [],
        preview_chars: 0,
      });
      if (!shown.ok) return bad(shown.issues);
      const digests = shown.value.rows.map(({ row_digest }) => row_digest);
      const listed = { $in: [{ $getField: "row_digest" }, digests.map((digest) => ({ $literal: digest }))] };
      const whole = await query(project, {
        ...asked,
        filters: [{ query: { $expr: listed } }],
        filter_logic_operator: "or",
        sort_by: null,
        limit: null,
        offset: 0,
      });
      if (!whole.ok) return whole;
      const place = new Map(digests.map((digest, i) => [digest, i]));
      const rows = [...whole.value.rows].sort((a, b) => place.get(a.row_digest)! - place.get(b.row_digest)!);
      return ok({ ...whole.value, rows });
    },
  };
}
