// Retention of evaluations: finds those that are older than the rule of their project allows, and deletes them while a
// server runs. Evaluations of unknown age are never deleted.

import type { Deletion } from "@assay/adapters-duckdb";
import type { RemovalReport } from "@assay/adapters-http/internal";
import { microseconds } from "@assay/calls";
import type { EvaluationEntry } from "@assay/eval-engine";
import type { ServerData } from "./server-data.ts";

/**
 * For how many days to keep evaluations, counted from their end, or from their start until they end. Evaluations with
 * an unknown start, such as those of a table without times, are kept permanently.
 */
export interface RetentionRules {
  /** For every project not listed in `projects`. Default: kept permanently. */
  readonly days?: number | undefined;
  /** By project, `<entity>/<project>`; null keeps its evaluations permanently. */
  readonly projects?: { readonly [project: string]: number | null } | undefined;
}

/** The dependencies of a sweep. */
export interface RetentionParts {
  readonly rules: RetentionRules;
  /** The currently open data. */
  readonly data: () => Pick<ServerData, "listProjects" | "entries">;
  /** Permanently deletes data. */
  readonly remove: (deletion: Deletion) => Promise<RemovalReport>;
  /** Called with a sentence about each deletion. */
  readonly tell: (message: string) => void;
  /** Called when a sweep failed. The next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** A sweep that repeats until it is stopped. */
export interface RetentionSweep {
  /** Sweeps now and then every day. */
  start(): void;
  /** Stops after the current sweep. */
  stop(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
// Each deletion rewrites the files, so all expired evaluations of a project are deleted together, and no more often
// than this.
const EVERY_MS = DAY_MS;
// The number of evaluations that a message names.
const NAMED = 3;

/**
 * The IDs of evaluations that ended, or started without an end, more than this number of days before `now`
 * (milliseconds since 1970). Evaluations with an unknown start are left out, because their end is meaningless too.
 */
export function expiredEvaluations(
  entries: readonly Pick<EvaluationEntry, "id" | "started_at" | "ended_at">[],
  days: number,
  now: number,
): readonly string[] {
  const limit = (now - days * DAY_MS) * 1000;
  return entries
    .filter(({ started_at, ended_at }) => {
      const [start, end] = [microseconds(started_at), microseconds(ended_at)];
      return start < limit && !(end >= limit);
    })
    .map(({ id }) => id);
}

/** A sweep, not yet started. */
export function retentionSweep({ rules, data, remove, tell, onError }: RetentionParts): RetentionSweep {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let sweeping = Promise.resolve();

  const sweep = async (): Promise<void> => {
    for (const { project } of await data().listProjects()) {
      if (isStopped) return;
      const days = rules.projects?.[project] === undefined ? rules.days : rules.projects[project];
      if (days === undefined || days === null) continue;
      const entries = await data().entries(project);
      const evaluations = expiredEvaluations(entries, days, Date.now());
      if (evaluations.length === 0) continue;
      await remove({ project, evaluations });
      tell(`${project}: deleted ${counted(evaluations)}, older than ${days} days`);
    }
  };
  const next = (): void => {
    sweeping = sweep().catch(onError);
    timer = setTimeout(next, EVERY_MS);
    timer.unref();
  };
  return {
    start() {
      if (timer === undefined && !isStopped) next();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

function counted(evaluations: readonly string[]): string {
  const named = evaluations.slice(0, NAMED).join(", ");
  const more = evaluations.length > NAMED ? ` and ${evaluations.length - NAMED} others` : "";
  return `${evaluations.length === 1 ? "1 evaluation" : `${evaluations.length} evaluations`} (${named}${more})`;
}
