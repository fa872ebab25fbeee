// The rows that a page shows, as a table to take away: the same filters, the same change, the same order.

import type { PageFileOptions, TableSource } from "@assay/adapters-http/internal";
import { bad, Fault, ok } from "@assay/base";
import type { EvalResultsQueryBody } from "@assay/eval-engine";
import type { RowPageBody } from "@assay/eval-engine/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import type { ServerData } from "../server-data.ts";
import { chosenContent } from "./chosen-content.ts";
import { flatTrials } from "./flat-trials.ts";
import { keptTrials } from "./kept-trials.ts";
import { tableBytes } from "./table-bytes.ts";

type Data = Pick<ServerData, "engine" | "query" | "evaluations" | "exportLines">;

/** Writes tables of the rows of open data, and files of the page with them; `page` is where the page was built. */
export function exportedRows(data: Data, page: URL | undefined): TableSource {
  let making = false;
  return {
    async file(project, body, choice) {
      // A file is in memory until it is sent.
      if (making) throw new Fault("overloaded", "another file is being made: try again in a moment");
      making = true;
      try {
        return await rowsFile(data, { project, body: body as RowPageBody, choice, page });
      } finally {
        making = false;
      }
    },
    table: (project, body, format) => {
      const view = body as RowPageBody;
      return tableBytes(flatTrials(shownRows(data, view), project, view.query), format);
    },
  };
}

interface FileOf {
  readonly project: string;
  readonly body: RowPageBody;
  readonly choice: PageFileOptions;
  readonly page: URL | undefined;
}

async function rowsFile(data: Data, { project, body, choice, page }: FileOf) {
  const { evaluation_call_ids: ids, filters } = body.query;
  const named = await data.evaluations(project, ids == null ? {} : { named: ids });
  const evaluations = named.filter(({ id }) => ids?.includes(id) ?? true);
  const narrowed = [filters, body.row_filters].some((some) => (some?.length ?? 0) > 0) || body.change != null;
  const kept = narrowed
    ? await keptTrials(shownRows(data, body), project, { ...body.query, sort_by: null })
    : undefined;
  const content = await chosenContent(data, { project, evaluations, choice, kept });
  const { exportedFile } = await import("./exported-file.ts");
  const file = await exportedFile(page, { project, made: new Date().toISOString(), ...content });
  const untouched = content.untouched().map(printFieldPath);
  if (untouched.length > 0)
    throw new Fault("conflict", `nothing has ${untouched.join(", ")}, which was to be redacted`);
  return file;
}

/** Answers a query with the rows that a page shows, whole. */
function shownRows({ engine, query }: Data, page: RowPageBody): Pick<ServerData, "query"> {
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
