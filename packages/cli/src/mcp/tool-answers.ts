// Answers of the MCP tools: each opens the data, runs the command of its name, and returns a text of a size that a
// model can read. The data is closed after each answer, so that imports can run in between.

import type { Json } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import { readRequest } from "@assay/eval-engine/internal";
import type { DataAccess } from "@assay/server/internal";
import { answerOf, type ComparisonRequest, checkCount } from "../commands/results/compare.ts";
import { conditionOf, findRow } from "../commands/results/show.ts";
import { checkCombination } from "../compare/request.ts";
import { type OpenOptions, openData } from "../data/open-data.ts";
import { projectArgument } from "../data/project-argument.ts";
import { failOnMissing, missingInQuery, missingProject } from "../query/check-names.ts";
import { withoutCommonRows } from "../query/named-evaluations.ts";
import { bodyOfQuery, readQueryOptions } from "../query/query-options.ts";
import { trialNotes } from "../query/trial-notes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";
import { queryAnswer } from "./query-answer.ts";
import { reportLines } from "./report-lines.ts";
import { firstThatFit, formatCount, MOST_CHARACTERS, partAt, truncateToFit } from "./truncate.ts";

/** A page of a list. */
interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A query: by options, or as the body of a request. */
interface QueryRequest extends Page {
  readonly project: string;
  readonly evaluations: readonly string[];
  readonly where: readonly string[];
  readonly sort: readonly string[];
  /** The body, if the query is not given by options. */
  readonly body?: { readonly [name: string]: unknown } | undefined;
}

/** A row, and which part of it. */
interface RowRequest {
  readonly project: string;
  readonly row: string;
  readonly evaluations: readonly string[];
  /** The JSON pointer of a part; empty for the whole. */
  readonly part: string;
  /** The number of characters, elements or fields of the part to skip. */
  readonly from: number;
}

/** The questions. Each fails with a sentence for the agent. */
export interface ToolAnswers {
  projects(page: Page): Promise<string>;
  evaluations(page: Page & { readonly project: string }): Promise<string>;
  query(request: QueryRequest): Promise<string>;
  /** A comparison, slices or a ranking, with a table of `slices` rows. */
  compare(request: ComparisonRequest, slices: number): Promise<string>;
  row(request: RowRequest): Promise<string>;
}

/**
 * The questions to the data that `options` name. They are answered one after the other, because a directory can only
 * be opened once.
 */
export function toolAnswers(context: CliContext, options: OpenOptions): ToolAnswers {
  const next = serialQueue();
  const withData = <T>(ask: (data: DataAccess) => Promise<T>): Promise<T> =>
    next(async () => {
      const data = await openData(context, options);
      try {
        return await ask(data);
      } finally {
        await data.close();
      }
    });
  return {
    projects: (page) =>
      withData(async (data) => {
        const projects = await data.listProjects();
        if (projects.length === 0) return `no projects in ${data.where}; import one with assay import`;
        return listText("projects", [...projects], page);
      }),
    evaluations: ({ project: name, ...page }) => {
      const project = projectArgument(name);
      return withData(async (data) => {
        const evaluations = await data.evaluations(project);
        if (evaluations.length === 0) failOnMissing([await missingProject(data, project)]);
        const newest = [...evaluations]
          .reverse()
          .map(({ id, name, model, rows, trials, started_at, ended_at }) => ({
            ...{ id, name, model, rows, trials, started_at },
            running: ended_at === null,
          }));
        return listText("evaluations", newest, page);
      });
    },
    query: (request) => {
      const project = projectArgument(request.project);
      checkBodyAlone(request);
      const query = readQueryOptions(request);
      return withData(async (data) => {
        const body =
          request.body === undefined ? await bodyOfQuery(data, project, query, false) : bodyOf(request);
        failOnMissing(await missingInQuery(data, project, body), request.where);
        const answer = await data.query(project, body);
        if (!answer.ok) throw refused(answer.issues);
        const read = readRequest(body);
        const notes = read.ok ? await withoutCommonRows(data, project, read.value.evaluations) : [];
        const { offset = 0, include_rows: rows = true } = body as { offset?: number; include_rows?: boolean };
        return queryAnswer({ results: answer.value, offset, rows, notes });
      });
    },
    compare: (request, slices) => {
      const project = projectArgument(request.project);
      checkCombination(request);
      checkCount(request);
      return withData(async (data) => {
        const answer = await answerOf(context, data, { ...request, project });
        if (!answer.ok) throw refused(answer.issues);
        const lines = reportLines(
          answer.value.report(0, slices),
          "name fewer evaluations, measures or fields, or a lower limit",
        );
        return lines.replace("are in --format json", "are omitted: name fields, or raise the limit");
      });
    },
    row: (request) => {
      const project = projectArgument(request.project);
      const condition = conditionOf(request.row);
      return withData(async (data) => {
        const { row, earlier } = await findRow(context, data, { ...request, project, condition });
        const trials = row.evaluations.flatMap((of) => of.trials);
        const notes = await trialNotes(data, project, trials);
        const whole = {
          ...row,
          evaluations: row.evaluations.map((of) => ({
            ...of,
            trials: of.trials.map((trial) => {
              const own = notes.get(trial.predict_and_score_call_id);
              return own === undefined || own.size === 0
                ? trial
                : { ...trial, notes: Object.fromEntries(own) };
            }),
          })),
          ...(earlier > 0 && {
            more: `${earlier} earlier evaluations also have this row: name them to see them`,
          }),
        } as unknown as Json;
        return rowText(whole, request);
      });
    },
  };
}

