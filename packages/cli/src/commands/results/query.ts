// assay query: runs an evaluation query and prints the answer.

import type { TableFormat } from "@assay/adapters-http/internal";
import type { Issue } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { EvalResultsQueryBody, EvaluationEntry } from "@assay/eval-engine";
import { readRequest, resultsText } from "@assay/eval-engine/internal";
import { flatTrials } from "@assay/server/export";
import type { DataAccess } from "@assay/server/internal";
import { openSource, sourceOf } from "../../data/file-data.ts";
import type { OpenOptions } from "../../data/open-data.ts";
import { readBodyFile } from "../../files/read-body-file.ts";
import { TABLE_FORMATS } from "../../files/table-formats.ts";
import { checkOutput, writeTable } from "../../files/write-table.ts";
import type { ReadingOptions } from "../../import/import-plan.ts";
import { failOnMissing, faultsOfQuery } from "../../query/check-names.ts";
import { defaultQuery, otherEvaluations } from "../../query/default-query.ts";
import { evaluationsNamed, withoutCommonRows } from "../../query/named-evaluations.ts";
import { bodyOfQuery, type QueryOptions, readQueryOptions } from "../../query/query-options.ts";
import { type CliContext, info, log, print, printJson, write } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { plainJson } from "../../terminal/plain-text.ts";
import { withNotice } from "../../terminal/slow-notice.ts";

/** What to query. */
export interface QueryCommandOptions extends OpenOptions {
  /** How files are read. */
  readonly reading: ReadingOptions;
  readonly project: string;
  /** The file with the body of the query; `-` is standard input. Undefined for a query by options. */
  readonly body?: string | undefined;
  /** The options of the query; without any, it compares the latest evaluations. */
  readonly query: QueryOptions;
  /** Whether to include costs, which a body may also request. */
  readonly includeCosts: boolean;
  /** Whether to print the body without running the query. */
  readonly explain: boolean;
  /** Default: a table on a terminal, otherwise JSON. The other formats have one line per trial, with all rows. */
  readonly format?: "json" | "table" | TableFormat | undefined;
  /** The file to write; undefined for standard output. */
  readonly output?: string | undefined;
  /** Whether to treat missing evaluations and fields as empty. */
  readonly allowMissing: boolean;
}

/** The default number of rows of a query by options, and of the default comparison. */
const ROWS = { query: 20, comparison: 10 } as const;

/** Queries and prints. Returns the exit code. */
export async function queryCommand(context: CliContext, options: QueryCommandOptions): Promise<number> {
  const source = sourceOf(options.project, options.query.evaluations);
  const { project, names: evaluations } = source;
  const given = options.body === undefined ? undefined : await readBodyFile(context, options.body);
  const query = readQueryOptions({ ...options.query, evaluations });
  const { format = context.stdout.columns === undefined ? "json" : "table", output } = options;
  const flat = TABLE_FORMATS.find((one) => one === format);
  checkOutput(context, format, output);
  if (output !== undefined && flat === undefined)
    throw new Failure(EXIT.usage, `--output requires --format ${TABLE_FORMATS.join(", ")}`);
  const data = await openSource(context, source, options);
  try {
    const { allowMissing } = options;
    const requested = given ?? (await withNotice(context, queryOf()));
    const body =
      options.includeCosts && isJsonObject(requested) ? { ...requested, include_costs: true } : requested;
    const texts = query.conditions.map(({ text }) => text);
    const { missing, neverMet } =
      allowMissing && flat === undefined
        ? { missing: [], neverMet: [] }
        : await withNotice(context, faultsOfQuery(data, project, body));
    if (!allowMissing) failOnMissing(missing, texts);
    if (options.explain) {
      await printJson(context, body);
      return EXIT.ok;
    }
    const isChosen = given === undefined && query.evaluations.length === 0;
    if (isChosen) {
      const others = await otherEvaluations(data, project);
      if (others !== undefined) info(context, `assay: note: ${others}`);
    }
    if (flat === undefined)
      return await answer(context, data, project, body, { ...options, format, isChosen });
    // Errors of a query are reported before anything is written.
    const checked = readRequest(body);
    if (!checked.ok) return refused(context, checked.issues, options);
    for (const sentence of neverMet) info(context, `assay: note: ${sentence}`);
    const trials = await writeTable(
      context,
      flatTrials(data, project, body as EvalResultsQueryBody),
      flat,
      output,
    );
    if (output !== undefined) info(context, `wrote ${trials.toLocaleString("en")} trials to ${output}`);
    return EXIT.ok;

    function queryOf(): Promise<EvalResultsQueryBody> {
      const { evaluations, conditions, terms, offset } = query;
      const limit = query.limit ?? (flat === undefined ? ROWS.query : undefined);
      const none =
        flat === undefined &&
        evaluations.length + conditions.length + terms.length === 0 &&
        offset === undefined;
      if (none) return defaultQuery(data, project, options.query.limit ?? ROWS.comparison);
      return bodyOfQuery(data, project, { ...query, limit }, allowMissing);
    }
  } finally {
    await data.close();
  }
}

async function answer(
  context: CliContext,
  data: DataAccess,
  project: string,
  body: unknown,
  { format, isChosen, ...options }: QueryCommandOptions & { readonly isChosen: boolean },
): Promise<number> {
  const asked = format === "table" ? withRows(body) : body;
  const result = await withNotice(context, data.query(project, asked));
  if (!result.ok) return refused(context, result.issues, options);
  const apart = await withoutCommonRows(data, project, idsOf(body));
  for (const sentence of apart) info(context, `assay: note: ${sentence}`);
  if (format === "json") {
    for (const piece of resultsText(result.value)) await write(context, plainJson(piece));
    await print(context, "");
    return EXIT.ok;
  }
  const [{ resultsTable }, { verdictLines }] = await Promise.all([
    import("../../render/results-table.ts"),
    import("../../compare/verdict-lines.ts"),
  ]);
  const sortBy = (body as EvalResultsQueryBody).sort_by ?? [];
  const read = readRequest(body);
  const where = read.ok ? read.value.filters : [];
  const verdict = await withNotice(context, verdictLines(data, project, body, result.value, isChosen));
  const about =
    result.value.rows.length === 0 && where.some(({ evaluation }) => evaluation !== null)
      ? await requestedEvaluations(data, project, body)
      : [];
  const look = { width: context.stdout.columns ?? 100, sortBy, where, verdict, asked: about };
  await print(context, resultsTable(result.value, look));
  return EXIT.ok;
}

async function requestedEvaluations(
  data: DataAccess,
  project: string,
  body: unknown,
): Promise<readonly EvaluationEntry[]> {
  const ids = idsOf(body);
  return (await evaluationsNamed(data, project, ids)).filter(({ id }) => ids.includes(id));
}

function idsOf(body: unknown): readonly string[] {
  const read = readRequest(body);
  return read.ok ? read.value.evaluations : [];
}

/** Prints the issues of a query. */
function refused(
  context: CliContext,
  issues: readonly Issue[],
  { body }: Pick<QueryCommandOptions, "body">,
): number {
  for (const { path, message, code } of issues)
    log(context, `${body ?? "query"}: ${path.slice(1).join(".") || "body"}: ${message} (${code})`);
  return EXIT.usage;
}

/** The query with the rows' own fields, which a table shows, unless it sets that itself. */
function withRows(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  if ("include_raw_data_rows" in body || "resolve_row_refs" in body) return body;
  return { ...body, include_raw_data_rows: true, resolve_row_refs: true };
}
