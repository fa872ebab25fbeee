// Finds names in a query that match nothing, and comparisons that can never be true: an evaluation without trials, a
// score that no row has and a misspelt one look alike. Every answer warns about fields and literals; an interactive
// question also asks for the notes on projects and evaluations.

import { Fault, type Result } from "@assay/base";
import { asNumber, type FieldPath, type Json } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import { fieldText } from "../query/field-text.ts";
import { didYouMean, nearest } from "../query/nearest.ts";
import { type EvalResultsQueryBody, readRequest } from "../query/request.ts";
import type { EvalResults, EvalResultsScorerStats } from "../query/response.ts";
import { scoreField } from "../words/field-name.ts";
import { leavesOf } from "../words/leaves-of.ts";
import { type LiteralComparison, type Unproven, unprovenBy } from "./unproven.ts";

/** One thing that a query names and that is not there. */
export interface QueryNote {
  /**
   * What it is about: evaluations with no row in common are `common_rows`, a field whose values are of another type than
   * what it is compared with is a `type`.
   */
  readonly about: "project" | "evaluation" | "scope" | "field" | "type" | "common_rows";
  /** The name as the query has it. */
  readonly name: string;
  /** The names that exist and are spelled like it, the most alike first. */
  readonly nearest: readonly string[];
  /** A sentence for a person. */
  readonly message: string;
}

/** What notes are made of. When the storage itself fails, it throws a `Fault`. */
export interface NotesSource {
  /** Answers a query, as `EvalExecution` does. */
  query(project: string, body: EvalResultsQueryBody): Promise<Result<EvalResults>>;
  /** The evaluations of a project, by start. */
  evaluations(project: string): Promise<readonly KnownEvaluation[]>;
  /** The projects that may be named. */
  projects(): Promise<readonly string[]>;
  /** Whether a call has this id, with trials or yet without. */
  isThere(project: string, id: string): Promise<boolean>;
}

/** An evaluation by its names. */
interface KnownEvaluation {
  /** The id of its call. */
  readonly id: string;
  /** What it was called; null when it was not. */
  readonly name: string | null;
}

/** Rows whose fields are looked at for names to suggest. */
const SAMPLE = 20;
/** Names that are listed when none is like the one that was given. */
const LISTED = 5;

/**
 * A note for each project, evaluation, scope and field in the body of a query that is not there, and for evaluations
 * that have no row in common with the first one. None about a body that is not valid: its faults come with the answer.
 */
export async function queryNotes(
  source: NotesSource,
  project: string,
  body: unknown,
): Promise<readonly QueryNote[]> {
  const read = readRequest(body);
  if (!read.ok) return [];
  const { evaluations, filters, sortBy } = read.value;
  const { fields, comparisons } = unprovenBy(read.value, { kept: 0 });
  if (evaluations.length === 0)
    return (await source.evaluations(project)).length === 0 ? [await projectNote(source, project)] : [];
  const counted = await asked(source, project, {
    evaluation_call_ids: evaluations,
    include_rows: false,
    include_summary: true,
  });
  const summaries = counted.summary?.evaluations ?? [];
  const withTrials = new Set(summaries.map(({ evaluation_call_id }) => evaluation_call_id));
  const scopes = [...filters, ...sortBy].flatMap(({ evaluation }) => evaluation ?? []);
  const stray = [...new Set(scopes)].filter((id) => !evaluations.includes(id));
  const stats = summaries.flatMap(({ scorer_stats }) => scorer_stats);
  // While an evaluation has no trials there is nothing that could have a field.
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
    ...(await commonRowNotes(source, project, [...withTrials])),
  ];
}

/** What is wrong with asking for evaluations of a project that has none: its name, most likely. */
async function projectNote(source: Pick<NotesSource, "projects">, project: string): Promise<QueryNote> {
  const meant = nearest(project, await source.projects());
  const hint = meant.length > 0 ? didYouMean(meant) : "";
  return {
    about: "project",
    name: project,
    nearest: meant,
    message: `${project} has no evaluations${hint}`,
  };
}

/** A note for each id that is not an evaluation of the project; one about the project when it has none at all. */
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
    const meant = [...new Set(nearest(id, called.keys()).map((name) => called.get(name)!))];
    const hint = meant.length > 0 ? didYouMean(meant.map(shown)) : `; the latest are ${latest.join(", ")}`;
    const message = `${project} has no evaluation ${JSON.stringify(id)}${hint}`;
    return { about: "evaluation", name: id, nearest: meant, message };
  });
}

