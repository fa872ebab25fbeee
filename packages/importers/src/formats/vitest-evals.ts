// Reads the output of Vitest's JSON reporter for tests made with vitest-evals.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { isoTime } from "../json/iso-time.ts";
import { jsonSlices } from "../json/json-slices.ts";
import { at, listAt, numberAt, present, textAt, textsAt } from "../json/json-text.ts";
import { answerWithError, errorText } from "../scores/error-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { secondsOf } from "../trials/measured.ts";
import type { Importer } from "./importer.ts";
import { listedScores } from "./listed-scores.ts";

/** vitest-evals. */
export const vitestEvals: Importer = {
  name: "vitest-evals",
  title: "vitest-evals (Vitest JSON reporter)",
  recognises: ({ keys }: FileHead) => keys.has("numTotalTestSuites") && keys.has("testResults"),
  async *read([file]) {
    let startedAt: string | undefined;
    const suites = new Map<string, Suite>();
    for await (const { path, value } of jsonSlices(file!, { take: [["startTime"], TESTS] })) {
      if (path.length === 1) startedAt = typeof value === "number" ? isoTime(value) : undefined;
      else if (isEvaluated(value)) {
        const { models, sources } = suiteOf(value, file!, suites);
        const { harness, model } = sourceOf(value);
        if (model !== undefined && !models.has(harness)) models.set(harness, model);
        sources.add(harness);
      }
    }
    yield* testsOf(file!, startedAt, suites);
  },
};

const TESTS = ["testResults", "*", "assertionResults", "*"];

/** The tests of one suite. */
interface Suite {
  readonly name: string;
  /** The harnesses that ran them; an empty name if there was none. */
  readonly sources: Set<string>;
  /** The first model of each harness: a run that failed does not name it. */
  readonly models: Map<string, string>;
}

function suiteOf(test: Json, file: ImportFile, suites: Map<string, Suite>): Suite {
  const name = textsAt(test, "ancestorTitles").join(" ") || fileStem(file);
  const suite = suites.get(name) ?? { name, sources: new Set(), models: new Map() };
  suites.set(name, suite);
  return suite;
}

function sourceOf(test: Json): { readonly harness: string; readonly model: string | undefined } {
  const harness = at(test, "meta", "harness");
  return { harness: textAt(harness, "name") ?? "", model: textAt(harness, "run", "usage", "model") };
}

function isEvaluated(test: Json): boolean {
  return at(test, "meta", "eval") !== undefined || at(test, "meta", "harness") !== undefined;
}

async function* testsOf(
  file: ImportFile,
  startedAt: string | undefined,
  suites: Map<string, Suite>,
): AsyncGenerator<ImportEvent> {
  const seen = new Set<string>();
  let ordinary = 0;
  for await (const { value } of jsonSlices(file, { take: [TESTS] })) {
    const { name, sources, models } = suiteOf(value, file, suites);
    // A test of a suite with evaluations that failed before there was a result.
    const isBroken = textAt(value, "status") === "failed" && sources.size === 1;
    if (!isEvaluated(value) && !isBroken) {
      ordinary++;
      continue;
    }
    const own = sourceOf(value);
    const harness = isEvaluated(value) ? own.harness : [...sources][0]!;
    const model = (own.model ?? models.get(harness) ?? harness) || fileStem(file);
    const id = `${startedAt ?? fileStem(file)} ${name} ${harness} ${model}`;
    const isAlone = [...models].filter(([, other]) => other === model).length <= 1;
    if (!seen.has(id)) {
      const shown = isAlone ? name : `${name} · ${harness}`;
      yield evaluationEvent({ id, name: shown, model, dataset: name, startedAt });
    }
    seen.add(id);
    yield trialOf(value, name, id);
  }
  if (ordinary > 0) {
    yield {
      kind: "note",
      note: `${file.path}: skipped, not evaluations: ${ordinary} ${ordinary === 1 ? "test" : "tests"}; with --reporter=junit their results can be imported`,
    };
  }
}

function trialOf(test: Json, suite: string, evaluation: string): ImportEvent {
  const run = at(test, "meta", "harness", "run");
  const [failure] = listAt(test, "failureMessages");
  const message = typeof failure === "string" ? failure.split("\n")[0] : undefined;
  const error = errorText(listAt(run, "errors")[0]) ?? (isEvaluated(test) ? undefined : message);
  const [first] = listAt(run, "session", "events");
  const { scores, scorers } = listedScores(listAt(test, "meta", "eval", "scores"));
  const name = textAt(test, "fullName") ?? "";
  return trialEvent({
    evaluation,
    row: present({ suite, test: textAt(test, "title") ?? name, input: at(first, "content") }),
    // The events do not always include the question; the test's name always identifies it.
    rowKey: name,
    output: answerWithError(error, at(test, "meta", "eval", "output") ?? at(run, "output") ?? null),
    scores: error === undefined ? present({ pass: passOf(test, message), ...scores }) : scores,
    error,
    latencySeconds: secondsOf(numberAt(listAt(run, "traces")[0], "durationMs") ?? numberAt(test, "duration")),
    totalTokens: numberAt(run, "usage", "totalTokens"),
    attributes: present({ failure: message, scorers }),
  });
}

/** Whether a test passed; undefined if it ended in an error, which is not about the answer. */
function passOf(test: Json, failure: string | undefined): boolean | undefined {
  if (textAt(test, "status") === "passed") return true;
  return at(test, "meta", "eval", "thresholdFailed") === true ||
    /^(?:AssertionError|Error: Snapshot)\b/.test(failure ?? "")
    ? false
    : undefined;
}
