// The directions of a project's scores over HTTP: whether higher or lower values are better.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type Description, excerpt, readAs, schemaOf } from "@assay/base/internal";
import type { KeptDirection, ScoreDirections } from "@assay/eval-engine";
import { LIMITS } from "@assay/query-lang";
import { printFieldPath, readFieldPath } from "@assay/query-lang/internal";

/** The most scores in one request. */
const MOST = 256;

/** The schema of the body. */
export const SCORE_DIRECTIONS_BODY: Description = {
  type: "object",
  properties: {
    directions: {
      type: "array",
      minItems: 1,
      maxItems: MOST,
      items: {
        type: "object",
        properties: { field: { type: "string" }, direction: { enum: ["higher", "lower", "none", null] } },
        required: ["field", "direction"],
        additionalProperties: false,
      },
    },
  },
  required: ["directions"],
  additionalProperties: false,
};

interface Body {
  readonly directions: readonly { readonly field: string; readonly direction: KeptDirection | null }[];
}

/** The directions in a body, by field. */
export function readScoreDirections(body: unknown): Result<ReadonlyMap<string, KeptDirection | null>> {
  const given = readAs(schemaOf<Body>(SCORE_DIRECTIONS_BODY), body, { at: ["body"], most: LIMITS.issues });
  if (!given.ok) return given;
  const issues: Issue[] = [];
  const directions = new Map<string, KeptDirection | null>();
  for (const [i, { field, direction }] of given.value.directions.entries()) {
    const path = readFieldPath(field);
    const isScore =
      path.ok && path.value[0] === "scores" && path.value.length > 1 && !/\p{Surrogate}/u.test(field);
    if (isScore) directions.set(printFieldPath(path.value), direction);
    else {
      const message = path.ok
        ? `${excerpt(field)} is not a score; scores are scores.<path>`
        : path.issues[0]!.message;
      issues.push({ code: "value_error", path: ["body", "directions", i, "field"], message });
    }
  }
  return issues.length === 0 ? ok(directions) : bad(issues);
}

/** A project's directions in wire format. */
export async function directionsView(directions: ScoreDirections, project: string): Promise<object> {
  const stored = await directions.get(project);
  return { directions: Array.from(stored, ([field, direction]) => ({ field, direction })) };
}
