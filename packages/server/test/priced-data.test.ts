// The costs of the model's calls in evaluations: equal from columns, the reference and every source of rows, for any
// query, and equal to plain sums over the trials.

import { jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import type { Call } from "@assay/calls";
import {
  createEvalEngine,
  type EvalExecution,
  type EvalResults,
  type EvalResultsQueryBody,
  type EvalResultsTrial,
  memoryCalls,
  memoryRows,
} from "@assay/eval-engine";
import { partsText } from "@assay/eval-engine/internal";
import { request, world } from "@assay/eval-engine/testing";
import { readPrices } from "@assay/inference-core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withPrices } from "../src/data/priced-data.ts";

const P = "acme/demo";

const read = readPrices({ m: { input: 0.1, output: 0.3 }, k: { input: 2 } });
const prices = read.ok ? read.value : new Map();

// Usage as calls log it, and its cost in integer picodollars.
const KINDS: readonly (readonly [usage: Call["summary"], cost: number | null])[] = [
  [{}, null],
  [{ usage: { m: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } } }, 900_000],
  [
    { usage: { m: { input_tokens: 1, output_tokens: 1 }, k: { prompt_tokens: 7, total_tokens: 7 } } },
    14_400_000,
  ],
  [{ usage: { m: { prompt_tokens: 3, completion_tokens: 2 }, other: { total_tokens: 1 } } }, null],
  [{ usage: { m: { total_tokens: 5 } } }, null],
  [{ usage: { m: { prompt_tokens: 0, completion_tokens: 0 } } }, 0],
];

const inDollars = (cost: number | null) => (cost === null ? null : Number((cost / 1e12).toFixed(12)));

const costed: fc.Arbitrary<EvalResultsQueryBody> = request.map((body) => ({ ...body, include_costs: true }));

test("every execution has the same costs, of each trial and summed over the summary's trials", async () => {
  const bodies = fc.array(costed, { minLength: 4, maxLength: 4 });
  const kinds = fc.array(fc.nat(KINDS.length - 1), { minLength: 7, maxLength: 7 });
  let priced = 0;
  await fc.assert(
    fc.asyncProperty(world, kinds, bodies, async (project, kindsOf, asked) => {
      const costs: Costs = new Map();
      const given = project.calls.map((call, i) => {
        const [summary, cost] = KINDS[kindsOf[i % kindsOf.length]!]!;
        costs.set(call.id, cost);
        return { ...call, summary };
      });
      const calls = memoryCalls(given);
      const engine = createEvalEngine({ calls, rows: memoryRows(project.rows) });
      const naive: EvalExecution = {
        answer: (of, body, options) => engine.answer(of, body, { ...options, plan: "naive" }),
      };
      const withCosts = (execution: EvalExecution) =>
        withPrices({ engine: execution, calls, query: execution.answer }, prices);
      for (const body of asked) {
        const expected = jsonText(await plainlyPriced(naive, body, costs));
        if (/cost":[^n]/.test(expected)) priced++;
        for (const execution of [naive, engine])
          expect(jsonText(await whole(withCosts(execution).query(P, body)))).toBe(expected);
        expect(jsonText(await inParts(withCosts(engine).engine, body))).toBe(expected);
        expect(jsonText(await whole(engine.answer(P, body)))).not.toMatch(/cost":[^n]/);
      }
    }),
    { numRuns: RUNS },
  );
  expect(priced).toBeGreaterThan(Math.floor(RUNS / 4) - 1);
});

test("an invalid query is reported as without prices, and a cancelled query is cancelled", async () => {
  const calls = memoryCalls([]);
  const engine = createEvalEngine({ calls, rows: memoryRows([]) });
  const data = withPrices({ engine, calls, query: engine.answer }, prices);
  const wrong = { evaluation_call_ids: ["e"], include_costs: true, limit: -1 };
  expect(await data.query(P, wrong)).toEqual(await engine.answer(P, wrong));
  const asked = { evaluation_call_ids: ["e"], include_costs: true, include_summary: true };
  await expect(data.engine.answer(P, asked, { signal: { aborted: true } })).rejects.toMatchObject({
    code: "cancelled",
  });
});

const RUNS = Number(process.env["ASSAY_RUNS"] ?? 40);

type Costs = Map<string, number | null>;

/** The answer with each trial priced, and each evaluation by a plain sum over all trials that its summary counts. */
async function plainlyPriced(
  { answer }: EvalExecution,
  body: EvalResultsQueryBody,
  costs: Costs,
): Promise<EvalResults> {
  const results = await whole(answer(P, body));
  const costOf = ({ predict_call_id, predict_and_score_call_id }: EvalResultsTrial) =>
    costs.get(predict_call_id ?? predict_and_score_call_id) ?? null;
  const counted = await whole(
    answer(P, {
      ...body,
      require_intersection: body.summary_require_intersection ?? body.require_intersection ?? false,
      ...{ include_rows: true, include_summary: false, limit: null, offset: 0 },
    }),
  );
  const sumOf = (id: string) =>
    counted.rows
      .flatMap(({ evaluations }) => evaluations.filter((of) => of.evaluation_call_id === id))
      .flatMap(({ trials }) => trials.map(costOf))
      .filter((cost) => cost !== null)
      .reduce<number | null>((sum, cost) => (sum ?? 0) + cost, null);
  // Changes the copy in place, because numbers keep their logged notation.
  const filled = parseJson(jsonText(results)) as unknown as EvalResults;
  for (const trial of filled.rows.flatMap(({ evaluations }) => evaluations.flatMap(({ trials }) => trials)))
    (trial as Priced).total_cost = inDollars(costOf(trial));
  for (const one of filled.summary?.evaluations ?? [])
    (one as Summed).predict_total_cost = inDollars(sumOf(one.evaluation_call_id));
  return filled;
}

type Priced = { total_cost: number | null };
type Summed = { predict_total_cost: number | null };

async function whole(answer: ReturnType<EvalExecution["answer"]>): Promise<EvalResults> {
  const results = await answer;
  if (!results.ok) throw new Error(JSON.stringify(results.issues));
  return results.value;
}

async function inParts({ answerInParts }: EvalExecution, body: EvalResultsQueryBody): Promise<EvalResults> {
  const answer = await answerInParts!(P, body);
  if (!answer.ok) throw new Error(JSON.stringify(answer.issues));
  let text = "";
  for await (const piece of partsText(answer.value)) text += piece;
  return parseJson(text) as unknown as EvalResults;
}
