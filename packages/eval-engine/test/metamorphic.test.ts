// Laws that relate the answers to related questions. They need no expected answer, and so find faults that the
// specification and the columns share.

import { jsonText } from "@assay/base";
import { asNumber, type Expr, getPath, type Json, readQuery, testQuery as truthOf } from "@assay/query-lang";
import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createEvalEngine,
  type EvalEngine,
  type EvalResults,
  type EvalResultsQueryBody,
  memoryCalls,
  memoryRows,
} from "../src/index.ts";
import { operation, request, type World, world } from "../src/testing/index.ts";
import { callsOf, digests, filter, scored } from "./semantics/project.ts";

const ALL = ["e1", "e2", "e3"];

const engineOf = ({ calls, rows }: World): EvalEngine =>
  createEvalEngine({ calls: memoryCalls(calls), rows: memoryRows(rows) });

const ask = (project: World, body: EvalResultsQueryBody): Promise<EvalResults> =>
  engineOf(project).query("acme/demo", body);

/** A property test of values of this kind, with a hundredth of the cases. */
function law<T>(name: string, values: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): void {
  test(name, () => check(values, holds, { numRuns: CASES / 100 }), PATIENCE);
}

/** The rows of the three evaluations that an expression keeps. */
const kept = async (project: World, $expr: unknown, body: EvalResultsQueryBody = {}): Promise<string[]> =>
  digests(await ask(project, { evaluation_call_ids: ALL, filters: [filter($expr)], ...body }));

const not = (one: unknown) => ({ $not: [one] });
const unknown = (one: unknown) => ({ $eq: [one, { $literal: null }] });

describe("paging", () => {
  law(
    "consecutive pages make up the whole, with the total and the summary of the whole",
    fc.tuple(world, request, fc.integer({ min: 1, max: 4 })),
    async ([project, body, limit]) => {
      const engine = engineOf(project);
      const { limit: _limit, offset: _offset, ...rest } = body;
      const whole = await engine.query("acme/demo", { ...rest, include_rows: true });
      const rows: unknown[] = [];
      for (let offset = 0; offset <= whole.total_rows; offset += limit) {
        const page = await engine.query("acme/demo", { ...rest, include_rows: true, limit, offset });
        expect(page.total_rows).toBe(whole.total_rows);
        expect(page.summary).toEqual(whole.summary);
        rows.push(...page.rows);
      }
      expect(rows).toEqual(whole.rows);
    },
  );

  law(
    "without include_rows, the total and the summary are the same",
    fc.tuple(world, request),
    async ([project, body]) => {
      const [without, whole] = [
        await ask(project, { ...body, include_rows: false }),
        await ask(project, { ...body, include_rows: true }),
      ];
      // Warnings depend on what was read.
      expect({ ...without, warnings: [] }).toEqual({ ...whole, rows: [], warnings: [] });
    },
  );
});

describe("isolation", () => {
  law(
    "the order in which calls arrive does not matter",
    fc
      .tuple(world, request)
      .chain(([project, body]) =>
        fc
          .shuffledSubarray([...project.calls], { minLength: project.calls.length })
          .map((calls) => ({ project, body, shuffled: { ...project, calls } })),
      ),
    async ({ project, body, shuffled }) => {
      expect(jsonText(await ask(shuffled, body))).toBe(jsonText(await ask(project, body)));
    },
  );

  law(
    "two projects in one source never see each other",
    fc.tuple(world, world, request),
    async ([one, other, body]) => {
      const calls = memoryCalls();
      const rows = memoryRows();
      const engine = createEvalEngine({ calls, rows });
      for (const [name, project] of [
        ["acme/one", one],
        ["acme/other", other],
      ] as const) {
        calls.put(name, project.calls);
        rows.put(name, project.rows);
      }
      expect(await engine.query("acme/one", body)).toEqual(await ask(one, body));
      expect(await engine.query("acme/other", body)).toEqual(await ask(other, body));
    },
  );

  law("the answer for an evaluation does not depend on the others requested", world, async (project) => {
    const together = await ask(project, { evaluation_call_ids: ALL });
    for (const id of ALL) {
      const alone = await ask(project, { evaluation_call_ids: [id] });
      const ofIt = together.rows.flatMap(({ row_digest, evaluations }) =>
        evaluations
          .filter(({ evaluation_call_id }) => evaluation_call_id === id)
          .map(({ trials }) => ({ row_digest, trials })),
      );
      expect(alone.rows.map(({ row_digest, evaluations }) => ({ row_digest, ...evaluations[0] }))).toEqual(
        ofIt.map((one) => ({ ...one, evaluation_call_id: id })),
      );
    }
  });
});

