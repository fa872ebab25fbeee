// Reads the output of `promptfoo eval -o`: JSON, JSON lines, YAML and CSV, and the summary that its library returns. One
// file holds an evaluation for each prompt and provider.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { Unreadable } from "../files/errors.ts";
import { fileStem, folderOf, type ImportFile } from "../files/import-file.ts";
import { jsonLines } from "../json/json-lines.ts";
import { jsonSlices } from "../json/json-slices.ts";
import {
  at,
  isObject,
  type JsonObject,
  jsonOrText,
  listAt,
  membersAt,
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { yamlValue } from "../json/yaml-value.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { delimitedRows } from "../tables/cells/delimited-rows.ts";
import { isLostObject, lostNote } from "../tables/cells/lost-object.ts";
import type { FileHead } from "../tables/file-head.ts";
import { fileHead } from "../tables/file-head.ts";
import { uniqueNames } from "../tables/shapes/column-names.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsOf } from "../trials/measured.ts";
import type { FileGroups, Importer } from "./importer.ts";

/** promptfoo. */
export const promptfoo: Importer = {
  name: "promptfoo",
  title: "promptfoo results (JSON, JSON lines, YAML, CSV)",
  recognises: (head: FileHead) => {
    const { fileType, keys } = head;
    return fileType === "table"
      ? (keys.has("Named Scores") && keys.has("Status") && keys.has("Score")) || isOldTable(head)
      : (keys.has("results") && DOCUMENTS.some((names) => names.every((name) => keys.has(name)))) ||
          ["", "results.*.", "results.results.*."].some((base) =>
            RESULT.every((name) => keys.has(`${base}${name}`)),
          );
  },
  units: (files) =>
    [...groupBy(files, (file) => `${folderOf(file)}/${fileStem(file)}`).values()].flatMap(forms),
  async *read([file, ...others]) {
    for (const { path } of others) {
      yield {
        kind: "note",
        note: `${path}: ${file!.path} in another format, by its name; skipped`,
      };
    }
    const head = await fileHead(file!);
    const { fileType, keys } = head;
    if (isOldTable(head)) throw new Unreadable(OLD_TABLE);
    if (fileType === "table") yield* readTable(file!);
    else if (keys.has("promptIdx"))
      yield* readResults(jsonLines(file!), { run: fileStem(file!), file: file! });
    else if (fileType === "yaml") yield* readYaml(file!);
    else yield* readDocument(file!, keys.has("results.version") ? ["results"] : []);
  },
};

const OLD_TABLE =
  "a table of an older promptfoo, whose cells have scores and answers in one text; export JSON, with promptfoo eval -o results.json or promptfoo export eval ID -o results.json";

/** Whether a table has the scores of a provider and a prompt before its answers. */
function isOldTable({ fileType, keys, text }: FileHead): boolean {
  const hasSource = [...keys].some((name) => /^(?:\[.+\] |\{"raw":)/.test(name));
  return fileType === "table" && hasSource && !keys.has("Status") && /\[(?:PASS|FAIL)\]/.test(text);
}

/**
 * Keys of documents in addition to `results`: of files, of older files, and of the summary that the library returns.
 */
const DOCUMENTS = [["evalId"], ["config", "shareableUrl"], ["version", "stats"], ["version", "table"]];
/** Keys of a result in all versions that have prompts and named scores. */
const RESULT = ["prompt", "provider", "vars", "namedScores"];

// Formats that one `eval -o` may write together, most complete first: a table has rounded scores and no times.
const FORMS = [/\.json(\.gz)?$/i, /\.ya?ml(\.gz)?$/i, /\.jsonl(\.gz)?$/i, /^/];

/**
 * Of files with the same name, picks the most complete format; further files with the same content in other formats
 * join the first.
 */
function forms(files: readonly ImportFile[]): FileGroups {
  const rankOf = ({ path }: ImportFile) => FORMS.findIndex((form) => form.test(path));
  const best = Math.min(...files.map(rankOf));
  const [first, ...more] = files.filter((file) => rankOf(file) === best);
  return [[first!, ...files.filter((file) => rankOf(file) !== best)], ...more.map((file) => [file])];
}

interface Run {
  readonly run: string;
  readonly file: ImportFile;
  /** The description in the configuration. */
  readonly subject?: string | undefined;
  readonly startedAt?: string | undefined;
  /** The metrics that promptfoo computes from those of all results. */
  readonly derived?: readonly string[];
}

/** `inside`: the path of the summary in the document. */
async function* readDocument(file: ImportFile, inside: readonly string[]): AsyncGenerator<ImportEvent> {
  const heads: { [name: string]: Json } = {};
  const derived: string[] = [];
  const take = [
    ["evalId"],
    [...inside, "timestamp"],
    ["config", "description"],
    ["config", "derivedMetrics", "*", "name"],
  ];
  for await (const { path, value } of jsonSlices(file, { take })) {
    if (path[1] === "derivedMetrics") derived.push(String(value));
    else heads[path.at(-1)!] = value;
  }
  const results = async function* (): AsyncGenerator<Json> {
    for await (const { value } of jsonSlices(file, { take: [[...inside, "results", "*"]] })) yield value;
  };
  yield* readResults(results(), {
    run: textAt(heads, "evalId") ?? fileStem(file),
    file,
    subject: textAt(heads, "description"),
    startedAt: textAt(heads, "timestamp"),
    derived,
  });
}

/** Reads the same document as YAML, which has to be held in memory. */
async function* readYaml(file: ImportFile): AsyncGenerator<ImportEvent> {
  const document = await yamlValue(file);
  const summary = isObject(at(document, "results")) ? at(document, "results") : document;
  const results = async function* (): AsyncGenerator<Json> {
    yield* listAt(summary, "results");
  };
  yield* readResults(results(), {
    run: textAt(document, "evalId") ?? fileStem(file),
    file,
    subject: textAt(document, "config", "description"),
    startedAt: textAt(summary, "timestamp"),
    derived: listAt(document, "config", "derivedMetrics").flatMap((one) => textAt(one, "name") ?? []),
  });
}

async function* readResults(results: AsyncIterable<Json>, run: Run): AsyncGenerator<ImportEvent> {
  const { file, derived = [] } = run;
  const sources = new Map<string, Source>();
  const weights = new Map<string, Json>();
  const weighted = new Set<string>();
  for await (const result of results) {
    const source = sourceOf(result);
    // Files of older versions have no number.
    const key = source.place === undefined ? `${source.model} ${source.prompt}` : String(source.place);
    const { id } = sources.get(key) ?? { id: `${run.run} ${source.place ?? sources.size}` };
    if (!sources.has(key)) sources.set(key, { ...source, id });
    for (const [metric, weight] of membersAt(result, "gradingResult", "namedScoreWeights")) {
      if ((weights.get(metric) ?? weight) !== weight) weighted.add(metric);
      weights.set(metric, weight);
    }
    yield trialOf(result, id);
  }
  // Results are in the order in which they were complete.
  const inOrder = [...sources.values()].sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const nameOf = evaluationNames();
  for (const { id, model, prompt } of inOrder) {
    yield evaluationEvent({
      id,
      name: nameOf(model, prompt),
      model,
      dataset: run.subject ?? fileStem(file),
      startedAt: run.startedAt,
      attributes: present({ prompt }),
    });
  }
  if (weighted.size > 0) {
    const note = `its tests have different weights, which the tool's own mean counts; here each counts once`;
    yield { kind: "note", note: `${file.path}: ${[...weighted].join(", ")}: ${note}` };
  }
  if (derived.length > 0) {
    const note = "derived from the scores of all tests; left out";
    yield { kind: "note", note: `${file.path}: ${[...new Set(derived)].join(", ")}: ${note}` };
  }
}

/** A prompt with a provider. */
interface Source {
  readonly id: string;
  readonly model: string | undefined;
  readonly prompt: string;
  /** Its number in the file. */
  readonly place: number | undefined;
}

function sourceOf(result: Json): Omit<Source, "id"> {
  const [label, id] = [textAt(result, "provider", "label"), textAt(result, "provider", "id")];
  const [prompt = ""] = ["label", "display", "raw"].flatMap((key) => textAt(result, "prompt", key) ?? []);
  return {
    model: label ?? id ?? textAt(result, "provider"),
    prompt,
    place: numberAt(result, "promptIdx"),
  };
}

/** The longest beginning of a prompt in a name. */
const SHOWN = 60;

/**
 * Names evaluations by their model and the beginning of their prompt, whose label is its whole text unless it was given
 * one. Further ones with the same name get a number.
 */
function evaluationNames(): (model: string | undefined, prompt: string) => string {
  const seen = new Map<string, number>();
  return (model, prompt) => {
    // Old versions put the provider into the label.
    const label = (prompt.startsWith(`[${model}] `) ? prompt.slice(model!.length + 3) : prompt).trim();
    const begin = label.split("\n")[0]!.slice(0, SHOWN).trimEnd();
    const name = [model, begin === label ? label : `${begin}…`].filter(Boolean).join(" · ");
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} #${times}`;
  };
}

function trialOf(result: Json, evaluation: string): ImportEvent {
  const vars = at(result, "vars") ?? {};
  const metadata = at(result, "testCase", "metadata");
  const error = providerError(result);
  return trialEvent({
    evaluation,
    row: present({
      ...(isObject(vars) ? vars : { vars }),
      description: at(result, "testCase", "description"),
      metadata: isObject(metadata) && Object.keys(metadata).length === 0 ? undefined : metadata,
    }),
    rowKey: vars,
    output: answerWithError(error, at(result, "response", "output") ?? null),
    scores:
      error === undefined
        ? present({
            pass: at(result, "success"),
            score: at(result, "score"),
            ...namedScores(result),
          })
        : {},
    error,
    latencySeconds: secondsOf(numberAt(result, "latencyMs")),
    totalTokens:
      numberAt(result, "tokenUsage", "total") ?? numberAt(result, "response", "tokenUsage", "total"),
    attributes: present({
      cost: at(result, "cost"),
      reason: at(result, "gradingResult", "reason"),
      assertions: assertionsOf(listAt(result, "gradingResult", "componentResults")),
    }),
  });
}

/** A failed assertion fills `error` too; a failed provider has another reason or, in older files, no grading. */
function providerError(result: Json): string | undefined {
  const reason = numberAt(result, "failureReason");
  const error = errorText(at(result, "error"));
  if (reason === undefined) return isObject(at(result, "gradingResult")) ? undefined : error;
  return reason === 2 ? (error ?? "the provider failed") : undefined;
}

/** The named scores. A metric without weight is always 0 there, so its score is the mean of its assertions. */
function namedScores(result: Json): JsonObject {
  const found = listAt(result, "gradingResult", "componentResults");
  const own = (metric: string) => {
    const scores = found.flatMap((one) =>
      textAt(one, "assertion", "metric") === metric ? (numberAt(one, "score") ?? []) : [],
    );
    return scores.length === 0 ? null : scores.reduce((a, b) => a + b) / scores.length;
  };
  const hasWeight = (metric: string) => numberAt(result, "gradingResult", "namedScoreWeights", metric) !== 0;
  const scores = membersAt(result, "namedScores");
  return Object.fromEntries(
    scores.map(([metric, score]) => [metric, hasWeight(metric) ? score : own(metric)]),
  );
}

/** The result of each assertion, by its metric or type: assertions without a metric are in no score. */
function assertionsOf(results: readonly Json[]): JsonObject | undefined {
  const own = results.filter((one) => isObject(at(one, "assertion")));
  if (own.length === 0) return undefined;
  const names = uniqueNames(
    own.map((one) => textAt(one, "assertion", "metric") ?? textAt(one, "assertion", "type") ?? ""),
  );
  return Object.fromEntries(
    own.map((one, i) => [
      names[i]!,
      present({ pass: at(one, "pass"), score: at(one, "score"), reason: at(one, "reason") }),
    ]),
  );
}

/** Reads a table with columns for each provider and prompt: `[small] …`, `Status`, `Score`, `Named Scores`, … */
async function* readTable(file: ImportFile): AsyncGenerator<ImportEvent> {
  let groups: readonly number[] = [];
  let columns: readonly string[] | undefined;
  const lost = new Map<string, number>();
  const nameOf = evaluationNames();
  const idOf = (group: number) => `${fileStem(file)} ${groups.indexOf(group)}`;
  for await (const some of (await delimitedRows(file)).rows)
    for (const { cells: row } of some) {
      if (columns !== undefined) {
        for (const [i, cell] of row.entries())
          if (isLostObject(cell)) lost.set(columns[i]!, (lost.get(columns[i]!) ?? 0) + 1);
        const vars = Object.fromEntries(
          columns
            .slice(0, groups[0])
            .flatMap((name, i) => (name === "Description" ? [] : [[name, row[i] ?? ""]])),
        );
        for (const group of groups) {
          // A test may be for other providers only.
          if (row[group + 1] === "") continue;
          const reason = row[columns.indexOf("Grader Reason", group)];
          yield cellsTrial(row.slice(group), vars, idOf(group), reason);
        }
        continue;
      }
      columns = row;
      groups = row.flatMap((_, i) => (row[i + 1] === "Status" ? [i] : []));
      for (const group of groups) {
        const [, model = row[group]!, prompt = ""] = /^\[(.*?)\] ?(.*)$/s.exec(row[group]!) ?? [];
        const name = nameOf(model, prompt);
        yield evaluationEvent({ id: idOf(group), name, model, dataset: fileStem(file) });
      }
    }
  const note = lostNote(lost, "export JSON, with promptfoo export eval ID -o results.json");
  if (note !== undefined) yield { kind: "note", note: `${file.path}: ${note}` };
}

function cellsTrial(
  [output, status, score, named]: readonly string[],
  row: JsonObject,
  evaluation: string,
  reason: string | undefined,
): ImportEvent {
  const failed = status === "ERROR";
  const byName = jsonOrText(named ?? "");
  return trialEvent({
    evaluation,
    row,
    output: failed ? null : (output ?? ""),
    scores: failed
      ? {}
      : { pass: status === "PASS", score: Number(score), ...(isObject(byName) ? byName : {}) },
    error: failed ? output || "the provider failed" : undefined,
    attributes: present({ reason: reason || undefined }),
  });
}
