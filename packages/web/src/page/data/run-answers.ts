// The answers of the routes of logged runs, with the names that the page uses.

import type { Schemas } from "@assay/client";

/** A run without its configuration. */
export type LoggedRun = Schemas["Run"];

/** A run. */
export type RunDetails = Schemas["RunDetails"];

/** A page of runs. */
export type RunList = Schemas["RunList"];

/** A page of logged lines. */
export type RunHistory = Schemas["RunHistory"];

/** The line of a step. */
export type HistoryLine = RunHistory["history"][number];

/** The step of the line at an index of the history: clients that name none count their lines. */
export function stepOf({ _step }: HistoryLine, place: number): number {
  return typeof _step === "number" ? _step : place;
}