describe("intersection", () => {
  law(
    "keeps the rows that every evaluation has, and changes nothing else",
    fc.tuple(world, request),
    async ([project, body]) => {
      const open = { ...body, include_rows: true, limit: null, offset: 0 };
      const all = await ask(project, { ...open, require_intersection: false });
      const both = await ask(project, { ...open, require_intersection: true });
      const ids = new Set([...body.evaluation_call_ids!, ...(body.evaluation_run_ids ?? [])]);
      expect(both.rows).toEqual(all.rows.filter(({ evaluations }) => evaluations.length === ids.size));
    },
  );
});

describe("filters", () => {
  law(
    "every row meets exactly one of: a condition, its negation, or unknown",
    fc.tuple(world, operation),
    async ([project, claim]) => {
      const all = await ask(project, { evaluation_call_ids: ALL });
      const parts = [];
      for (const one of [claim, not(claim), unknown(claim)]) parts.push(await kept(project, one));
      for (const { row_digest, evaluations } of all.rows) {
        const times = parts.filter((part) => part.includes(row_digest)).length;
        const trials = evaluations.flatMap((one) => one.trials).length;
        // Each trial falls into one of the three; a row with several trials may fall into several.
        expect(times).toBeGreaterThanOrEqual(1);
        expect(times).toBeLessThanOrEqual(Math.min(trials, 3));
      }
    },
  );

  law(
    "De Morgan: not both equals one of them not, and not either equals both of them not",
    fc.tuple(world, operation, operation),
    async ([project, a, b]) => {
      const neither = { $and: [not(a), not(b)] };
      expect(await kept(project, not({ $and: [a, b] }))).toEqual(
        await kept(project, { $or: [not(a), not(b)] }),
      );
      expect(await kept(project, not({ $or: [a, b] }))).toEqual(await kept(project, neither));
    },
  );

  law(
    "repeating a condition, or negating it twice, changes nothing",
    fc.tuple(world, operation),
    async ([project, claim]) => {
      const once = await kept(project, claim);
      for (const same of [{ $and: [claim, claim] }, { $or: [claim, claim] }, not(not(claim))]) {
        expect(await kept(project, same)).toEqual(once);
      }
    },
  );

  law(
    "$and and $or do not depend on the order",
    fc.tuple(world, operation, operation),
    async ([project, a, b]) => {
      for (const op of ["$and", "$or"]) {
        expect(await kept(project, { [op]: [a, b] })).toEqual(await kept(project, { [op]: [b, a] }));
      }
    },
  );

  law("a list of filters equals one $and", fc.tuple(world, operation, operation), async ([project, a, b]) => {
    for (const filter_logic_operator of ["and", "or"] as const) {
      const filters = [filter(a), filter(b)];
      expect(await kept(project, undefined, { filters, filter_logic_operator })).toEqual(
        await kept(project, { $and: [a, b] }, { filter_logic_operator }),
      );
    }
  });

  law(
    "an unscoped filter equals one per scope; `any` is the union of each, `all` the intersection",
    fc.tuple(world, operation),
    async ([project, claim]) => {
      const each: string[][] = [];
      for (const id of ALL) each.push(await kept(project, undefined, { filters: [filter(claim, id)] }));
      for (const [operator, rows] of [
        ["or", each.flat()],
        ["and", each[0]!.filter((digest) => each.every((one) => one.includes(digest)))],
      ] as const) {
        const body = { filter_logic_operator: operator };
        const scoped = { ...body, filters: ALL.map((id) => filter(claim, id)) };
        const wanted = [...new Set(rows)].toSorted();
        expect(await kept(project, claim, body)).toEqual(wanted);
        expect(await kept(project, undefined, scoped)).toEqual(wanted);
      }
    },
  );

  law(
    "a condition that holds for a trial selects its row",
    fc.tuple(world, operation, fc.nat()),
    async ([project, claim, n]) => {
      const { rows } = await ask(project, { evaluation_call_ids: ALL });
      const trials = rows.flatMap(({ row_digest, evaluations }) =>
        evaluations.flatMap((one) =>
          one.trials.map((trial) => ({ row_digest, evaluation: one.evaluation_call_id, trial })),
        ),
      );
      if (trials.length === 0) return;
      const { row_digest, evaluation, trial } = trials[n % trials.length]!;

      // Evaluates the claim for this trial from the answer and its call, and negates it if necessary.
      const call = project.calls.find(({ id }) => id === trial.predict_and_score_call_id)!;
      const example = getPath(call.inputs, ["example"]);
      const stored = project.rows.find(
        ({ digest }) => typeof example === "string" && example.endsWith(`/attr/rows/id/${digest}`),
      );
      const document: Json = {
        scores: trial.scores,
        outputs: trial.model_output,
        output: call.output,
        inputs: stored === undefined ? example : stored.val,
        row_digest,
      };
      const truth = truthOf(read(claim), (path) => getPath(document, path));
      const truism = truth === null ? unknown(claim) : truth ? claim : not(claim);

      expect(await kept(project, truism)).toContain(row_digest);
      expect(await kept(project, undefined, { filters: [filter(truism, evaluation)] })).toContain(row_digest);
    },
  );
});

