// Finds names in a query that match nothing, and comparisons that can never be true: in an answer, an evaluation
// without trials, a score that no row has and a misspelt name look the same. Every answer warns about fields and
// literals; interactive questions also request notes on projects and evaluations.

import { Fault, type Result } from "@assay/base";
import { didYouMean, nearest } from "@assay/base/internal";
import { asNumber, type FieldPath, type Json } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import { fieldText } from "../query/field-text.ts";
import { type EvalResultsQueryBody, readRequest } from "../query/request.ts";
import type { EvalResults, EvalResultsScorerStats } from "../query/response.ts";
import { cutText } from "../words/cut-text.ts";
import { scoreField } from "../words/field-name.ts";
import { leavesOf } from "../words/json-leaves.ts";
import { type Constant, type LiteralComparison, type UnprovenNames, unprovenNames } from "./unproven.ts";

/** A name in a query that matches nothing. */
export interface QueryNote {
  /**
   * The subject of the note: `common_rows` for evaluations that share no rows, `type` for a field that is compared with
   * a value of another type, and for a condition without a field.
   */
  readonly about: "project" | "evaluation" | "scope" | "field" | "type" | "common_rows";
  /** The name, as in the query. */
  readonly name: string;
  /** Existing names with a similar spelling, most similar first. */
  readonly nearest: readonly string[];
  /** The note as a sentence. */
  readonly message: string;
}

/** The sources of notes. Throws a `Fault` when the storage itself fails. */
export interface NotesSource {
  /** Answers a query, as `EvalExecution` does. */
  query(project: string, body: EvalResultsQueryBody): Promise<Result<EvalResults>>;
  /** The evaluations of a project, ordered by start. */
  evaluations(project: string): Promise<readonly KnownEvaluation[]>;
  /** The projects that may be named. */
  projects(): Promise<readonly string[]>;
  /** Whether a call has this ID, even if it has no trials yet. */
  isThere(project: string, id: string): Promise<boolean>;
}

/** An evaluation's names. */
interface KnownEvaluation {
  /** The ID of its root call. */
  readonly id: string;
  /** Its display name; null if it has none. */
  readonly name: string | null;
}

/** The number of rows whose fields are read for suggestions. */
const SAMPLE = 20;
/** The number of names listed if none is similar. */
const LISTED = 5;

/**
 * Notes about each project, evaluation, scope and field in a query's body that does not exist, and about evaluations
 * that share no row with the first one. An invalid body gets no notes: the answer has its issues.
 */
export async function queryNotes(
  source: NotesSource,
  project: string,
  body: unknown,
): Promise<readonly QueryNote[]> {
  const read = readRequest(body);
  if (!read.ok) return [];
  const { evaluations, filters, sortBy } = read.value;
  const { fields, comparisons, constants } = unprovenNames(read.value, { kept: 0 });
  if (evaluations.length === 0)
    return (await source.evaluations(project)).length === 0 ? [await projectNote(source, project)] : [];
  const counted = await resultsOf(source, project, {
    evaluation_call_ids: evaluations,
    include_rows: false,
    include_summary: true,
  });
  const summaries = counted.summary?.evaluations ?? [];
  const withTrials = new Set(summaries.map(({ evaluation_call_id }) => evaluation_call_id));
  const scopes = [...filters, ...sortBy].flatMap(({ evaluation }) => evaluation ?? []);
  const stray = [...new Set(scopes)].filter((id) => !evaluations.includes(id));
  const stats = summaries.flatMap(({ scorer_stats }) => scorer_stats);
  // An evaluation without trials has no fields to check.
  const missing =
    counted.total_rows === 0 ? [] : await fieldNotes(source, project, { evaluations, fields }, stats);
  const there = comparisons.filter(({ path }) => !missing.some(({ name }) => name === printFieldPath(path)));
  return [
    ...(await evaluationNotes(
      source,
      project,
      evaluations.filter((id) => !withTrials.has(id)),
    )),
    ...stray.map((id) => strayScope(id, evaluations)),
    ...missing,
    ...(counted.total_rows === 0 ? [] : await typeNotes(source, project, evaluations, there)),
    ...(await constantNotes(source, project, evaluations, constants)),
    ...(await commonRowNotes(source, project, [...withTrials])),
  ];
}

/** A note for a project without evaluations, whose name is most likely wrong. */
async function projectNote(source: Pick<NotesSource, "projects">, project: string): Promise<QueryNote> {
  const suggestions = nearest(
    project,
    (await source.projects()).filter((name) => name !== project),
  );
  const hint = suggestions.length > 0 ? didYouMean(suggestions) : "";
  return {
    about: "project",
    name: project,
    nearest: suggestions,
    message: `${project} has no evaluations${hint}`,
  };
}

