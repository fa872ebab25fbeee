// Logs written by the tools themselves, and the tools' own aggregates, which must be equal to the last digit. The
// samples are next to the checkout, if present.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesAt, imported, SAMPLES } from "./support.ts";

interface Score {
  readonly count: number;
  readonly type: string;
  readonly mean?: number;
  readonly values?: { readonly [text: string]: number };
}

interface Run {
  readonly name: string;
  readonly model: string;
  readonly rows: number;
  readonly trials: number;
  readonly errors: number;
  readonly scores: { readonly [path: string]: Score };
  readonly total_tokens?: number;
}

interface Side {
  readonly path: string;
  readonly run: string;
  readonly model: string;
}

interface Manifest {
  readonly files: readonly { readonly path: string; readonly runs: readonly Run[] }[];
  readonly comparisons: readonly {
    readonly a: Side;
    readonly b: Side;
    readonly rows_in_both: number;
    readonly scores: {
      readonly [path: string]: {
        readonly rows_with_both: number;
        readonly a_higher: number;
        readonly b_higher: number;
      };
    };
  }[];
  readonly other_files: readonly {
    readonly path: string;
    readonly same_content_as?: string;
    readonly note?: string;
  }[];
}

/**
 * The type and mean that a score of the manifest is imported with: 0 and 1 pass or fail, and so do yes and no, as in
 * their tools.
 */
function readAs(
  score: string,
  { type, mean, values, count }: Score,
): { type: string; mean: number | undefined } {
  if (/^(?:acc|acc_norm|(?:quasi_)?exact_match)(?:,|$)/.test(score)) return { type: "boolean", mean };
  const isYesOrNo = values !== undefined && Object.keys(values).every((word) => /^(?:yes|no)$/.test(word));
  return isYesOrNo ? { type: "boolean", mean: (values["yes"] ?? 0) / count } : { type, mean };
}

const there = existsSync(join(SAMPLES, "manifest.json"));
const manifest: Manifest = there
  ? JSON.parse(readFileSync(join(SAMPLES, "manifest.json"), "utf8"))
  : { files: [], comparisons: [], other_files: [] };

/** A score's path as in the manifest, where scorer names contain no dots. */
const statPath = ({ scorer_key, path }: { scorer_key: string; path: string | null }) =>
  path === null ? scorer_key : `${scorer_key}.${path}`;

