// Query parameters that a route does not have are refused: a misspelt one would be left out in silence.

import type { Issue } from "@assay/base";
import { excerpt } from "@assay/base/internal";
import { type Problem, validationProblem } from "../response/problem.ts";
import type { MetRoute } from "./route-table.ts";

/** The most issues that one refusal lists. */
const MOST_FAULTS = 100;

/** The 422 for a request with unknown query parameters; undefined if there are none. */
export function parameterProblem({ url, route }: MetRoute): Problem | undefined {
  const { queryNames: known, queryObjects } = route;
  const names = new Set(url.searchParams.keys());
  const unknown = [...names].filter(
    (name) => !known.includes(name) && !queryObjects.includes(memberOf(name)?.of ?? ""),
  );
  if (unknown.length === 0) return undefined;
  return validationProblem(unknown.slice(0, MOST_FAULTS).map((name) => issueOf(name, known)));
}

/** The object and the member in a name such as `metadata[team]`; undefined for other names. */
export function memberOf(name: string): { readonly of: string; readonly member: string } | undefined {
  const [, of, member] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
  return of === undefined ? undefined : { of, member: member! };
}

function issueOf(name: string, known: readonly string[]): Issue {
  const takes = known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`;
  const message = `this route has no query parameter ${excerpt(name)}; ${takes}`;
  return { code: "extra_forbidden", path: ["query", name.slice(0, 100)], message };
}
