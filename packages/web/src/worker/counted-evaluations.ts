// Finds evaluations among calls without a list: calls that have trials below them.

import { parseJson } from "@assay/base/internal";
import { type Call, isPredictAndScore } from "@assay/calls";
import type { MemoryCalls } from "@assay/calls/internal";
import type { CountedEvaluation, EvalEngine } from "@assay/eval-engine";
import { byStart, datasetOf, evaluationEntry } from "@assay/eval-engine/internal";

/** Counts trials by their parents, in lines of calls. */
export class EvaluationIds {
  private readonly trials = new Map<string, number>();

  /** Reads some lines. */
  add(lines: readonly string[]): void {
    for (const line of lines) {
      // Most calls are not trials, which shows without parsing them.
      if (!/predict_?and_?score/i.test(line)) continue;
      const { op_name, parent_id, deleted_at } = parseJson(line) as unknown as Call;
      if (typeof parent_id !== "string" || deleted_at != null) continue;
      if (isPredictAndScore({ op_name: String(op_name) }))
        this.trials.set(parent_id, (this.trials.get(parent_id) ?? 0) + 1);
    }
  }

  /** The number of trials of each parent. */
  found(): ReadonlyMap<string, number> {
    return this.trials;
  }
}

/** The evaluations with these numbers of trials, with their rows counted. */
export async function counted(
  engine: EvalEngine,
  calls: MemoryCalls,
  project: string,
  trials: ReadonlyMap<string, number>,
): Promise<readonly CountedEvaluation[]> {
  const known = await calls.calls(project, [...trials.keys()]);
  const roots = known.flatMap((call) => call ?? []);
  const listed = byStart(roots.map((root) => evaluationEntry(root, trials.get(root.id) ?? 0)));
  // Tables have no times, so they are ordered as they were opened.
  const timeless = [...trials.keys()].flatMap(
    (id) => listed.find((one) => one.id === id && one.started_at === null) ?? [],
  );
  const entries = [...listed.filter(({ started_at }) => started_at !== null), ...timeless];
  const found: CountedEvaluation[] = [];
  for (const entry of entries) {
    const first = { evaluation_call_ids: [entry.id], limit: 1, include_raw_data_rows: true };
    const { rows, total_rows } = await engine.query(project, first);
    found.push({ ...entry, rows: total_rows, dataset: datasetOf(rows[0]?.raw_data_row ?? null) ?? null });
  }
  return found;
}
