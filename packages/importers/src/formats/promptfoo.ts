// Reads the output of `promptfoo eval -o`: JSON, JSON lines and CSV. One file holds an evaluation for each prompt and
// provider.

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
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { yamlValue } from "../json/yaml-value.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import { delimitedRows } from "../tables/cells/delimited-rows.ts";
import type { FileHead } from "../tables/file-head.ts";
import { fileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import type { FileGroups, Importer } from "./importer.ts";

/** promptfoo. */
export const promptfoo: Importer = {
  name: "promptfoo",
  title: "promptfoo results (JSON, JSON lines, YAML, CSV)",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "table"
      ? keys.has("Named Scores") && keys.has("Status") && keys.has("Score")
      : (keys.has("evalId") && keys.has("results")) ||
        (keys.has("promptIdx") && keys.has("testIdx")) ||
        (keys.has("version") && keys.has("results") && keys.has("table")),
  units: (files) =>
    [...groupBy(files, (file) => `${folderOf(file)}/${fileStem(file)}`).values()].flatMap(forms),
  async *read([file, ...others]) {
    for (const { path } of others) {
      yield {
        kind: "note",
        note: `${path}: ${file!.path} in another format, by its name; skipped`,
      };
    }
    const { fileType, keys } = await fileHead(file!);
    if (fileType === "table") yield* readTable(file!);
    else if (keys.has("promptIdx"))
      yield* readResults(jsonLines(file!), { run: fileStem(file!), file: file! });
    else if (fileType === "yaml") yield* readYaml(file!);
    else yield* readDocument(file!);
  },
};

// Formats that one `eval -o` may write at once, most complete first: a table has rounded scores and no times.
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
  readonly startedAt?: string | undefined;
}

async function* readDocument(file: ImportFile): AsyncGenerator<ImportEvent> {
  let [run, startedAt, version]: (Json | undefined)[] = [];
  const take = [["evalId"], ["results", "version"], ["results", "timestamp"]];
  for await (const { path, value } of jsonSlices(file, { take })) {
    if (path.length === 1) run = value;
    else if (path[1] === "version") version = value;
    else startedAt = value;
  }
  checkVersion(version);
  const results = async function* (): AsyncGenerator<Json> {
    for await (const { value } of jsonSlices(file, { take: [["results", "results", "*"]] })) yield value;
  };
  const time = typeof startedAt === "string" ? startedAt : undefined;
  yield* readResults(results(), { run: String(run ?? fileStem(file)), file, startedAt: time });
}

function checkVersion(version: Json | undefined): void {
  if (typeof version === "number" && version >= 3) return;
  throw new Unreadable(
    `written by an older promptfoo (results.version ${version ?? "not given"}); export it again`,
  );
}

/** Reads the same document as YAML, which has to be held in memory. */
async function* readYaml(file: ImportFile): AsyncGenerator<ImportEvent> {
  const document = await yamlValue(file);
  checkVersion(at(document, "results", "version"));
  const results = async function* (): AsyncGenerator<Json> {
    yield* listAt(document, "results", "results");
  };
  const run = textAt(document, "evalId") ?? fileStem(file);
  yield* readResults(results(), { run, file, startedAt: textAt(document, "results", "timestamp") });
}

async function* readResults(results: AsyncIterable<Json>, run: Run): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  for await (const result of results) {
    const prompt = numberAt(result, "promptIdx");
    if (prompt === undefined)
      throw new Unreadable("a result without promptIdx; export it again with a newer promptfoo");
    const evaluation = `${run.run} ${prompt}`;
    if (!seen.has(evaluation)) yield describe(result, evaluation, run);
    seen.add(evaluation);
    yield trialOf(result, evaluation);
  }
}

function describe(result: Json, id: string, { file, startedAt }: Run): ImportEvent {
  const model =
    textAt(result, "provider", "label") ?? textAt(result, "provider", "id") ?? textAt(result, "provider");
  const prompt = textAt(result, "prompt", "label") ?? textAt(result, "prompt", "raw") ?? "";
  return evaluationEvent({
    id,
    name: [model, prompt].filter(Boolean).join(" · "),
    model,
    dataset: fileStem(file),
    startedAt,
    attributes: present({ prompt }),
  });
}

function trialOf(result: Json, evaluation: string): ImportEvent {
  const vars = at(result, "vars") ?? {};
  // A failed assertion fills `error` too; only this number identifies a failed provider.
  const failed = numberAt(result, "failureReason") === 2;
  const error = failed ? (errorText(at(result, "error")) ?? "the provider failed") : undefined;
  const named = at(result, "namedScores");
  return trialEvent({
    evaluation,
    row: present({
      ...(isObject(vars) ? vars : { vars }),
      description: at(result, "testCase", "description"),
      metadata: at(result, "testCase", "metadata"),
    }),
    rowKey: vars,
    output: answerWithError(error, at(result, "response", "output") ?? null),
    scores: failed
      ? {}
      : present({
          pass: at(result, "success"),
          score: at(result, "score"),
          ...(isObject(named) ? named : {}),
        }),
    error,
    latencySeconds: secondsOf(numberAt(result, "latencyMs")),
    totalTokens: numberAt(result, "tokenUsage", "total"),
    attributes: present({ cost: at(result, "cost"), reason: at(result, "gradingResult", "reason") }),
  });
}

function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** Reads a table with columns for each provider and prompt: `[small] …`, `Status`, `Score`, `Named Scores`, … */
async function* readTable(file: ImportFile): AsyncGenerator<ImportEvent> {
  let groups: readonly number[] = [];
  let columns: readonly string[] | undefined;
  const idOf = (group: number) => `${fileStem(file)} ${groups.indexOf(group)}`;
  for await (const some of (await delimitedRows(file)).rows)
    for (const { cells: row } of some) {
      if (columns !== undefined) {
        const vars = Object.fromEntries(
          columns
            .slice(0, groups[0])
            .flatMap((name, i) => (name === "Description" ? [] : [[name, row[i] ?? ""]])),
        );
        for (const group of groups) yield cellsTrial(row.slice(group), vars, idOf(group));
        continue;
      }
      columns = row;
      groups = row.flatMap((_, i) => (row[i + 1] === "Status" ? [i] : []));
      for (const group of groups) {
        const [, model = row[group]!, prompt = ""] = /^\[(.*?)\] ?(.*)$/s.exec(row[group]!) ?? [];
        const name = [model, prompt].filter(Boolean).join(" · ");
        yield evaluationEvent({ id: idOf(group), name, model, dataset: fileStem(file) });
      }
    }
}

function cellsTrial(
  [output, status, score, named]: readonly string[],
  row: JsonObject,
  evaluation: string,
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
  });
}
