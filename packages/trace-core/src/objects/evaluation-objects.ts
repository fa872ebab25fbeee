// Evaluations that clients have published as objects: what is evaluated and how, independent of runs.

import type { JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { ObjectStore } from "../ports/object-store.ts";
import type { ReadContext } from "../ports/read-context.ts";
import { queryObjects } from "./objects.ts";

/** One version of an evaluation object. References are `weave:///` URIs. */
export interface EvaluationObject {
  /** The object's name. */
  readonly object_id: string;
  /** The digest of its value. */
  readonly digest: string;
  /** Its index among the versions of the object, from 0. */
  readonly version_index: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** The name that its author gave it; else the object's name. */
  readonly name: string;
  /** The author's description. */
  readonly description: string | null;
  /** The reference to its dataset; empty without one. */
  readonly dataset: string;
  /** The references to its scorers. */
  readonly scorers: readonly string[];
  /** How often each row is predicted. */
  readonly trials: number;
  /** The name of its runs. */
  readonly evaluation_name: string | null;
  /** The reference to the op that runs it. */
  readonly evaluate_op: string | null;
  /** The reference to the op that predicts and scores one row. */
  readonly predict_and_score_op: string | null;
  /** The reference to the op that summarizes a run. */
  readonly summarize_op: string | null;
}

/** Which evaluation objects to list. */
export interface EvaluationObjectsQuery {
  /** `entity/project`. */
  readonly project_id: string;
  /** The most versions to return. */
  readonly limit?: number | null;
  /** The number of versions to skip. */
  readonly offset?: number | null;
}

/**
 * All versions of objects of the class `Evaluation` that are not deleted, by object ID and then in order of creation.
 * Malformed members count as absent, so that one broken object does not hide the others. Throws a `cancelled` fault
 * when the client disconnects.
 */
export async function queryEvaluationObjects(
  store: ObjectStore,
  query: EvaluationObjectsQuery,
  reading: ReadContext = {},
): Promise<readonly EvaluationObject[]> {
  const filter = { base_object_classes: ["Evaluation"], is_op: false };
  const found = await queryObjects(store, { ...query, filter }, reading);
  return found.map(viewEvaluation);
}

/** A version of an evaluation object as clients list it. */
export function viewEvaluation(version: JsonObject): EvaluationObject {
  const val = isJsonObject(version["val"]) ? version["val"] : {};
  const { scorers, trials } = val;
  const objectId = version["object_id"] as string;
  return {
    object_id: objectId,
    digest: version["digest"] as string,
    version_index: version["version_index"] as number,
    created_at: version["created_at"] as string,
    name: textOf(val["name"]) ?? objectId,
    description: textOf(val["description"]),
    dataset: textOf(val["dataset"]) ?? "",
    scorers: Array.isArray(scorers) ? scorers.filter((scorer) => typeof scorer === "string") : [],
    trials: Number.isSafeInteger(trials) ? (trials as number) : 1,
    evaluation_name: textOf(val["evaluation_name"]),
    evaluate_op: textOf(val["evaluate"]),
    predict_and_score_op: textOf(val["predict_and_score"]),
    summarize_op: textOf(val["summarize"]),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
