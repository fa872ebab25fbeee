// What the routes of logged runs answer.

import type { Json } from "@assay/base";

/** A run without its configuration. */
export interface LoggedRun {
  readonly id: string;
  /** What its address has. */
  readonly name: string;
  readonly display_name: string;
  readonly state: string;
  readonly created_at: string;
  readonly group: string | null;
  readonly tags: readonly string[];
  readonly notes: string | null;
  /** Null before the first. */
  readonly last_step: number | null;
  readonly history_lines: number;
  readonly summary: Readonly<Record<string, Json>>;
}

/** A run. */
export interface RunDetails extends LoggedRun {
  readonly config: Json;
}

/** A page of runs. */
export interface RunList {
  readonly runs: readonly LoggedRun[];
  /** What the next page comes after; null when there is none. */
  readonly next: string | null;
}

/** What was logged at a step. */
export interface HistoryLine {
  readonly _step: number;
  readonly [key: string]: Json;
}

/** A page of what was logged. */
export interface RunHistory {
  readonly history: readonly HistoryLine[];
  readonly next_step: number | null;
}
