// Reads a report of garak, `*.report.jsonl`: records of several kinds, of which attempts have answers and the results of
// detectors.

import type { Json } from "@assay/base";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { jsonLines } from "../json/json-lines.ts";
import { at, isObject, listAt, membersAt, present, textAt } from "../json/json-text.ts";
import type { FileHead } from "../tables/file-head.ts";
import { evaluationEvent, type ImportEvent, trialEvent } from "../trials/imported-trial.ts";
import { contentText } from "./content-text.ts";
import type { Importer } from "./importer.ts";

/** Attempts have a record before detectors judged them, and one after it. */
const JUDGED = "2";

/** garak. */
export const garak: Importer = {
  name: "garak",
  title: "garak report",
  recognises: ({ fileType, keys }: FileHead) =>
    fileType === "json-lines" && (isReport(keys) || isHitlog(keys)),
  async *read([file]) {
    let first: Json = null;
    for await (const record of jsonLines(file!)) {
      first = record;
      break;
    }
    if (at(first, "entry_type") === undefined) {
      const note = "only the answers in which a detector found something; import the report next to it";
      yield { kind: "note", note: `${file!.path}: ${note}` };
    } else yield* readReport(file!);
  },
};

function isReport(keys: ReadonlySet<string>): boolean {
  return ["", "*."].some((b) => keys.has(`${b}entry_type`) && [...keys].some((key) => key.includes("garak")));
}

function isHitlog(keys: ReadonlySet<string>): boolean {
  return ["", "*."].some((b) =>
    ["probe", "detector", "generator", "attempt_id"].every((key) => keys.has(`${b}${key}`)),
  );
}

async function* readReport(file: ImportFile): AsyncGenerator<ImportEvent> {
  const id = fileStem(file);
  const detectors = new Set<string>();
  let [setup, init]: readonly Json[] = [null, null];
  for await (const record of jsonLines(file)) {
    const type = textAt(record, "entry_type");
    if (type === "start_run setup") setup = record;
    else if (type === "init") init = record;
    for (const [detector] of membersAt(record, "detector_results")) detectors.add(detector);
  }
  const target = ["target", "model"]
    .map((what) => ["type", "name"].flatMap((part) => textAt(setup, `plugins.${what}_${part}`) ?? []))
    .find((parts) => parts.length > 0);
  yield evaluationEvent(
    {
      ...{ id, name: target?.join(" ") ?? id, model: target?.at(-1), dataset: "garak" },
      startedAt: textAt(init, "start_time"),
      // A detector named like a verdict, such as `encoding.DecodeMatch`, gives 1 to an attack that succeeded.
      scoreTexts: "text",
      attributes: present({ run: at(init, "run"), threshold: at(setup, "run.eval_threshold") }),
    },
    new Map(Array.from(detectors, (detector) => [detector, "lower"])),
  );
  for await (const record of jsonLines(file))
    if (textAt(record, "entry_type") === "attempt" && textAt(record, "status") === JUDGED)
      yield* attemptTrials(record, id);
}

function* attemptTrials(attempt: Json, evaluation: string): Generator<ImportEvent> {
  const results = membersAt(attempt, "detector_results");
  const row = present({
    probe: at(attempt, "probe_classname"),
    prompt: messageText(at(attempt, "prompt") ?? null),
    goal: at(attempt, "goal"),
  });
  for (const [i, output] of listAt(attempt, "outputs").entries()) {
    yield trialEvent({
      evaluation,
      row,
      rowKey: [row["probe"] ?? null, row["prompt"]!],
      output: messageText(output),
      scores: Object.fromEntries(results.map(([detector, list]) => [detector, listAt(list)[i] ?? null])),
    });
  }
}

/** The text of a message or of a conversation with one turn; texts in older reports. */
function messageText(message: Json): Json {
  if (!isObject(message)) return message;
  const turns = listAt(message, "turns");
  if (turns.length === 0) return at(message, "text") ?? null;
  const said = turns.map((turn) => at(turn, "content", "text") ?? contentText(at(turn, "content") ?? null));
  return said.length === 1
    ? said[0]!
    : turns.map((turn, i) => ({ role: at(turn, "role") ?? null, content: said[i]! }));
}
