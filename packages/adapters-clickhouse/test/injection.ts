// Values never become SQL: the text of every statement is the same, whatever a request, a call or a row contains.

import { type Call, createEvalEngine, memoryCalls, memoryRows } from "@assay/eval-engine";
import { pushedExecution } from "@assay/eval-engine/pushed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ClickHouse, clickHouseStore } from "../src/index.ts";
import { clickhouse, freshDatabase, whole } from "./support.ts";

/** Texts with a meaning in SQL, ClickHouse parameters, formats or JSON paths. */
const HOSTILE = [
  "'; DROP TABLE trials; --",
  "\\'; SELECT 1; --",
  '" OR 1=1 --',
  "`x`, (SELECT 1)",
  "{p0:String}",
  "{p0:Identifier}",
  "$1 ?",
  "%41 %s %n",
  "a\tb\nc\r\u0000d",
  "\\N",
  "NULL",
  "\u{1f600} é ﷽",
  "] , ['x",
  "/* */ --",
  "1e999",
  ".:Float64",
  "^a",
  "k_Zk",
  "scores",
];

interface Values {
  readonly project: string;
  readonly evaluation: string;
  readonly id: string;
  readonly path: string;
  readonly literal: string;
  readonly digest: string;
}

/** Records the statements in order. */
function recorded(): { readonly clickhouse: ClickHouse; readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    clickhouse: {
      query: (statement, options) => {
        texts.push(statement.sql);
        return clickhouse.query(statement, options);
      },
      columns: (statement, options) => {
        texts.push(statement.sql);
        return clickhouse.columns(statement, options);
      },
      page: (statement, options) => {
        texts.push(statement.sql);
        return clickhouse.page(statement, options);
      },
      insert: (table, lines) => {
        texts.push(table);
        return clickhouse.insert(table, lines);
      },
      command: clickhouse.command,
      change: (statement) => {
        texts.push(statement.sql);
        return clickhouse.change(statement);
      },
    },
  };
}

function callsOf({ evaluation, id, path, literal, digest }: Values): readonly Call[] {
  const call = { trace_id: null, display_name: literal, ended_at: null, exception: null, deleted_at: null };
  const values = { [path]: literal, nested: { [path]: [literal, { [path]: 1 }] } };
  const reference = `weave:///a/b/object/rows:v1/attr/rows/id/${digest}`;
  return [
    {
      ...call,
      id: evaluation,
      parent_id: null,
      op_name: literal,
      started_at: null,
      inputs: { self: literal },
      output: null,
      attributes: null,
      summary: null,
    },
    ...[reference, values, literal].map((example, n) => ({
      ...call,
      id: `${id}${n}`,
      parent_id: evaluation,
      op_name: "Evaluation.predict_and_score",
      started_at: `2026-01-01T00:00:0${n}Z`,
      inputs: { example },
      output: { output: values, scores: { ...values, n } },
      attributes: {},
      summary: {},
    })),
  ];
}

function bodyOf({ evaluation, path, literal, digest }: Values): object {
  const segment = path.replaceAll(/[.\\]/g, "\\$&");
  const field = (name: string) => ({ $getField: name });
  const value = { $literal: literal };
  return {
    evaluation_call_ids: [evaluation, literal],
    include_raw_data_rows: true,
    resolve_row_refs: true,
    include_summary: true,
    sort_by: [
      { field: `scores.${segment}`, direction: "asc", evaluation_call_id: evaluation },
      { field: `inputs.${segment}`, direction: "desc", evaluation_call_id: literal },
      { field: `outputs.nested.${segment}`, direction: "desc" },
    ],
    filters: [
      { evaluation_call_id: literal, query: { $expr: { $eq: [field(`scores.${segment}`), value] } } },
      {
        query: {
          $expr: {
            $or: [
              { $contains: { input: field(`outputs.${segment}`), substr: value } },
              { $contains: { input: field("inputs"), substr: value, case_insensitive: true } },
              { $in: [field(`output.output.${segment}`), [value, { $literal: { [path]: literal } }]] },
              { $eq: [field("row_digest"), { $literal: digest }] },
            ],
          },
        },
      },
    ],
    filter_logic_operator: "or",
  };
}

async function run(database: string, values: Values) {
  const { clickhouse, texts } = recorded();
  const { calls, rows, trials } = clickHouseStore(clickhouse, { database });
  const row = { digest: values.digest, val: { [values.path]: values.literal } };
  await rows.put(values.project, [row]);
  await calls.put(values.project, callsOf(values).map(whole));
  const body = bodyOf(values);
  const answer = await pushedExecution({ trials, calls, rows }).answer(values.project, body);
  const source = memoryCalls();
  source.put(values.project, callsOf(values));
  const engine = createEvalEngine({ calls: source, rows: memoryRows([row]) });
  const wanted = await engine.answer(values.project, body, { plan: "naive" });
  return { texts, answer: JSON.stringify(answer), wanted: JSON.stringify(wanted) };
}

const PLAIN: Values = {
  project: "acme/plain",
  evaluation: "eval",
  id: "id",
  path: "path",
  literal: "text",
  digest: "row",
};

test("hostile text in any position is only a value", async () => {
  const database = await freshDatabase();
  const plain = await run(database, PLAIN);
  expect(plain.answer).toBe(plain.wanted);
  const hostile = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  );
  const positions: readonly (keyof Values)[] = ["project", "evaluation", "id", "path", "literal", "digest"];
  let n = 0;
  // Additional statements about unproven names, which depend on the rows.
  const more = new Set<string>();
  const check = async (values: Values): Promise<void> => {
    const got = await run(database, { ...values, project: `${values.project} ${n++}` });
    expect(got.texts).toEqual(expect.arrayContaining([...plain.texts]));
    for (const text of got.texts) if (!plain.texts.includes(text)) more.add(text);
    expect(got.answer).toBe(got.wanted);
  };
  for (const text of HOSTILE) {
    await check({
      project: text,
      evaluation: `e${text}`,
      id: `i${text}`,
      path: text,
      literal: text,
      digest: `d${text.replaceAll("/", "")}`,
    });
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...positions), hostile, (position, text) =>
      check({ ...PLAIN, [position]: position === "digest" ? `d${text.replaceAll("/", "")}` : text }),
    ),
    { numRuns: Math.ceil(Number(process.env["ASSAY_RUNS"] ?? 1000) / 200) },
  );
  expect(more.size).toBeLessThan(10);
});

test("hostile text in statistics questions is only a value", async () => {
  const path = "a'\"`;--{p0:String}\\\n";
  const values = { ...PLAIN, project: "acme/statistics", path };
  const { clickhouse, texts } = recorded();
  const { calls, rows, trials } = clickHouseStore(clickhouse, { database: await freshDatabase() });
  const given = callsOf(values);
  await calls.put(values.project, given.map(whole));
  const segment = path.replaceAll(/[.\\]/g, "\\$&");
  const question = {
    query: { evaluation_call_ids: [values.evaluation] },
    measure: "scores.n",
    cluster_by: `inputs.${segment}`,
  };
  const source = memoryCalls();
  source.put(values.project, given);
  const engine = createEvalEngine({ calls: source, rows: memoryRows([]) });
  const found = await pushedExecution({ trials, calls, rows }).answerStatistics(
    "ranking",
    values.project,
    question,
  );
  expect(found.ok).toBe(true);
  expect(JSON.stringify(found)).toBe(
    JSON.stringify(await engine.answerStatistics("ranking", values.project, question, { plan: "naive" })),
  );
  expect(texts.filter((text) => text.includes(path))).toEqual([]);
});
