// Counts a store's content without reading any record.

import { isPredictAndScore } from "@assay/calls";
import type { Database } from "./database/database.ts";

/** Counts of a store's content. */
export interface StoreCounts {
  /** Projects with logged content. */
  readonly projects: number;
  /** Calls that have trials. */
  readonly evaluations: number;
  /** Trials of evaluations. */
  readonly trials: number;
  /** Training jobs, by status. */
  readonly jobs: { readonly [status: string]: number };
}

/** Counts the rows of the tables. */
export async function storeCounts(database: Database): Promise<StoreCounts> {
  const [names] = await database.columns("SELECT DISTINCT op_name FROM calls");
  const ops = (names as readonly string[]).filter((op_name) => isPredictAndScore({ op_name }));
  const [trials, evaluations] = await database.columns(
    `SELECT count(*), count(DISTINCT (project, parent_hash)) FROM calls
     WHERE deleted_at IS NULL AND parent_hash IS NOT NULL AND op_name IN (SELECT unnest(?::VARCHAR[]))`,
    [ops],
  );
  const [projects] = await database.columns("SELECT count(*) FROM projects");
  const [states, jobs] = await database.columns("SELECT state, count(*) FROM training_jobs GROUP BY state");
  return {
    projects: projects![0] as number,
    evaluations: evaluations![0] as number,
    trials: trials![0] as number,
    jobs: Object.fromEntries((states as readonly string[]).map((state, i) => [state, jobs![i] as number])),
  };
}
