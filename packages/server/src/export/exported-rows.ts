// The rows that a page shows, as a table to download, with the same filters, changes and order.

import type { PageFileOptions, TableSource } from "@assay/adapters-http/internal";
import { bad, type Cancellation, Fault, ok } from "@assay/base";
import type { EvalResultsQueryBody, EvalResultsRow } from "@assay/eval-engine";
import type { RowPageBody } from "@assay/eval-engine/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import type { ServerData } from "../data/server-data.ts";
import { chosenContent } from "./chosen-content.ts";
import { keptTrials } from "./filtered-trials.ts";
import { flatTrials } from "./flat-trials.ts";
import { tableBytes } from "./table-bytes.ts";

type Data = Pick<ServerData, "engine" | "query" | "evaluations" | "exportLines" | "directions">;

/** Exports rows of open data as tables, or as page files. `page` is the folder of the built page. */
export function exportedRows(data: Data, page: URL | undefined): TableSource {
  let making = false;
  return {
    async file(project, body, choice, signal) {
      // Limits exports to one at a time: a file stays in memory until it is sent.
      if (making) throw new Fault("overloaded", "another export is running: try again in a moment");
      making = true;
      try {
        return await rowsFile(data, { project, body: body as RowPageBody, choice, page, signal });
      } finally {
        making = false;
      }
    },
    table: (project, body, format, signal) => {
      const { query } = body as RowPageBody;
      const pages = shownPages(data, project, body as RowPageBody, signal);
      return tableBytes(flatTrials(data, project, query, pages), format);
    },
  };
}

interface FileOf {
  readonly project: string;
  readonly body: RowPageBody;
  readonly choice: PageFileOptions;
  readonly page: URL | undefined;
  readonly signal: Cancellation;
}

async function rowsFile(data: Data, { project, body, choice, page, signal }: FileOf) {
  const { evaluation_call_ids: ids, filters } = body.query;
  const named = await data.evaluations(project, ids == null ? {} : { named: ids });
  const evaluations = named.filter(({ id }) => ids?.includes(id) ?? true);
  const picked = (body.row_filters?.length ?? 0) > 0 || body.change != null;
  const narrowed = picked || (filters?.length ?? 0) > 0;
  const kept = narrowed
    ? await keptTrials(shownRows(data, body), project, { ...body.query, sort_by: null })
    : undefined;
  const content = await chosenContent(data, { project, evaluations, choice, kept });
  const { exportedFile } = await import("./exported-file.ts");
  const file = await exportedFile(page, {
    ...{ project, made: new Date().toISOString(), evaluations: content.evaluations, picked },
    directions: [...((await data.directions?.get(project)) ?? [])],
    ...{ rows: whileWanted(content.rows, signal), calls: whileWanted(content.calls, signal) },
  });
  const untouched = content.untouched().map(printFieldPath);
  if (untouched.length === 0) return file;
  await file?.close();
  throw new Fault("conflict", `cannot redact ${untouched.join(", ")}: no row or trial has such a field`);
}

async function* whileWanted<T>(items: AsyncIterable<T>, signal: Cancellation): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal.aborted) throw new Fault("cancelled", "the client disconnected");
    yield item;
  }
}

/** Answers a query with the complete rows that a page shows. */
function shownRows({ engine, query }: Data, page: RowPageBody): Pick<ServerData, "query"> {
  return {
    async query(project, body) {
      const asked = body as EvalResultsQueryBody;
      if (asked.include_rows === false) return query(project, asked);
      const { limit = null, offset = 0 } = asked;
      const shown = await engine.answerView("page", project, viewOf(page, limit, offset));
      if (!shown.ok) return bad(shown.issues);
      const digests = shown.value.rows.map(({ row_digest }) => row_digest);
      const whole = await query(project, { ...asked, ...rowsOf(digests) });
      return whole.ok ? ok({ ...whole.value, rows: inOrder(whole.value.rows, digests) }) : whole;
    },
  };
}

// The number of rows per request by digest.
const PAGE = 200;

/** The complete rows that a page shows, in its order, read in chunks as large as the engine's partial answers. */
async function* shownPages(
  { engine, query }: Data,
  project: string,
  view: RowPageBody,
  signal: Cancellation,
): AsyncGenerator<readonly EvalResultsRow[]> {
  const { offset: first = 0, limit } = view.query;
  const end = limit == null ? Number.POSITIVE_INFINITY : first + limit;
  for (let offset = first; offset < end; offset += PAGE) {
    const most = Math.min(PAGE, end - offset);
    const shown = await engine.answerView("page", project, viewOf(view, most, offset), { signal });
    if (!shown.ok) throw new Fault("unavailable", "the page of an export was refused");
    const digests = shown.value.rows.map(({ row_digest }) => row_digest);
    for (let [from, together] = [0, PAGE]; from < digests.length; ) {
      const some = digests.slice(from, from + together);
      const asked = { ...view.query, ...WHOLE, ...rowsOf(some) };
      const rows = await rowsTogether({ engine, query }, project, asked, signal);
      if (rows === undefined) {
        together = Math.ceil(some.length / 2);
        continue;
      }
      from += some.length;
      together = Math.min(PAGE, 2 * together);
      yield inOrder(rows, some);
    }
    if (digests.length < most) return;
  }
}

const WHOLE = {
  include_summary: false,
  include_rows: true,
  include_raw_data_rows: true,
  resolve_row_refs: true,
};

/** The rows of an answer; undefined if they exceed one part, which would take too much memory. */
async function rowsTogether(
  { engine, query }: Pick<Data, "engine" | "query">,
  project: string,
  asked: EvalResultsQueryBody,
  signal: Cancellation,
): Promise<readonly EvalResultsRow[] | undefined> {
  const refused = new Fault("unavailable", "the rows of an export were refused");
  if (engine.answerInParts === undefined) {
    const answer = await query(project, asked);
    if (!answer.ok) throw refused;
    return answer.value.rows;
  }
  const answer = await engine.answerInParts(project, asked, { signal });
  if (!answer.ok) throw refused;
  const { rows, row_count: count } = answer.value;
  try {
    const { done, value } = await rows.next();
    if (done === true) return [];
    return value.length === count ? value : undefined;
  } finally {
    await rows.return([]);
  }
}

/** The view that fetches only the digests of a page's rows. */
function viewOf(page: RowPageBody, limit: number | null, offset: number): RowPageBody {
  return { ...page, query: { ...page.query, limit, offset }, measures: [], preview_chars: 0 };
}

/** The part of a query that selects the rows with these digests. */
function rowsOf(digests: readonly string[]): Partial<EvalResultsQueryBody> {
  const listed = { $in: [{ $getField: "row_digest" }, digests.map((digest) => ({ $literal: digest }))] };
  return {
    ...{ filters: [{ query: { $expr: listed } }], filter_logic_operator: "or" },
    ...{ sort_by: null, limit: null, offset: 0 },
  };
}

function inOrder(rows: readonly EvalResultsRow[], digests: readonly string[]): readonly EvalResultsRow[] {
  const place = new Map(digests.map((digest, i) => [digest, i]));
  return [...rows].sort((a, b) => place.get(a.row_digest)! - place.get(b.row_digest)!);
}
