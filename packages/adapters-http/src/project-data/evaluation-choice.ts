// Reads from the query of a request which of a project's evaluations a list shows.

import { bad, type Issue, ok, type Result } from "@assay/base";
import type { EvaluationChoice } from "@assay/eval-engine";
import { readLimit } from "../request/read-limit.ts";

/** The most evaluations of a page. */
export const MOST_LISTED = 1000;
/** The most evaluations that one request may name: as many as one query may compare. */
export const MOST_NAMED = 256;

const ORDERS = ["newest", "oldest"] as const;
const TRUTHS = ["true", "false"] as const;

/** Reads a choice from a query. */
export function readChoice(query: URLSearchParams): Result<EvaluationChoice> {
  const issues: Issue[] = [];
  const oneOf = <T extends string>(name: string, known: readonly T[]): T | undefined => {
    const text = query.get(name);
    if (text === null || known.includes(text as T)) return (text as T) ?? undefined;
    const message = `${name} must be ${known.join(" or ")}`;
    issues.push({ code: "literal_error", path: ["query", name], message });
    return undefined;
  };
  const named = query.getAll("named");
  if (named.length > MOST_NAMED) {
    const message = `at most ${MOST_NAMED} names are allowed, not ${named.length}`;
    issues.push({ code: "too_long", path: ["query", "named"], message });
  }
  const choice = {
    order: oneOf("order", ORDERS),
    after: query.get("after"),
    limit: readLimit(query, MOST_LISTED, issues),
    running: { true: true, false: false, none: undefined }[oneOf("running", TRUTHS) ?? "none"],
    evaluationRef: query.get("evaluation_ref"),
    dataset: query.get("dataset"),
    named: named.length > 0 ? named : undefined,
  };
  if (issues.length > 0) return bad(issues);
  const given = Object.entries(choice).filter(([, value]) => value !== undefined && value !== null);
  return ok(Object.fromEntries(given) as EvaluationChoice);
}