function strayScope(id: string, evaluations: readonly string[]): QueryNote {
  const meant = nearest(id, evaluations);
  const hint = meant.length > 0 ? didYouMean(meant) : `: ${evaluations.slice(0, LISTED).join(", ")}`;
  const message = `a filter or sort key names ${JSON.stringify(id)}, which is not one of the query's evaluations${hint}`;
  return { about: "scope", name: id, nearest: meant, message };
}

/** Names of one question that are looked up: of more a person would read no more, and each costs a pass over the rows. */
const LOOKED_UP = 10;

/**
 * A note for each field of a query that has no value in any row, and for each comparison that can never be true: what
 * its answer says in its warnings. What the answer proves must have been left out.
 */
export async function unmetNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
  { fields, comparisons }: Unproven,
): Promise<readonly QueryNote[]> {
  if (evaluations.length === 0 || fields.length + comparisons.length === 0) return [];
  const of = { evaluation_call_ids: evaluations, include_rows: false };
  if ((await asked(source, project, of)).total_rows === 0) return [];
  const named = { evaluations, fields: fields.slice(0, LOOKED_UP) };
  const missing = await fieldNotes(source, project, named, undefined);
  const there = comparisons.filter(({ path }) => !missing.some(({ name }) => name === printFieldPath(path)));
  return [...missing, ...(await typeNotes(source, project, evaluations, there.slice(0, LOOKED_UP)))];
}

/**
 * A note for each of the fields that no row of these evaluations has. `stats` are the statistics of their scores, which
 * are asked for where they are needed when they are not given.
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
    const meant = nearest(name, alike);
    const listed = alike.length === 0 ? "" : `; there is ${alike.slice(0, LISTED).map(fieldText).join(", ")}`;
    const hint = meant.length > 0 ? didYouMean(meant.map(fieldText)) : listed;
    const message = `no row has a value at ${fieldText(name)}${hint}`;
    return { about: "field", name, nearest: meant, message };
  });
}

type Operand = NonNullable<EvalResultsQueryBody["filters"]>[number]["query"]["$expr"];

/** The condition that a trial has a value at a field. */
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
  return (await asked(source, project, body)).total_rows > 0;
}

async function statsOf(
  source: Pick<NotesSource, "query">,
  project: string,
  evaluations: readonly string[],
): Promise<readonly EvalResultsScorerStats[]> {
  const body = { evaluation_call_ids: evaluations, include_rows: false, include_summary: true };
  const { summary } = await asked(source, project, body);
  return (summary?.evaluations ?? []).flatMap(({ scorer_stats }) => scorer_stats);
}

/** A note for each comparison of a field that has values, none of which can be read as what it is compared with. */
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
    // Values of several types are compared with each of them; objects and lists are not checked.
    if (types.size !== 1 || type === undefined) continue;
    const written = literals.map((literal) => JSON.stringify(literal)).join(" or ");
    const say = (is: string, meant: readonly string[]): void => {
      const hint = meant.length > 0 ? `; write ${meant.join(" or ")}` : "";
      const message = `${fieldText(name)} ${is}${hint}`;
      notes.set(message, { about: "type", name, nearest: meant, message });
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

/** What a literal is compared as; undefined for what is never of another type: a text that reads as a number or a boolean. */
function typeOfLiteral(literal: Json): "boolean" | "number" | "text" | undefined {
  if (typeof literal === "boolean") return "boolean";
  if (typeof literal === "number") return "number";
  if (typeof literal !== "string" || literal === "true" || literal === "false") return undefined;
  return asNumber(literal) === null ? "text" : undefined;
}

/** A note for each evaluation that has no row in common with the first one: side by side they say nothing of each other. */
async function commonRowNotes(
  source: Pick<NotesSource, "query">,
  project: string,
  [first, ...others]: readonly string[],
): Promise<readonly QueryNote[]> {
  if (first === undefined || others.length === 0) return [];
  const share = async (ids: readonly string[]): Promise<boolean> => {
    const body = { evaluation_call_ids: ids, require_intersection: true, include_rows: false };
    return (await asked(source, project, body)).total_rows > 0;
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
  const { rows } = await asked(source, project, {
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

async function asked(
  source: Pick<NotesSource, "query">,
  project: string,
  body: EvalResultsQueryBody,
): Promise<EvalResults> {
  const answer = await source.query(project, body);
  if (answer.ok) return answer.value;
  throw new Fault("unavailable", "checking the names in a query was refused");
}
