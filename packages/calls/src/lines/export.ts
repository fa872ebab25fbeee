// Writes calls and dataset rows unchanged: importing the file gives the same answers.

import { Fault } from "@assay/base";
import type { CallScan } from "../ports/call-scan.ts";
import type { KeptCall } from "../ports/call-writer.ts";
import type { RowScan } from "../ports/row-scan.ts";
import { rowIdOf } from "../row/row-digest.ts";

// How many calls have their children looked up together.
const LEVEL = 4096;

/**
 * The live calls of a project without duplicates: all of them by start, or those of some evaluations, each with its
 * root first and then its descendants level by level. Throws a `missing` fault, before any call, if one of the
 * evaluations does not exist.
 */
export async function* exportCalls(
  calls: CallScan,
  project: string,
  evaluations?: readonly string[],
): AsyncGenerator<readonly KeptCall[]> {
  if (evaluations === undefined) {
    yield* calls.scan(project);
    return;
  }
  const wanted = [...new Set(evaluations)];
  await checkThere(calls, project, wanted);
  const seen = new Set<string>(wanted);
  yield* calls.scan(project, { ids: wanted });
  for (let level = wanted; level.length > 0; ) {
    const below: string[] = [];
    for (let i = 0; i < level.length; i += LEVEL) {
      for await (const some of calls.scan(project, { parentIds: level.slice(i, i + LEVEL) })) {
        // A requested call may also be a descendant of another one.
        const fresh = some.filter(({ call: { id } }) => !seen.has(id));
        for (const { call } of fresh) {
          seen.add(call.id);
          below.push(call.id);
        }
        yield fresh;
      }
    }
    level = below;
  }
}

/**
 * The dataset rows of a project, as lines of JSON: all of them, or those that the calls of some evaluations refer to.
 * Throws a `missing` fault like `exportCalls`.
 */
export async function* exportRows(
  calls: CallScan,
  rows: RowScan,
  project: string,
  evaluations?: readonly string[],
): AsyncGenerator<readonly string[]> {
  if (evaluations === undefined) {
    yield* rows.scan(project);
    return;
  }
  const refs = await rowRefs(calls, project, evaluations);
  yield* rows.scan(project, [...refs, ...refs.map((ref) => rowIdOf(ref)!)]);
}

/** The references to dataset rows in the calls of `exportCalls`, without duplicates. */
async function rowRefs(
  calls: CallScan,
  project: string,
  evaluations: readonly string[],
): Promise<readonly string[]> {
  const refs = new Set<string>();
  for await (const some of exportCalls(calls, project, evaluations)) {
    for (const { text } of some) {
      const { inputs } = JSON.parse(text) as { inputs?: { example?: unknown } | null };
      const example = inputs?.example;
      if (typeof example === "string" && rowIdOf(example) !== undefined) refs.add(example);
    }
  }
  return [...refs];
}

/** Throws unless the evaluations exist: an evaluation exists if its root or any descendant was logged. */
async function checkThere(calls: CallScan, project: string, evaluations: readonly string[]): Promise<void> {
  const missing = new Set(evaluations);
  for (const scope of [{ ids: evaluations }, { parentIds: evaluations }]) {
    for await (const some of calls.scan(project, scope)) {
      for (const { call } of some) missing.delete("ids" in scope ? call.id : (call.parent_id ?? ""));
      if (missing.size === 0) return;
    }
  }
  if (missing.size > 0) throw new Fault("missing", `${project} has no evaluation ${[...missing].join(", ")}`);
}
