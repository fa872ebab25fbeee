// The state of a logged run.

import type { JSX } from "preact";
import type { LoggedRun } from "../../data/run-answers.ts";
import { shown } from "../../format/shown.ts";

/** The state. */
export function RunState({ run: { state } }: { readonly run: LoggedRun }): JSX.Element {
  return state === "running" ? <span class="running-dot">● running</span> : <span>{shown(state)}</span>;
}
