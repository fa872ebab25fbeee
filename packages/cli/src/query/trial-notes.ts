// Notes on trials in addition to their scores: reasons of scorers, errors, and facts that an import kept.

import type { Json } from "@assay/base";
import type { EvalResultsTrial } from "@assay/eval-engine";
import { leavesOf } from "@assay/eval-engine/words";
import { printFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";

/** Notes on one trial, by their names. */
export type TrialNotes = ReadonlyMap<string, string>;

/** The members of a call that are read. */
interface NotedCall {
  readonly id: string;
  readonly output?: Json;
  readonly exception?: string | null;
  readonly attributes?: { readonly [name: string]: Json } | null;
}

/** The notes on each trial, by the ID of its call. A scorer's note is everything that it returned except scores. */
export async function trialNotes(
  data: DataAccess,
  project: string,
  trials: readonly EvalResultsTrial[],
): Promise<ReadonlyMap<string, TrialNotes>> {
  const calls = await callsOf(
    data,
    project,
    trials.map(({ predict_and_score_call_id: id }) => id),
  );
  return new Map(trials.map((trial) => [trial.predict_and_score_call_id, notesOf(trial, calls)]));
}

async function callsOf(
  data: DataAccess,
  project: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NotedCall>> {
  const calls = new Map<string, NotedCall>();
  const pieces: Uint8Array[] = [];
  for await (const piece of data.exportLines(project, "calls", ids)) pieces.push(piece);
  for (const line of Buffer.concat(pieces).toString("utf8").split("\n")) {
    if (line === "") continue;
    const call = JSON.parse(line) as NotedCall;
    calls.set(call.id, call);
  }
  return calls;
}

function notesOf(trial: EvalResultsTrial, calls: ReadonlyMap<string, NotedCall>): TrialNotes {
  const notes = new Map<string, string>();
  const own = calls.get(trial.predict_and_score_call_id);
  const failed = own?.exception ?? calls.get(trial.predict_call_id ?? "")?.exception;
  if (typeof failed === "string") notes.set("error", failed);
  // Attributes added by the logging itself are not about the trial.
  for (const [path, value] of leavesOf(own?.attributes ?? null, []))
    if (path[0] !== "weave" && path[0] !== "_weave_eval_meta") notes.set(printFieldPath(path), String(value));
  for (const [scorer, id] of Object.entries(trial.scorer_call_ids)) {
    const { output = null, exception } = calls.get(id) ?? { id };
    if (typeof exception === "string") notes.set(`${scorer}: error`, exception);
    const scored = new Map(
      Array.from(leavesOf(trial.scores[scorer] ?? null, []), ([path, value]) => [
        printFieldPath(path),
        value,
      ]),
    );
    for (const [path, value] of leavesOf(output, [])) {
      const name = printFieldPath(path);
      if (scored.get(name) !== value) notes.set(`${scorer}: ${name}`, String(value));
    }
  }
  return notes;
}
