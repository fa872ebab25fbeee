// Reads DeepEval's test runs, `test_run_<time>.json`, and the results that its `evaluate` returns, dumped as JSON.

import type { Json } from "@assay/base";
import { groupBy } from "../collections/group-by.ts";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { utcTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, isObject, type JsonObject, listAt, numberAt, present, textAt } from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import type { FileGroups, Importer } from "./importer.ts";

const CASES = [
  "testCases",
  "conversationalTestCases",
  "test_cases",
  "conversational_test_cases",
  "test_results",
];
const HEAD = ["identifier", "hyperparameters", "datasetAlias", "runDuration"];
const SPANS = ["baseSpans", "agentSpans", "llmSpans", "retrieverSpans", "toolSpans"];
/** The time in the names of files that are kept. */
const TIME = /(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/;

/** DeepEval. */
export const deepeval: Importer = {
  name: "deepeval",
  title: "DeepEval test run",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" &&
    (keys.has("test_results.*.metrics_data") ||
      ["", "testRunData."].some((b) =>
        ["metricsData", "metrics_data", "metricsScores"].some(
          (key) =>
            keys.has(`${b}testCases.*.${key}`) ||
            keys.has(`${b}test_cases.*.${key}`) ||
            keys.has(`${b}${key}`),
        ),
      )),
  units,
  async *read([file, ...others]) {
    for (const { path } of others)
      yield { kind: "note", note: `${path}: the same run as ${file!.path}; skipped` };
    const head = await headOf(file!);
    const name = textAt(head, "identifier") ?? fileStem(file!);
    const id = `${fileStem(file!)} ${name}`;
    yield evaluationEvent({
      id,
      name,
      model: textAt(head, "hyperparameters", "model"),
      dataset: textAt(head, "datasetAlias") ?? "deepeval",
      startedAt: utcTime(TIME.exec(fileStem(file!))?.[0].replace(TIME, "$1-$2-$3T$4:$5:$6")),
      attributes: present({ hyperparameters: at(head, "hyperparameters") }),
    });
    yield* trialsOf(file!, id);
  },
};

/** The latest run has two files, and one more if runs are kept: these are read once, from the one with a time. */
async function units(files: readonly ImportFile[]): Promise<FileGroups> {
  const heads = await Promise.all(files.map((file) => headOf(file).catch((): JsonObject => ({}))));
  const runs = files.map((file, i) => ({ file, head: heads[i]! }));
  // No two runs take the same time to the last digit.
  const together = groupBy(runs, ({ file, head }) =>
    "runDuration" in head ? JSON.stringify(head) : file.path,
  );
  const isKept = ({ path }: ImportFile) => Number(TIME.test(path));
  return Array.from(together.values(), (same) =>
    same.map(({ file }) => file).sort((a, b) => isKept(b) - isKept(a)),
  );
}

async function headOf(file: ImportFile): Promise<JsonObject> {
  const head: { [key: string]: Json } = {};
  for await (const { path, value } of jsonSlices(file, { take: HEAD.flatMap(both) }))
    head[path.at(-1)!] = value;
  return head;
}

function both(key: string): readonly (readonly string[])[] {
  return [[key], ["testRunData", key]];
}

async function* trialsOf(file: ImportFile, evaluation: string): AsyncGenerator<ImportEvent> {
  const take = CASES.flatMap(both).map((path) => [...path, "*"]);
  for await (const { value } of jsonSlices(file, { take })) yield caseTrial(value, evaluation);
}

function caseTrial(one: Json, evaluation: string): ImportEvent {
  // Older files, and those of returned results, use snake case.
  const field = (camel: string): Json | undefined =>
    at(one, camel) ??
    at(
      one,
      camel.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    ) ??
    undefined;
  const metrics = metricsIn(field("metricsData"));
  const spans = SPANS.flatMap((kind) => listAt(one, "trace", kind));
  const roots = spans.filter((span) => at(span, "parentUuid") === undefined);
  const question = questionOf(field);
  const counts = [field("inputTokenCount"), field("outputTokenCount")].filter(
    (count) => typeof count === "number",
  );
  return trialEvent({
    evaluation,
    row: present({
      ...question,
      context: field("context"),
      expected_tools: field("expectedTools"),
      metadata: field("metadata"),
    }),
    rowKey: question,
    output: field("turns") ?? field("actualOutput") ?? null,
    scores: {
      ...verdictOf(field("success"), [
        ...metrics,
        ...spans.flatMap((span) => metricsIn(at(span, "metricsData"))),
      ]),
      ...spanScores(spans),
      ...scoresOf(metrics),
    },
    error: errorText(roots.flatMap((span) => at(span, "error") ?? [])),
    latencySeconds: numberAt({ time: field("completionTime") ?? null }, "time"),
    totalTokens: totalOf(counts),
    attributes: present({
      name: field("name"),
      cost: field("tokenCost"),
      retrieval_context: field("retrievalContext"),
      tools_called: field("toolsCalled"),
      tags: field("tags"),
      comments: field("comments"),
      metrics: metrics.map((metric) =>
        present({
          name: at(metric, "name"),
          reason: at(metric, "reason"),
          error: at(metric, "error") ?? undefined,
        }),
      ),
    }),
  });
}

/**
 * The identity of a row. In a conversation, the model's turns are its answer; the turns of a simulated user differ in
 * each run.
 */
function questionOf(field: (camel: string) => Json | undefined): JsonObject {
  const turns = field("turns");
  if (!Array.isArray(turns))
    return present({ input: field("input") ?? null, expected: field("expectedOutput") });
  const scenario = field("scenario");
  return present({
    ...(scenario === undefined
      ? { turns: (turns as readonly Json[]).filter((turn) => at(turn, "role") === "user") }
      : { scenario, user_description: field("userDescription") }),
    expected: field("expectedOutcome") ?? field("expectedOutput"),
  });
}

function metricsIn(list: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).filter(isObject);
}

function hasFailed(metric: JsonObject): boolean {
  return errorText(metric["error"]) !== undefined;
}

/** A metric that failed has no score, and its `success: false` is not about the answer. */
function scoresOf(metrics: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const name = textAt(metric, "name");
      if (name === undefined || hasFailed(metric)) return [];
      return [[name, present({ score: metric["score"], success: metric["success"] })]];
    }),
  );
}

/** The scores of a trial's steps, by their names; those of the second one with a name have its number. */
function spanScores(spans: readonly Json[]): JsonObject {
  const scored = spans.flatMap((span) => {
    const scores = scoresOf(metricsIn(at(span, "metricsData")));
    return Object.keys(scores).length === 0 ? [] : [{ name: textAt(span, "name") ?? "span", scores }];
  });
  return Object.fromEntries(
    [...groupBy(scored, ({ name }) => name)].flatMap(([name, same]) =>
      same.map(({ scores }, i) => [i === 0 ? name : `${name} ${i + 1}`, scores]),
    ),
  );
}

/** Whether a case passed: unknown if metrics failed and none of the others decided it. */
function verdictOf(success: Json | undefined, metrics: readonly JsonObject[]): JsonObject {
  const isDecided =
    success === true ||
    metrics.some((metric) => metric["success"] === false && metric["flaky"] !== true && !hasFailed(metric));
  return typeof success === "boolean" && isDecided ? { success } : {};
}