/** The requested part of the row, cut to fit in a message. */
function rowText(whole: Json, { part, from }: RowRequest): string {
  const found = partAt(whole, part, from);
  if (found === undefined)
    throw new Failure(
      EXIT.usage,
      `the row has no part ${JSON.stringify(part)}: give a JSON pointer, such as /evaluations/0/trials/0/model_output`,
    );
  // Counted from the start of the part, not of this piece.
  const rest = (pointer: string, end: number): string =>
    `: show_row with part ${JSON.stringify(pointer)}, from ${pointer === part ? from + end : end}`;
  return truncateToFit(found, { most: MOST_CHARACTERS, text: MOST_CHARACTERS, rest, at: part });
}

/** Fails if a query is given both as options and as a body. */
function checkBodyAlone({ body, evaluations, where, sort, offset }: QueryRequest): void {
  if (body === undefined) return;
  const others = Object.entries({ evaluations, where, sort }).flatMap(([name, given]) =>
    given.length > 0 ? [name] : [],
  );
  if (offset > 0) others.push("offset");
  if (others.length > 0)
    throw new Failure(EXIT.usage, `${others.join(", ")} must be part of body if you give one`);
}

/** The body with a page of at most the requested number of rows. */
function bodyOf({ body = {}, limit }: QueryRequest): unknown {
  const given = body["limit"];
  const rows = typeof given === "number" && given < limit ? given : limit;
  return {
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    ...body,
    // The reader of the request refuses anything that is not a number.
    limit: given === undefined || typeof given === "number" ? rows : given,
  };
}

function refused(
  issues: readonly { readonly path: readonly unknown[]; readonly message: string }[],
): Failure {
  const sentences = issues.map(({ path, message }) => `${path.slice(1).join(".") || "body"}: ${message}`);
  const more = sentences.length > 5 ? [`and ${sentences.length - 5} more errors`] : [];
  return new Failure(EXIT.usage, [...sentences.slice(0, 5), ...more].join("; "));
}

/** As much of a list's page as fits, and how many more there are. */
function listText(name: string, items: readonly object[], { limit, offset }: Page): string {
  const page = items
    .slice(offset, offset + limit)
    .map((item) => truncateToFit(item as Json, { most: MOST_CHARACTERS / 10, text: 200, rest: () => "" }));
  const shown = firstThatFit(page, MOST_CHARACTERS - 200);
  const next = offset + shown.length;
  const more = items.length - next;
  const end = more > 0 ? `,"more":"${formatCount(more)} more ${name}: the same with offset ${next}"` : "";
  return `{"${name}":[${shown.join(",")}]${end}}`;
}
