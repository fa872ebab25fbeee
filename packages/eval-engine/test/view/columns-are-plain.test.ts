// Compares pages, groups and fields over columns with those over plain objects, as whole answers, byte for byte. Also
// checks them against each other: selecting what a count counts returns that many rows.

import { CASES, check, mayStopEarly, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEvalEngine, type EvalEngine, memoryCalls, memoryRows } from "../../src/index.ts";
import { request, scoredWorld, world } from "../../src/testing/index.ts";
import type { RowFilter, ViewQuestion } from "../../src/view/wire/body.ts";
import type { RowGroupsResults, RowPageResults } from "../../src/view/wire/response.ts";

const P = "acme/demo";
const IDS = ["e1", "e2", "e3", "e4"];
const MEASURES = ["scores.s", "scores.t.a", "scores.u", "model_latency_seconds", "total_tokens"];
const FIELDS = [
  "inputs.cat",
  "inputs.size",
  "inputs.mixed",
  "inputs.doc.id",
  "inputs.hard",
  "inputs.n",
  "inputs.none",
];

const measure = fc.oneof(
  fc.constantFrom(...MEASURES),
  fc.record({ field: fc.constantFrom(...MEASURES), direction: fc.constantFrom("higher", "lower", null) }),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) });
const bound = fc.constantFrom(-1, 0, 0.25, 0.5, 1, 2, 3.5);
const scalar = fc.constantFrom<string | number | boolean>("math", "1", 1, 2, true, "true", "a");
const ofMeasure = (ids: readonly string[]) => ({
  field: fc.constantFrom(...MEASURES),
  evaluation_call_id: fc.constantFrom(...ids),
  baseline: optional(fc.constantFrom(...ids)),
});
const rowFilter = (ids: readonly string[]): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record(
      {
        field: fc.constantFrom(...FIELDS),
        equals: scalar,
        none_of: fc.array(scalar, { maxLength: 2 }),
        at_least: bound,
        below: bound,
        known: fc.boolean(),
      },
      { requiredKeys: ["field"] },
    ),
    fc.record(
      {
        ...ofMeasure(ids),
        at_least: bound,
        at_most: bound,
        equals: fc.constantFrom(0, 1, true, false),
        known: fc.boolean(),
      },
      { requiredKeys: ["field", "evaluation_call_id"] },
    ),
  );
const anyFilter = fc.constantFrom<object>(
  { query: { $expr: { $eq: [{ $getField: "inputs.cat" }, { $literal: "math" }] } } },
  { query: { $expr: { $gte: [{ $getField: "inputs.size" }, { $literal: 2 }] } } },
  { evaluation_call_id: "e1", query: { $expr: { $gt: [{ $getField: "scores.s" }, { $literal: 0.3 }] } } },
  { evaluation_call_id: "e2", query: { $expr: { $eq: [{ $getField: "scores.t.a" }, { $literal: true }] } } },
  { query: { $expr: { $not: [{ $eq: [{ $getField: "scores.t.a" }, { $literal: true }] }] } } },
);
const usualQuery = fc.record(
  {
    evaluation_call_ids: fc.shuffledSubarray(IDS, { minLength: 1 }),
    filters: fc.array(anyFilter, { maxLength: 2 }),
    filter_logic_operator: fc.constantFrom("and", "or"),
    require_intersection: fc.integer({ min: 0, max: 4 }).map((k) => k === 0),
    include_predict_and_score_children: fc.boolean(),
    sort_by: fc.array(
      fc.record({
        field: fc.constantFrom("scores.s", "scores.u", "inputs.size", "inputs.mixed", "outputs"),
        direction: fc.constantFrom("asc", "desc"),
        mode: fc.constant("value"),
      }),
      { maxLength: 2 },
    ),
    limit: fc.constantFrom(1, 3, 50),
    offset: fc.constantFrom(0, 0, 2, 100),
  },
  { requiredKeys: ["evaluation_call_ids"] },
);

type Asked = readonly [ViewQuestion, { readonly [key: string]: unknown }];

