// Names on the command line, and in the body of a query, that nothing has: the store answers them with nothing, and a
// person who misspelled one must be told. Scripts that ask for what may not be there yet say `--allow-missing`.

import { Fault } from "@assay/base";
import {
  type EvalResults,
  type EvalResultsQueryBody,
  type EvalResultsScorerStats,
  fieldFault,
  readRequest,
} from "@assay/eval-engine";
import { leavesOf } from "@assay/eval-engine/words";
import { type FieldPath, fieldsOf, pointAt, printFieldPath, readExpression } from "@assay/query-lang";
import type { DataAccess } from "./data-access.ts";
import { EXIT, Failure } from "./failure.ts";
import { nearest } from "./nearest.ts";

/** Rows whose fields are looked at for names to suggest. */
const SAMPLE = 20;
/** Names that are listed when none is like the one that was given. */
const LISTED = 5;

/** What is not there, in a sentence. */
export type Missing = string | MissingField;

/** A field that no row has. */
export interface MissingField {
  readonly path: FieldPath;
  readonly sentence: string;
}

/** Fails, with everything that is missing, when there is something; points at a field that stands in one of `texts`. */
export function failOnMissing(missing: readonly Missing[], texts: readonly string[] = []): void {
  if (missing.length === 0) return;
  const said = missing.map((one) =>
    typeof one === "string" ? one : [one.sentence, ...pointsTo(one.path, texts)].join("\n"),
  );
  throw new Failure(EXIT.usage, said.join("\nassay: "));
}

/** The line of the first expression that reads the field, and a caret below it. */
function pointsTo(path: FieldPath, texts: readonly string[]): readonly string[] {
  const wanted = printFieldPath(path);
  for (const text of texts) {
    const read = readExpression(text, {
      field: (one) => (printFieldPath(one) === wanted ? "here" : undefined),
    });
    const fault = read.ok ? undefined : read.issues.find(({ message }) => message === "here");
    if (fault !== undefined) return pointAt(text, Number(fault.path[0])).map((line) => `  ${line}`);
  }
  return [];
}

/** What is wrong with asking for evaluations of a project that has none: its name, most likely. */
export async function missingProject(data: DataAccess, project: string): Promise<string> {
  const meant = nearest(
    project,
    (await data.listProjects()).map((one) => one.project),
  );
  const hint = meant.length > 0 ? didYouMean(meant) : "; assay import brings some in";
  return `no evaluation is in ${project} (${data.where})${hint}`;
}

/** A sentence for each id that is no evaluation of the project. */
export async function missingEvaluations(
  data: DataAccess,
  project: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const id of new Set(ids)) if (!(await isThere(data, project, id))) missing.push(id);
  if (missing.length === 0) return [];
  const known = await data.evaluations(project);
  if (known.length === 0) return [await missingProject(data, project)];
  const called = new Map(known.flatMap(({ id, name }) => [[id, id] as const, [name ?? id, id] as const]));
  const shown = (id: string): string => {
    const name = known.find((one) => one.id === id)?.name ?? null;
    return name === null ? id : `${id} (${name})`;
  };
  const latest = known.slice(-LISTED).map(({ id }) => shown(id));
  return missing.map((id) => {
    const meant = [...new Set(nearest(id, called.keys()).map((name) => called.get(name)!))];
    const hint = meant.length > 0 ? didYouMean(meant.map(shown)) : `; its latest are ${latest.join(", ")}`;
    return `${project} has no evaluation ${JSON.stringify(id)}${hint}`;
  });
}

/** Whether the evaluation's call was logged, or anything below it. */
async function isThere(data: DataAccess, project: string, id: string): Promise<boolean> {
  const calls = data.exportLines(project, "calls", [id])[Symbol.asyncIterator]();
  try {
    await calls.next();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === "missing") return false;
    throw error;
  } finally {
    await calls.return?.();
  }
}

/**
 * A sentence for each evaluation, scope and field in a query that is not there. Nothing about a body that is not
 * valid: its faults come with the answer.
 */
export async function missingInQuery(
  data: DataAccess,
  project: string,
  body: unknown,
): Promise<readonly Missing[]> {
  const read = readRequest(body);
  if (!read.ok) return [];
  const { evaluations, filters, sortBy } = read.value;
  const fields = [...sortBy.map(({ path }) => path), ...filters.flatMap(({ expr }) => fieldsOf(expr))];
  if (evaluations.length === 0) {
    return (await data.evaluations(project)).length === 0 ? [await missingProject(data, project)] : [];
  }
  const counted = await asked(data, project, {
    evaluation_call_ids: evaluations,
    include_rows: false,
    include_summary: true,
  });
  const summaries = counted.summary?.evaluations ?? [];
  const withTrials = new Set(summaries.map(({ evaluation_call_id }) => evaluation_call_id));
  const without = evaluations.filter((id) => !withTrials.has(id));
  const scopes = [...filters, ...sortBy].flatMap(({ evaluation }) => evaluation ?? []);
  const stray = [...new Set(scopes)].filter((id) => !evaluations.includes(id));
  return [
    ...(await missingEvaluations(data, project, without)),
    ...stray.map((id) => strayScope(id, evaluations)),
    // While an evaluation has no trials there is nothing that could have a field.
    ...(counted.total_rows === 0
      ? []
      : await missingFields(
          data,
          project,
          { evaluations, fields },
          summaries.flatMap(({ scorer_stats }) => scorer_stats),
        )),
  ];
}

