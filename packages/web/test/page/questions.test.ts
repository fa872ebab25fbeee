// The server answers every question that the page sends when it opens, whatever the logged data.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { RowPage } from "../../src/page/data/answers.ts";
import { apiOf } from "../../src/page/data/api.ts";
import { choose, pairOf } from "../../src/page/data/choose.ts";
import { focusOf, scoreFields } from "../../src/page/data/measures.ts";
import {
  compareBody,
  copiedQuestion,
  factsBody,
  measureOf,
  ordersOf,
  pageBody,
  queryOf,
} from "../../src/page/data/questions.ts";
import { CHANGES, comparisonOf, ORDERS } from "../../src/page/state/page-route.ts";
import { sealedHandler } from "../../src/worker/sealed-handler.ts";

const PROJECT = "acme/demo";

interface Logged {
  readonly latency: boolean;
  readonly tokens: boolean;
  readonly scored: boolean;
}

/** Two evaluations of three rows each, as lines. */
function linesOf(logged: Logged): readonly object[] {
  return ["a", "b"].flatMap((id) => [
    { id, op_name: "Evaluation.evaluate", started_at: "2026-01-01T00:00:00Z", inputs: {} },
    ...[0, 1, 2].map((row) => ({
      id: `${id}-${row}`,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: "2026-01-01T00:00:00Z",
      inputs: { example: { question: `q${row}` } },
      output: {
        output: `answer ${row}`,
        ...(logged.latency && { model_latency: { mean: row + 1 } }),
        scores: logged.scored ? { correct: row > 0 } : {},
      },
      ...(logged.tokens && { summary: { usage: { m: { total_tokens: 10 + row } } } }),
    })),
  ]);
}

const evaluations = fc.constantFrom<readonly string[]>([], ["a"], ["a", "b"], ["gone", "a"]);
const linked = fc.record(
  {
    evaluations,
    measure: fc.constantFrom("scores.correct", "scores.gone"),
    change: fc.constantFrom(...CHANGES),
    order: fc.constantFrom(...ORDERS),
  },
  { requiredKeys: ["evaluations"] },
);
const logging = fc.record({ latency: fc.boolean(), tokens: fc.boolean(), scored: fc.boolean() });

test("every initial question of the page is answered, for any logged data and any link", async () => {
  await fc.assert(
    fc.asyncProperty(logging, linked, async (given, parts) => {
      const lines = linesOf(given).map((line) => JSON.stringify(line));
      const calls = [new TextEncoder().encode(lines.join("\n"))];
      const api = apiOf(await sealedHandler({ project: PROJECT, calls, rows: [] }), "http://assay.invalid");
      const listed = await api.evaluations(PROJECT);
      const chosen = choose(comparisonOf(PROJECT, parts), listed, await pairOf(api, PROJECT, listed))!;
      const { place, baseline } = chosen;
      const counted = { ...queryOf(chosen), include_rows: false, include_summary: true };
      const fields = scoreFields((await api.query(PROJECT, counted)).summary);
      const focus = focusOf(place, fields);
      expect(focus).toBe(given.scored ? "scores.correct" : undefined);
      expect(ordersOf(baseline, "higher")).toContain(place.order);
      const measure = focus === undefined ? undefined : measureOf(place, focus);
      const page: RowPage = await api.page(PROJECT, pageBody(chosen, measure, 0));
      if (baseline === undefined) return;
      await api.compare(PROJECT, compareBody(chosen, fields));
      const facts = factsBody(chosen, page.measures);
      const compared = facts && (await api.compare(PROJECT, facts));
      const measures = compared === undefined ? [] : compared.comparisons[0]!.measures;
      expect(measures.map(({ field }) => field)).toEqual([
        ...(given.latency ? ["model_latency_seconds"] : []),
        ...(given.tokens ? ["total_tokens"] : []),
      ]);
    }),
    { numRuns: 40 },
  );
});

test("the command for a comparison has its filters", () => {
  const place = comparisonOf(PROJECT, {
    evaluations: ["a", "b"],
    chips: [
      { kind: "condition", field: "inputs.kind", op: "eq", value: "it's" },
      { kind: "condition", field: "scores.f1\\.macro", op: "lt", value: 0.5, evaluation: "b" },
    ],
  });
  const { command } = copiedQuestion(choose(place, [], undefined)!, undefined);
  expect(command).toBe(
    `assay compare acme/demo a b --where 'inputs.kind = "it'\\''s"' --where 'b: 0.5 > scores["f1.macro"]'`,
  );
});