describe.runIf(there)("samples of the tools", () => {
  test.each(manifest.files.map(({ path, runs }) => [path, runs] as const))("%s", async (path, runs) => {
    // The manifest has all metrics of HELM, some of which are scores only by request.
    const scores = path.startsWith("helm/") ? Object.keys(runs[0]!.scores) : undefined;
    const { plan, engine } = await imported(filesAt(SAMPLES, path), { scores });
    // Other files of a folder are skipped.
    expect(plan.refused.filter(({ why }) => why !== "unknown")).toEqual([]);
    expect(plan.evaluations).toHaveLength(runs.length);
    for (const run of runs) await expectRun(run);

    async function expectRun(run: Run): Promise<void> {
      const of = plan.evaluations.filter(({ model }) => runs.length === 1 || model === run.model);
      const planned = of.find(({ name }) => name === run.name) ?? of[0]!;
      expect(planned.model ?? run.model).toBe(run.model);
      const { summary } = (await engine.query("me/demo", {
        evaluation_call_ids: [planned.id],
        include_summary: true,
      })) as { summary: NonNullable<Awaited<ReturnType<typeof engine.query>>["summary"]> };
      const [evaluation] = summary.evaluations;
      expect(summary.row_count).toBe(run.rows);
      expect(planned.rows).toBe(run.rows);
      expect(evaluation!.trial_count).toBe(run.trials);
      expect(planned.errors).toBe(run.errors);
      if (run.total_tokens !== undefined) expect(evaluation!.predict_total_tokens).toBe(run.total_tokens);
      const stats = new Map(evaluation!.scorer_stats.map((stat) => [statPath(stat), stat]));
      for (const [score, expected] of Object.entries(run.scores)) {
        const stat = stats.get(score);
        expect(stat, `${score} of ${[...stats.keys()]}`).toBeDefined();
        expect(stat!.trial_count).toBe(expected.count);
        const { type, mean } = readAs(score, expected);
        expect(stat!.value_type).toBe({ boolean: "binary", number: "continuous", text: "text" }[type]);
        expect((type === "boolean" ? stat!.pass_rate : stat!.numeric_mean) ?? undefined).toBe(mean);
        const report = planned.scores.find((one) => one.path.replaceAll("\\", "") === score)!;
        expect([report.type, report.trials, report.mean]).toEqual([type, expected.count, mean]);
      }
    }
  });

  test.each(manifest.comparisons.map((one) => [`${one.a.path} · ${one.b.path}`, one] as const))(
    "rows match: %s",
    async (_, { a, b, rows_in_both, scores }) => {
      const paths = [...new Set([a.path, b.path])];
      const { plan, engine } = await imported(paths.flatMap((path) => filesAt(SAMPLES, path)));
      const idOf = ({ run, model, path }: Side) =>
        (plan.evaluations.find((one) => one.model === model && one.name === run) ??
          plan.evaluations.find((one) => one.model === model || one.name === path))!.id;
      const ids = [idOf(a), idOf(b)];
      const { rows } = await engine.query("me/demo", {
        evaluation_call_ids: ids,
        require_intersection: true,
      });
      expect(rows).toHaveLength(rows_in_both);
      for (const [path, expected] of Object.entries(scores)) {
        const difference = rows.map((row) => {
          const means = row.evaluations.map(({ trials }) =>
            meanOf(trials.map((trial) => leaf(trial.scores, path))),
          );
          return means[0]! - means[1]!;
        });
        expect(difference.filter((value) => value > 0)).toHaveLength(expected.a_higher);
        expect(difference.filter((value) => value < 0)).toHaveLength(expected.b_higher);
      }
    },
  );

  test("an export of Langfuse has the scores of its experiments, except the one that it leaves out", async () => {
    const folder = await imported(filesAt(SAMPLES, "langfuse/export"));
    for (const model of ["small", "large"]) {
      const experiment = await imported(filesAt(SAMPLES, `langfuse/${model}.experiment_items.json`));
      expect(scoresOf(folder, model)).toEqual(
        scoresOf(experiment, model).filter(({ path }) =>
          scoresOf(folder, model).some((one) => one.path === path),
        ),
      );
      expect(scoresOf(folder, model).length).toBe(scoresOf(experiment, model).length - 1);
    }
  });

  test.each(["small", "large"])(
    "the older table of MLflow has the means of its traces: %s",
    async (model) => {
      const [older, traces] = await Promise.all(
        ["eval_results_table.json", "traces.jsonl"].map((name) =>
          imported(filesAt(SAMPLES, `mlflow/${model}.${name}`)),
        ),
      );
      const [score] = older!.plan.evaluations[0]!.scores;
      expect(score!.path).toBe("brevity");
      const known = traces!.plan.evaluations[0]!.scores.find(({ path }) => path === "brevity")!;
      // The older table has one row per question, the traces one trial per repetition.
      expect(score!.mean).toBeCloseTo(known.mean!, 1);
    },
  );

  test.each(
    manifest.other_files.flatMap(({ path, same_content_as: as }) => (as === undefined ? [] : [[path, as]])),
  )("%s has the content of %s", async (path, same) => {
    if (path.endsWith(".sqlite")) return;
    const stem = (of: string) =>
      of
        .slice(of.lastIndexOf("/") + 1)
        .split(".")[0]!
        .replace("results_", "");
    const [one, other] = [await imported(filesAt(SAMPLES, path!)), await imported(filesAt(SAMPLES, same!))];
    const wanted = other.plan.evaluations.filter(
      ({ model }) => !path!.includes("/results_") || model === stem(path!),
    );
    expect(one.plan.refused).toEqual([]);
    expect(one.plan.evaluations.map(({ rows, trials, errors }) => [rows, trials, errors])).toEqual(
      wanted.map(({ rows, trials, errors }) => [rows, trials, errors]),
    );
    // promptfoo rounds its table to two decimals, and one of its forms omits scores that are texts in the other.
    for (const [i, { scores }] of one.plan.evaluations.entries()) {
      for (const { path: score, mean } of scores) {
        const known = wanted[i]!.scores.find((other) => other.path === score)?.mean;
        if (mean === undefined || known === undefined) continue;
        if (path === "promptfoo/results.csv") expect(mean).toBeCloseTo(known, 2);
        else expect([path, score, mean]).toEqual([path, score, known]);
      }
    }
  });

  test("importing the same files again gives the same calls and rows", async () => {
    const files = filesAt(SAMPLES, ".").filter(({ path }) => path !== "manifest.json");
    const [first, second] = [await imported(files), await imported(files)];
    expect(first.lines.length).toBeGreaterThan(500);
    expect(second.lines).toEqual(first.lines);
  });
});

function scoresOf({ plan }: Awaited<ReturnType<typeof imported>>, model: string) {
  const { scores } = plan.evaluations.find((one) => one.model === model)!;
  return scores.map(({ path, type, trials, mean }) => ({ path, type, trials, mean }));
}

function leaf(scores: unknown, path: string): number | undefined {
  const keys = Object.hasOwn(scores as object, path) ? [path] : path.split(".");
  const value = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], scores);
  return typeof value === "boolean" || typeof value === "number" ? Number(value) : undefined;
}

function meanOf(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