/** A note for each ID that is not an evaluation of the project, or one about the project if it has no evaluations. */
export async function evaluationNotes(
  source: Pick<NotesSource, "evaluations" | "projects" | "isThere">,
  project: string,
  ids: readonly string[],
): Promise<readonly QueryNote[]> {
  const missing: string[] = [];
  for (const id of new Set(ids)) if (!(await source.isThere(project, id))) missing.push(id);
  if (missing.length === 0) return [];
  const known = await source.evaluations(project);
  if (known.length === 0) return [await projectNote(source, project)];
  const called = new Map(known.flatMap(({ id, name }) => [[id, id] as const, [name ?? id, id] as const]));
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const shown = (id: string): string => {
    const name = names.get(id) ?? null;
    return name === null ? id : `${id} (${name})`;
  };
  const latest = known.slice(-LISTED).map(({ id }) => shown(id));
  return missing.map((id): QueryNote => {
    const suggestions = [...new Set(nearest(id, called.keys()).map((name) => called.get(name)!))];
    const hint =
      suggestions.length > 0 ? didYouMean(suggestions.map(shown)) : `; the latest are ${latest.join(", ")}`;
    const message = `${project} has no evaluation ${JSON.stringify(id)}${hint}`;
    return { about: "evaluation", name: id, nearest: suggestions, message };
  });
}

function strayScope(id: string, evaluations: readonly string[]): QueryNote {
  const suggestions = nearest(id, evaluations);
  const hint =
    suggestions.length > 0 ? didYouMean(suggestions) : `: ${evaluations.slice(0, LISTED).join(", ")}`;
  const message = `a filter or sort key names ${JSON.stringify(id)}, which is not one of the query's evaluations${hint}`;
  return { about: "scope", name: id, nearest: suggestions, message };
}

/**
 * The most names of a question that are checked: each takes a pass over the rows, and people would not read more
 * notes.
 */
const LOOKED_UP = 10;

/**
 * A note for each field of a query without a value in any row, and for each condition that can never be true. Its
 * answer has them as warnings. Leave out names that the answer proves.
 */
export async function unmetNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
  { fields, comparisons, constants }: UnprovenNames,
): Promise<readonly QueryNote[]> {
  if (evaluations.length === 0 || fields.length + comparisons.length + constants.length === 0) return [];
  const of = { evaluation_call_ids: evaluations, include_rows: false };
  if ((await resultsOf(source, project, of)).total_rows === 0) return [];
  const named = { evaluations, fields: fields.slice(0, LOOKED_UP) };
  const missing = await fieldNotes(source, project, named, undefined);
  const there = comparisons.filter(({ path }) => !missing.some(({ name }) => name === printFieldPath(path)));
  return [
    ...missing,
    ...(await typeNotes(source, project, evaluations, there.slice(0, LOOKED_UP))),
    ...(await constantNotes(source, project, evaluations, constants.slice(0, LOOKED_UP))),
  ];
}

/**
 * A note for each field that no row of these evaluations has. `stats` are the statistics of their scores; they are
 * queried if absent and needed.
 */
export async function fieldNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  { evaluations, fields }: { readonly evaluations: readonly string[]; readonly fields: readonly FieldPath[] },
  stats: readonly EvalResultsScorerStats[] | undefined,
): Promise<readonly QueryNote[]> {
  const counted = new Set(stats?.map(scoreField));
  const missing: string[] = [];
  for (const name of new Set(fields.map(printFieldPath)))
    if (!counted.has(name) && !(await anyRow(source, project, evaluations, existsAt(name))))
      missing.push(name);
  if (missing.length === 0) return [];
  const scores = (stats ?? (await statsOf(source, project, evaluations))).map(scoreField);
  const known = new Set([...scores, ...(await sampledFields(source, project, evaluations))]);
  return missing.map((name): QueryNote => {
    const [about = ""] = name.split(".");
    const alike = [...known].filter((field) => field === about || field.startsWith(`${about}.`));
    const suggestions = nearest(name, alike);
    const listed =
      alike.length === 0 ? "" : `; available: ${alike.slice(0, LISTED).map(fieldText).join(", ")}`;
    const hint = suggestions.length > 0 ? didYouMean(suggestions.map(fieldText)) : listed;
    const message = `no row has a value at ${fieldText(name)}${hint}`;
    return { about: "field", name, nearest: suggestions, message };
  });
}

type Operand = NonNullable<EvalResultsQueryBody["filters"]>[number]["query"]["$expr"];

/** The condition that a field has a value in a trial. */
function existsAt(name: string): Operand {
  return {
    $eq: [{ $convert: { input: { $getField: name }, to: "exists" } }, { $literal: true }],
  };
}

/** Whether any row of the evaluations meets a condition. */
async function anyRow(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
  $expr: Operand,
): Promise<boolean> {
  const body = { evaluation_call_ids: evaluations, filters: [{ query: { $expr } }], include_rows: false };
  return (await resultsOf(source, project, body)).total_rows > 0;
}