function strayScope(id: string, evaluations: readonly string[]): string {
  const meant = nearest(id, evaluations);
  const hint = meant.length > 0 ? didYouMean(meant) : `: ${evaluations.slice(0, LISTED).join(", ")}`;
  return `a filter or sort key is about ${JSON.stringify(id)}, which is not among the evaluations that are asked for${hint}`;
}

/** A sentence for each of the fields that no row of these evaluations has, whose scores have these statistics. */
export async function missingFields(
  data: DataAccess,
  project: string,
  named: { readonly evaluations: readonly string[]; readonly fields: readonly FieldPath[] },
  stats: readonly EvalResultsScorerStats[],
): Promise<readonly MissingField[]> {
  const { evaluations } = named;
  const fields = new Map(named.fields.map((path) => [printFieldPath(path), path]));
  const scores = new Set(stats.map(scoreField));
  const missing: string[] = [];
  for (const name of fields.keys()) {
    if (scores.has(name)) continue;
    const value = { $convert: { input: { $getField: name }, to: "exists" } };
    const exists = { $eq: [value, { $literal: true }] };
    const { total_rows } = await asked(data, project, {
      evaluation_call_ids: evaluations,
      filters: [{ query: { $expr: exists } }],
      include_rows: false,
    });
    if (total_rows === 0) missing.push(name);
  }
  if (missing.length === 0) return [];
  const known = new Set([...scores, ...(await sampledFields(data, project, evaluations))]);
  return missing.map((name) => {
    const path = fields.get(name)!;
    const [about] = path;
    const alike = [...known].filter((field) => field === about || field.startsWith(`${about}.`));
    const meant = nearest(name, alike);
    const listed = alike.length === 0 ? "" : `; there is ${alike.slice(0, LISTED).join(", ")}`;
    return {
      path,
      sentence: `no row has a value at ${name}${meant.length > 0 ? didYouMean(meant) : listed}`,
    };
  });
}

/**
 * A sentence for each path that does not begin with a part of a trial, as `category` where `inputs.category` is meant:
 * the fields that end so, or are spelled like it.
 */
export async function strayFields(
  data: DataAccess,
  project: string,
  { evaluations, fields }: { readonly evaluations: readonly string[]; readonly fields: readonly FieldPath[] },
): Promise<readonly MissingField[]> {
  const stray = fields.filter((path) => fieldFault(path) !== undefined);
  if (stray.length === 0) return [];
  const known = await sampledFields(data, project, evaluations);
  return stray.map((path) => {
    const name = printFieldPath(path);
    // A score is in the whole output too, where nobody looks for it.
    const named = known.filter((field) => !field.startsWith("output."));
    const ending = named.filter((field) => field.endsWith(`.${name}`));
    const called = new Map(
      named.flatMap((field) => [[field, field] as const, [field.slice(field.indexOf(".") + 1), field]]),
    );
    const meant =
      ending.length > 0 ? ending : [...new Set(nearest(name, called.keys()).map((one) => called.get(one)!))];
    return {
      path,
      sentence: `${fieldFault(path)}${meant.length > 0 ? didYouMean(meant.slice(0, LISTED)) : ""}`,
    };
  });
}

/** The field that a score is, as a query names it. */
export function scoreField({
  scorer_key,
  path,
}: Pick<EvalResultsScorerStats, "scorer_key" | "path">): string {
  const scorer = printFieldPath(["scores", scorer_key]);
  return path === null ? scorer : `${scorer}.${path}`;
}

/** The fields of some rows and their trials. */
async function sampledFields(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await asked(data, project, {
    evaluation_call_ids: evaluations,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    limit: SAMPLE,
  });
  const fieldsIn = (name: string, value: Parameters<typeof leavesOf>[0]): readonly FieldPath[] =>
    Array.from(leavesOf(value, [name]), ([path]) => path);
  const paths = rows.flatMap(({ raw_data_row, evaluations }) => [
    ...fieldsIn("inputs", raw_data_row),
    ...evaluations.flatMap(({ trials }) =>
      trials.flatMap(({ model_output, scores }) => [
        ...fieldsIn("outputs", model_output),
        ...fieldsIn("scores", scores),
        ...fieldsIn("output", { output: model_output, scores }),
      ]),
    ),
  ]);
  return [...new Set(paths.map(printFieldPath))];
}

async function asked(data: DataAccess, project: string, body: EvalResultsQueryBody): Promise<EvalResults> {
  const answer = await data.query(project, body);
  if (answer.ok) return answer.value;
  throw new Fault("unavailable", "a question about the names in a query was refused");
}

/** The end of a sentence about a name that nothing has. */
export function didYouMean(names: readonly string[]): string {
  return `; did you mean ${names.join(" or ")}?`;
}
