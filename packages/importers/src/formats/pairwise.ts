// Reads judgements of two answers: MT-Bench's pairs, battles as Chatbot Arena publishes them, and games of Arena-Hard.
// Each model is an evaluation, in which a win is 1 and a tie 0.5.

import type { Json } from "@assay/base";
import { Unreadable } from "../files/errors.ts";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import { at, isObject, type JsonObject, listAt, present, textAt } from "../json/json-text.ts";
import { isPreference, roleOf } from "../tables/columns/column-roles.ts";
import { preferredOf } from "../tables/columns/derived-score.ts";
import { type FileHead, fileHead } from "../tables/file-head.ts";
import { jsonRecords, recordsOf } from "../tables/records.ts";
import { evaluationEvent, trialEvent } from "../trials/imported-trial.ts";
import type { Importer } from "./importer.ts";

/** How columns of the two sides end. */
const SIDES = [
  ["_a", "_b"],
  ["_1", "_2"],
] as const;
type Sides = (typeof SIDES)[number];

/** Judgements of pairs. */
export const pairwise: Importer = {
  name: "pairwise",
  title: "pairwise judgements of MT-Bench, Chatbot Arena and Arena-Hard",
  isTabular: true,
  recognises: ({ keys }: FileHead) => {
    const names = [...keys].map((key) => key.replace(/^\*\./, ""));
    return (
      ["model", "games", "games.*.score"].every((key) => names.includes(key)) || sidesOf(names) !== undefined
    );
  },
  async *read([file]) {
    const seen = new Set<string>();
    for await (const record of judgementsIn(file!))
      for (const trial of trialsOf(record, file!)) {
        const id = trial.evaluation;
        if (!seen.has(id)) yield evaluationEvent({ id, name: id, model: id, dataset: fileStem(file!) });
        seen.add(id);
        yield trialEvent(trial);
      }
    yield { kind: "note", note: `${file!.path}: ${NOTE}` };
  },
};

const NOTE =
  "an evaluation for each model; win is 1, 0.5 for a tie or for judgements that contradict each other";

async function* judgementsIn(file: ImportFile): AsyncGenerator<JsonObject> {
  const { fileType } = await fileHead(file);
  if (fileType !== "table" && fileType !== "parquet") yield* jsonRecords(file);
  else for await (const records of (await recordsOf(file)).records) yield* records;
}

type Trial = Parameters<typeof trialEvent>[0];

/** The sides that have a model each, if a column says which of them is better. */
function sidesOf(names: readonly string[]): Sides | undefined {
  if (verdictsIn(names).length === 0) return undefined;
  return SIDES.find((sides) => sides.every((side) => names.includes(`model${side}`)));
}

function verdictsIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => isPreference(name) && !name.includes("."));
}

function trialsOf(record: JsonObject, file: ImportFile): readonly Trial[] {
  return Array.isArray(record["games"]) ? gameTrials(record) : pairTrials(record, file);
}

/** The games of a model against the baseline, which is `A` in the first and `B` in the second. */
function gameTrials(record: JsonObject): readonly Trial[] {
  const evaluation = textAt(record, "model") ?? "model";
  const key = present({ id: at(record, "uid") ?? at(record, "question_id") });
  return listAt(record, "games").map((game, i) => {
    const [, side, sign] = /^\s*([AB])\s*([>=]+)\s*[AB]\s*$/.exec(textAt(game, "score") ?? "") ?? [];
    const win = sign === "=" ? 0.5 : Number((side === "A") === (i % 2 === 1));
    return {
      evaluation,
      row: present({ ...key, category: at(record, "category"), cluster: at(record, "cluster") }),
      rowKey: key,
      output: null,
      scores: { win: sign === undefined ? null : win },
      attributes: present({
        against: at(record, "baseline"),
        judge: at(record, "judge"),
        judgment: at(game, "judgment"),
      }),
    };
  });
}

function pairTrials(record: JsonObject, file: ImportFile): readonly Trial[] {
  const names = Object.keys(record);
  const sides = sidesOf(names);
  if (sides === undefined) throw new Unreadable("a record without two models and which of them is better");
  const models = sides.map((side) => textAt(record, `model${side}`) ?? file.path);
  const win = winOf(record, models, sides);
  const roles = (role: string) => names.filter((name) => roleOf(name)?.role === role);
  // The prompts of judges have the answers in them.
  const inputs = roles("input").filter((name) => !/^g\d_/.test(name));
  const ids = roles("id").slice(0, 1);
  const answers = sides.map((side) =>
    names.find((name) => /^(?:conversation|response|answer|output)_.$/.test(name) && name.endsWith(side)),
  );
  const asked =
    [...ids, ...inputs].length > 0 ? {} : { question: answerIn(record[answers[0]!] ?? null).question };
  const key = present({
    ...Object.fromEntries(
      [...(ids.length > 0 ? ids : inputs), ...names.filter((name) => name === "turn")].map((name) => [
        name,
        record[name]!,
      ]),
    ),
    ...asked,
  });
  const own = new Set([...Object.keys(key), ...answers, ...inputs]);
  const attributes = Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name)));
  return models.map((model, i) => ({
    evaluation: model,
    row: present({ ...key, ...Object.fromEntries(inputs.map((name) => [name, record[name]!])) }),
    rowKey: key,
    output: answerIn(record[answers[i] ?? ""] ?? null).answer,
    scores: { win: win === undefined ? null : win === "tie" ? 0.5 : Number(win === i) },
    attributes: { against: models[1 - i]!, ...attributes },
  }));
}

/** The place of the better side; a tie if judgements differ; undefined without a judgement. */
function winOf(record: JsonObject, models: readonly string[], sides: Sides): number | "tie" | undefined {
  const verdicts = verdictsIn(Object.keys(record));
  const marked = [...sides.map((side) => `winner_model${side}`), "winner_tie"];
  const found = verdicts.some((name) => marked.includes(name))
    ? [[0, 1, "tie" as const][marked.findIndex((name) => Number(record[name]) === 1)]]
    : verdicts.map((name) => preferredOf(record[name] ?? null, models) ?? undefined);
  const [first] = found;
  return found.includes(undefined) || found.every((one) => one === first) ? first : "tie";
}

/** The question and the last answer of a conversation; another value is an answer itself. */
function answerIn(value: Json): { readonly question?: Json; readonly answer: Json } {
  if (!Array.isArray(value) || !value.every((one) => isObject(one) && "role" in one))
    return { answer: value };
  const by = (role: string) =>
    value.filter((one) => textAt(one, "role") === role).map((one) => at(one, "content") ?? null);
  return { question: by("user"), answer: by("assistant").at(-1) ?? null };
}