async function statsOf(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
): Promise<readonly EvalResultsScorerStats[]> {
  const body = { evaluation_call_ids: evaluations, include_rows: false, include_summary: true };
  const { summary } = await resultsOf(source, project, body);
  return (summary?.evaluations ?? []).flatMap(({ scorer_stats }) => scorer_stats);
}

/** A note for each comparison of a field whose values all have another type. */
async function typeNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
  comparisons: readonly LiteralComparison[],
): Promise<readonly QueryNote[]> {
  const any = ($expr: Operand) => anyRow(source, project, evaluations, $expr);
  const notes = new Map<string, QueryNote>();
  for (const { path, equal, literals } of comparisons) {
    const name = printFieldPath(path);
    const field: Operand = { $getField: name };
    const types = new Set(literals.map(typeOfLiteral));
    const [type] = types;
    // If values have several types, the field is compared with each; objects and lists are not checked.
    if (types.size !== 1 || type === undefined) continue;
    const written = literals.map((literal) => JSON.stringify(literal)).join(" or ");
    const say = (is: string, suggestions: readonly string[]): void => {
      const hint = suggestions.length > 0 ? `; write ${suggestions.join(" or ")}` : "";
      const message = `${fieldText(name)} ${is}${hint}`;
      notes.set(message, { about: "type", name, nearest: suggestions, message });
    };
    const isBoolean: Operand = { $in: [field, [{ $literal: true }, { $literal: false }]] };
    const asNumbers: Operand = { $convert: { input: field, to: "double" } };
    const isNumber: Operand = { $not: [{ $eq: [asNumbers, { $literal: null }] }] };
    if (type === "boolean" && !(await any(isBoolean)))
      say(`is never true or false, so it never equals ${written}`, []);
    if (type === "number" && !(await any(isNumber)))
      say(`is never a number, but is compared with ${written}`, []);
    if (type === "text" && equal && !(await any({ $and: [existsAt(name), { $not: [isNumber] }] }))) {
      const booleans = !(await any({ $and: [existsAt(name), { $not: [isBoolean] }] }));
      say(
        `is always ${booleans ? "true or false" : "a number"}, so it never equals ${written}`,
        booleans ? ["true", "false"] : [],
      );
    }
  }
  return [...notes.values()];
}

/** A note for each condition without a field, with the fields that its texts name. */
async function constantNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
  constants: readonly Constant[],
): Promise<readonly QueryNote[]> {
  if (constants.length === 0) return [];
  const scores = (await statsOf(source, project, evaluations)).map(scoreField);
  const sampled = await sampledFields(source, project, evaluations);
  // A score is also part of the whole output, where it would be a confusing suggestion.
  const known = [...new Set([...scores, ...sampled])].filter((field) => !field.startsWith("output."));
  return constants.map(({ text, names }): QueryNote => {
    const ends = names.flatMap((name) => [`.${name}`, `.${printFieldPath([name])}`]);
    const suggestions = known
      .filter((field) => ends.some((end) => `.${field}`.endsWith(end)))
      .slice(0, LISTED);
    const hint = suggestions.length > 0 ? didYouMean(suggestions.map(fieldText)) : "";
    const message = `${cutText(text)} reads no field, so it is the same for all rows${hint}`;
    return { about: "type", name: text, nearest: suggestions, message };
  });
}

/**
 * The type that a literal is compared as; undefined for a text that reads as a number or boolean, which fits every
 * type.
 */
function typeOfLiteral(literal: Json): "boolean" | "number" | "text" | undefined {
  if (typeof literal === "boolean") return "boolean";
  if (typeof literal === "number") return "number";
  if (typeof literal !== "string" || literal === "true" || literal === "false") return undefined;
  return asNumber(literal) === null ? "text" : undefined;
}

/** A note for each evaluation that shares no row with the first one, so that they cannot be compared. */
async function commonRowNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  [first, ...others]: readonly string[],
): Promise<readonly QueryNote[]> {
  if (first === undefined || others.length === 0) return [];
  const share = async (ids: readonly string[]): Promise<boolean> => {
    const body = { evaluation_call_ids: ids, require_intersection: true, include_rows: false };
    return (await resultsOf(source, project, body)).total_rows > 0;
  };
  if (await share([first, ...others])) return [];
  const notes: QueryNote[] = [];
  for (const id of others) {
    if (await share([first, id])) continue;
    const message = `${id} shares no rows with ${first}`;
    notes.push({ about: "common_rows", name: id, nearest: [], message });
  }
  return notes;
}

/** The fields of some rows of these evaluations, and of their trials. */
export async function sampledFields(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await resultsOf(source, project, {
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

async function resultsOf(
  source: Pick<NotesSource, "query">,
  project: string,
  body: EvalResultsQueryBody,
): Promise<EvalResults> {
  const answer = await source.query(project, body);
  if (answer.ok) return answer.value;
  throw new Fault("unavailable", "checking the names in a query was refused");
}
