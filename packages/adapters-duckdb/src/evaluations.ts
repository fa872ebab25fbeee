// What evaluations there are: the parents of predict-and-score calls.

import { isPredictAndScore } from "@assay/calls";
import type { EvaluationEntry } from "@assay/eval-engine";
import { evaluationEntries } from "@assay/eval-engine/internal";
import { countByParent, findById, opNames } from "./call-index.ts";
import { readCalls } from "./call-text.ts";
import type { Database } from "./database.ts";
import { idHash } from "./id-hash.ts";
import type { Journal } from "./journal.ts";
import type { Projects } from "./projects.ts";

/** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
export async function listEvaluations(
  database: Database,
  journal: Journal,
  projects: Projects,
  seed: number,
  name: string,
): Promise<readonly EvaluationEntry[]> {
  const project = projects.find(name);
  if (project === undefined) return [];
  const ops = (await opNames(database, project.number)).filter((op_name) => isPredictAndScore({ op_name }));
  if (ops.length === 0) return [];
  const trials = await countByParent(database, project.number, ops);
  const roots = (await findById(database, project.number, [...trials.keys()])).filter(
    ({ deletedAt }) => deletedAt === null,
  );
  return evaluationEntries(readCalls(journal, roots), (id) => ({
    trials: trials.get(idHash(id, project.number, seed)) ?? 0,
  }));
}