/** Questions about the rows of a query. */
function questions(
  query: fc.Arbitrary<{ readonly evaluation_call_ids?: readonly string[] | null | undefined }>,
): fc.Arbitrary<Asked> {
  const given = (body: object) =>
    Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return query.chain((asked): fc.Arbitrary<Asked> => {
    const ids = (asked.evaluation_call_ids?.length ?? 0) > 0 ? asked.evaluation_call_ids! : ["e1"];
    const one = fc.constantFrom(...ids);
    const row_filters = optional(fc.array(rowFilter(ids), { maxLength: 2 }));
    const page = fc
      .record({
        row_filters,
        measure: optional(measure, 4),
        baseline: optional(one, 3),
        candidate: optional(one),
        change: optional(fc.constantFrom("worse", "better", "changed", "equal", "flaky", "missing"), 2),
        order: optional(fc.constantFrom("worst_first", "best_first", "largest_first")),
        measures: optional(fc.array(fc.constantFrom(...MEASURES), { maxLength: 3 })),
        preview_chars: optional(fc.constantFrom(0, 5, 30)),
      })
      .map(
        ({ order, ...body }) =>
          ["page", given({ query: order ? { ...asked, sort_by: [] } : asked, order, ...body })] as Asked,
      );
    const groups = fc
      .record({
        row_filters,
        by: fc.oneof(
          fc.record({ field: fc.constantFrom(...FIELDS), bins: optional(fc.constantFrom(1, 2, 3, 20)) }),
          fc.record({ ...ofMeasure(ids), bins: optional(fc.constantFrom(1, 2, 3, 20)) }),
        ),
        measures: optional(fc.array(measure, { maxLength: 2 })),
        baseline: optional(one),
        level: optional(fc.constantFrom(0.5, 0.95)),
      })
      .map((body) => ["groups", given({ query: asked, ...body, by: given(body.by) })] as Asked);
    const fields = fc.constant<Asked>(["fields", { evaluation_call_ids: ids }]);
    return fc.oneof(
      { weight: 4, arbitrary: page },
      { weight: 4, arbitrary: groups },
      { weight: 1, arbitrary: fields },
    );
  });
}

const ROUND = 16;

test.each([
  ["any calls", world, questions(request), CASES / 100],
  ["evaluations of shared rows", scoredWorld, questions(usualQuery), CASES / 50],
] as const)(
  "columns answer like plain objects, over %s",
  async (_, worlds, question, cases) => {
    let answered = 0;
    await check(
      fc.tuple(worlds, fc.array(question, { minLength: ROUND, maxLength: ROUND, size: "max" })),
      async ([{ calls, rows }, asked]) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const [kind, body] of asked) {
          const columns = await engine.answerView(kind, P, body);
          const plain = await engine.answerView(kind, P, body, { plan: "naive" });
          expect(JSON.stringify(columns)).toBe(JSON.stringify(plain));
          if (columns.ok) answered++;
        }
      },
      { numRuns: cases / ROUND },
    );
    expect(answered).toBeGreaterThan(mayStopEarly ? 0 : cases / 3);
  },
  PATIENCE,
);

async function answerOf<T>(
  engine: EvalEngine,
  question: ViewQuestion,
  body: unknown,
): Promise<T | undefined> {
  const answer = await engine.answerView(question, P, body);
  return answer.ok ? (answer.value as T) : undefined;
}

/** The number of rows of a page, counted without building them. */
async function rowsOf(
  engine: EvalEngine,
  body: { readonly [key: string]: unknown; readonly query: object },
): Promise<number> {
  const counted = { ...body, query: { ...body.query, limit: 0 } };
  return (await answerOf<RowPageResults>(engine, "page", counted))!.total_rows;
}

test(
  "every count equals the rows selected: of each group, by both of its filters, and of each change",
  async () => {
    let [groupsSeen, published, changesSeen] = [0, 0, 0];
    await check(
      fc.tuple(scoredWorld, fc.array(questions(usualQuery), { minLength: 1, maxLength: 1 })),
      async ([{ calls, rows }, asked]) => {
        const engine = createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });
        for (const [kind, body] of asked) {
          const { query, row_filters = [] } = body as {
            readonly query: { readonly filters?: readonly object[] };
            readonly row_filters?: readonly RowFilter[];
          };
          if (kind === "groups") {
            const found = await answerOf<RowGroupsResults>(engine, kind, body);
            if (found === undefined) continue;
            expect(found.groups.reduce((sum, group) => sum + group.rows, 0)).toBe(found.rows);
            for (const { rows: count, row_filter, filter } of found.groups) {
              groupsSeen++;
              expect(await rowsOf(engine, { query, row_filters: [...row_filters, row_filter] })).toBe(count);
              if (filter === null) continue;
              published++;
              const narrowed = { ...query, filters: [...(query.filters ?? []), filter] };
              expect(await rowsOf(engine, { query: narrowed, row_filters })).toBe(count);
            }
          } else if (kind === "page") {
            const { change: _, ...rest } = body;
            const all = { ...rest, query: { ...query, limit: 0 } };
            const counts = (await answerOf<RowPageResults>(engine, kind, all))?.counts;
            for (const [change, count] of Object.entries(counts ?? {})) {
              if (count === null) continue;
              changesSeen++;
              expect(await rowsOf(engine, change === "all" ? all : { ...all, change })).toBe(count);
            }
            if (counts?.changed != null && body["candidate"] !== undefined)
              expect(counts.changed + counts.equal! + counts.missing).toBe(counts.all);
          }
        }
      },
      { numRuns: Math.max(1, CASES / 40) },
    );
    // A short run has too few cases to require a minimum of each kind.
    if (mayStopEarly || CASES < 1000) return;
    expect(groupsSeen).toBeGreaterThan(CASES / 1000);
    expect(published).toBeGreaterThan(CASES / 1000);
    expect(changesSeen).toBeGreaterThan(CASES / 1000);
  },
  PATIENCE,
);
