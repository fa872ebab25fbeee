// Reads a report of Pydantic Evals, serialised as JSON.

import type { Json } from "@assay/base";
import { fileStem } from "../files/import-file.ts";
import { jsonSlices } from "../json/json-slices.ts";
import {
  at,
  isObject,
  type JsonObject,
  listAt,
  membersAt,
  numberAt,
  present,
  textAt,
} from "../json/json-text.ts";
import { errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { totalOf } from "../trials/measured.ts";
import { isAsked, unaskedNote } from "./asked-scores.ts";
import type { Importer } from "./importer.ts";

const HEAD = ["name", "dataset_name", "experiment_metadata"];
const RESULTS = ["scores", "labels", "assertions"];

/** Pydantic Evals. */
export const pydanticEvals: Importer = {
  name: "pydantic-evals",
  title: "Pydantic Evals report",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json" &&
    (keys.has("cases.*.assertions") || (keys.has("cases") && keys.has("failures.*.error_stacktrace"))),
  async *read([file], options) {
    const head: { [key: string]: Json } = {};
    for await (const { path, value } of jsonSlices(file!, { take: HEAD.map((key) => [key]) }))
      head[path[0]!] = value;
    const name = textAt(head, "name") ?? fileStem(file!);
    const id = `${fileStem(file!)} ${name}`;
    yield evaluationEvent({
      ...{ id, name, model: textAt(head, "experiment_metadata", "model") },
      dataset: textAt(head, "dataset_name") ?? "pydantic-evals",
      attributes: present({ metadata: head["experiment_metadata"] ?? undefined }),
    });
    const beside = new Set<string>();
    for await (const { value } of jsonSlices(file!, {
      take: [
        ["cases", "*"],
        ["failures", "*"],
      ],
    })) {
      const metrics = membersAt(value, "metrics");
      const asked = metrics.filter(([metric]) => isAsked(metric, options));
      for (const one of metrics) if (!asked.includes(one)) beside.add(one[0]);
      yield caseTrial(value, id, Object.fromEntries(asked));
    }
    yield* unaskedNote(file!.path, beside, options);
  },
};

/** `asked`: the metrics of its task that are scores by request. */
function caseTrial(one: Json, evaluation: string, asked: JsonObject): ImportEvent {
  const inputs = at(one, "inputs") ?? null;
  const question = present({
    ...(isObject(inputs) ? inputs : { input: inputs }),
    expected: at(one, "expected_output") ?? undefined,
  });
  const results = RESULTS.flatMap((kind) => membersAt(one, kind));
  const tokens = ["input_tokens", "output_tokens"].flatMap((name) => numberAt(one, "metrics", name) ?? []);
  return trialEvent({
    evaluation,
    row: present({ ...question, metadata: at(one, "metadata") ?? undefined }),
    rowKey: question,
    output: at(one, "output") ?? null,
    scores: { ...Object.fromEntries(results.map(([name, of]) => [name, at(of, "value") ?? null])), ...asked },
    error: errorText(at(one, "error_message")),
    latencySeconds: numberAt(one, "task_duration"),
    totalTokens: totalOf(tokens),
    attributes: present({
      name: at(one, "name"),
      metrics: Object.fromEntries(membersAt(one, "metrics")),
      attributes: at(one, "attributes"),
      reasons: Object.fromEntries(
        results.flatMap(([name, of]) => (at(of, "reason") ? [[name, at(of, "reason")!]] : [])),
      ),
      failures: listAt(one, "evaluator_failures").map((failure) =>
        present({ name: at(failure, "name"), error: at(failure, "error_message") }),
      ),
    }),
  });
}
