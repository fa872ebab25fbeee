// Unknown names on the command line and in the body of a query: the store returns nothing for them, so a typo must be
// reported. Scripts that may request names that do not exist yet pass `--allow-missing`.

import { Fault } from "@assay/base";
import type { EvalResultsScorerStats, NotesSource, QueryNote } from "@assay/eval-engine";
import {
  evaluationNotes,
  fieldFault,
  fieldNotes,
  queryNotes,
  sampledFields,
} from "@assay/eval-engine/internal";
import { didYouMean, fieldText, nearest } from "@assay/eval-engine/words";
import { type FieldPath, pointAt, readExpression } from "@assay/query-lang";
import { printFieldPath, readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";
import { EXIT, Failure } from "../terminal/failure.ts";

/** The number of names listed if none is similar. */
const LISTED = 5;

/** How many missing names are listed one by one; the others are counted. */
const MOST_LINES = 10;

/** Something that does not exist, as a sentence or a field. */
export type Missing = string | MissingField;

/** A field that no row has. */
export interface MissingField {
  readonly path: FieldPath;
  readonly sentence: string;
}

/** Fails with everything that does not exist, if anything; points at a field in one of `texts`. */
export function failOnMissing(missing: readonly Missing[], texts: readonly string[] = []): void {
  if (missing.length === 0) return;
  const lines = missing
    .slice(0, MOST_LINES)
    .map((one) => (typeof one === "string" ? one : [one.sentence, ...pointsTo(one.path, texts)].join("\n")));
  const more = missing.length - lines.length;
  if (more > 0) lines.push(`and ${more} more that do not exist`);
  throw new Failure(EXIT.usage, lines.join("\nassay: "));
}

/** The line of the first expression that reads the field, with a caret below it. */
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

/** The note about a project without evaluations, whose name is most likely wrong. */
export async function missingProject(data: DataAccess, project: string): Promise<string> {
  const projects = (await data.listProjects()).map((one) => one.project);
  return projectSentence(data, project, nearest(project, projects));
}

function projectSentence(data: DataAccess, project: string, suggestions: readonly string[]): string {
  // It exists, but only with calls outside of evaluations.
  const others = suggestions.filter((one) => one !== project);
  const hint = others.length > 0 ? didYouMean(others) : "; import some with assay import";
  return `no evaluations in ${project} (${data.where})${hint}`;
}

/** The sentence of a note on the command line. */
function sentenceOf(data: DataAccess, project: string, note: QueryNote): string {
  return note.about === "project" ? projectSentence(data, project, note.nearest) : note.message;
}

/** A sentence for each ID that is not an evaluation of the project. */
export async function missingEvaluations(
  data: DataAccess,
  project: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const notes = await evaluationNotes(notesSource(data), project, ids);
  return notes.map((note) => sentenceOf(data, project, note));
}

function notesSource(data: DataAccess): NotesSource {
  return {
    query: (project, body) => data.query(project, body),
    evaluations: (project) => data.evaluations(project),
    projects: async () => (await data.listProjects()).map((one) => one.project),
    isThere: (project, id) => isThere(data, project, id),
  };
}

/** Whether the evaluation's call, or anything below it, was logged. */
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

/** Problems with the names and literals of a query. */
export interface QueryFaults {
  /** A sentence for each evaluation, scope and field that does not exist. */
  readonly missing: readonly Missing[];
  /** A sentence for each comparison that can never be true, for answers without warnings. */
  readonly neverMet: readonly string[];
}

/** The problems of a query. An invalid body has none: its answer reports its issues. */
export async function faultsOfQuery(data: DataAccess, project: string, body: unknown): Promise<QueryFaults> {
  const notes = await queryNotes(notesSource(data), project, body);
  return {
    // Evaluations without common rows, and fields of another type, exist: the answer has a note about them.
    missing: notes
      .filter(({ about }) => about !== "common_rows" && about !== "type")
      .map((note) => (note.about === "field" ? fieldOf(note) : sentenceOf(data, project, note))),
    neverMet: notes.flatMap(({ about, message }) => (about === "type" ? [message] : [])),
  };
}

/** The unknown names in a query. */
export async function missingInQuery(
  data: DataAccess,
  project: string,
  body: unknown,
): Promise<readonly Missing[]> {
  return (await faultsOfQuery(data, project, body)).missing;
}

function fieldOf({ name, message }: QueryNote): MissingField {
  const path = readFieldPath(name);
  return { path: path.ok ? path.value : [name], sentence: message };
}

/** A sentence for each field that no row of these evaluations has; `stats` are the statistics of their scores. */
export async function missingFields(
  data: DataAccess,
  project: string,
  named: { readonly evaluations: readonly string[]; readonly fields: readonly FieldPath[] },
  stats: readonly EvalResultsScorerStats[],
): Promise<readonly MissingField[]> {
  return (await fieldNotes(notesSource(data), project, named, stats)).map(fieldOf);
}

/** The fields of the dataset, as some rows have them. */
export async function rowFields(
  data: DataAccess,
  project: string,
  evaluations: readonly string[],
): Promise<readonly string[]> {
  const fields = await sampledFields(notesSource(data), project, evaluations);
  return fields.filter((field) => field.startsWith("inputs."));
}

/**
 * A sentence for each path that does not start with a part of a trial, such as `category`, which may mean
 * `inputs.category`: it suggests fields that end like it or are spelled alike.
 */
export async function unknownFieldIssues(
  data: DataAccess,
  project: string,
  { evaluations, fields }: { readonly evaluations: readonly string[]; readonly fields: readonly FieldPath[] },
): Promise<readonly MissingField[]> {
  const stray = fields.filter((path) => fieldFault(path) !== undefined);
  if (stray.length === 0) return [];
  const known = await sampledFields(notesSource(data), project, evaluations);
  return stray.map((path) => {
    const name = printFieldPath(path);
    // A score is also part of the whole output, where it would be a confusing suggestion.
    const named = known.filter((field) => !field.startsWith("output."));
    const ending = named.filter((field) => field.endsWith(`.${name}`));
    const called = new Map(
      named.flatMap((field) => [[field, field] as const, [field.slice(field.indexOf(".") + 1), field]]),
    );
    const suggestions =
      ending.length > 0 ? ending : [...new Set(nearest(name, called.keys()).map((one) => called.get(one)!))];
    return {
      path,
      sentence: `${fieldFault(path)}${suggestions.length > 0 ? didYouMean(suggestions.slice(0, LISTED).map(fieldText)) : ""}`,
    };
  });
}