function read($expr: unknown): Expr {
  const expr = readQuery({ $expr }, { at: [], field: () => undefined });
  if (!expr.ok) throw new Error(JSON.stringify(expr.issues));
  return expr.value;
}

describe("sorting", () => {
  law(
    "by difference does not depend on the order of the evaluations",
    fc.tuple(world, fc.constantFrom("scores.s", "scores.t", "scores.s.a"), fc.constantFrom("asc", "desc")),
    async ([project, field, direction]) => {
      const sort_by = [{ field, direction, mode: "difference" } as const];
      const one = await ask(project, { evaluation_call_ids: ALL, sort_by });
      const other = await ask(project, { evaluation_call_ids: ALL.toReversed(), sort_by });
      expect(digests(other)).toEqual(digests(one));
    },
  );

  const values = fc.array(fc.constantFrom<Json>(0, 1, -1, 0.5, "0.5", true, 10, 9, "10", null, "x"), {
    maxLength: 9,
  });

  law("descending is ascending reversed, except for ties and missing values", values, async (scores) => {
    const entries = scores.map((s, i) => [`r${i}`, { s }] as const);
    const project: World = { calls: callsOf([scored("e1", Object.fromEntries(entries))]), rows: [] };
    const order = async (direction: "asc" | "desc") =>
      digests(
        await ask(project, { evaluation_call_ids: ["e1"], sort_by: [{ field: "scores.s", direction }] }),
      );
    const numberOf = (digest: string): number | null => asNumber(scores[Number(digest.slice(1))]!);

    // Without any number the scores sort as text, which is another case.
    if (!scores.some((score) => asNumber(score) !== null)) return;
    const up = await order("asc");
    const missing = up.filter((digest) => numberOf(digest) === null);
    const present = up.slice(0, up.length - missing.length);
    const numbers = [...new Set(present.map(numberOf))];
    expect(up).toEqual([...present, ...missing]);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a! - b!));
    expect(await order("desc")).toEqual([
      ...numbers.toReversed().flatMap((number) => present.filter((digest) => numberOf(digest) === number)),
      ...missing,
    ]);
  });

  law("orders the rows that filters select", fc.tuple(world, request), async ([project, body]) => {
    const open = { ...body, include_rows: true, limit: null, offset: 0 };
    const plain = await ask(project, { ...open, sort_by: null });
    const sorted = await ask(project, open);
    const byDigest = sorted.rows.toSorted((a, b) => (a.row_digest < b.row_digest ? -1 : 1));
    expect(byDigest).toEqual(plain.rows);
    // A field that no row has causes a warning.
    expect({ ...sorted, rows: [], warnings: [] }).toEqual({ ...plain, rows: [], warnings: [] });
  });
});

describe("the summary", () => {
  law("counts the rows and trials in the answer", fc.tuple(world, request), async ([project, body]) => {
    const { rows, summary } = await ask(project, {
      ...body,
      include_rows: true,
      include_summary: true,
      summary_require_intersection: null,
      limit: null,
      offset: 0,
    });
    expect(summary!.row_count).toBe(rows.length);
    for (const { evaluation_call_id, trial_count, predict_total_tokens } of summary!.evaluations) {
      const trials = rows.flatMap(({ evaluations }) =>
        evaluations
          .filter((one) => one.evaluation_call_id === evaluation_call_id)
          .flatMap((one) => one.trials),
      );
      const tokens = trials.flatMap(({ total_tokens }) => total_tokens ?? []);
      expect(trial_count).toBe(trials.length);
      expect(predict_total_tokens).toBe(tokens.length === 0 ? null : tokens.reduce((a, b) => a + b, 0));
    }
    const present = new Set(
      rows.flatMap(({ evaluations }) => evaluations.map((one) => one.evaluation_call_id)),
    );
    expect(new Set(summary!.evaluations.map((one) => one.evaluation_call_id))).toEqual(present);
  });
});
