// Refuses unknown query parameters, and repeated ones that take a single value: either would otherwise be ignored
// silently.

import type { Issue } from "@assay/base";
import { excerpt } from "@assay/base/internal";
import { type Problem, validationProblem } from "../response/problem.ts";
import type { MetRoute } from "./route-table.ts";

/** The most issues that one refusal lists. */
const MOST_FAULTS = 100;

/** The 422 for a request with unknown or repeated query parameters; undefined if there are none. */
export function parameterProblem({ url, route }: MetRoute): Problem | undefined {
  const { queryNames: known, queryObjects, queryLists } = route;
  const names = new Set<string>();
  const issues: Issue[] = [];
  for (const name of url.searchParams.keys()) {
    const isKnown = known.includes(name) || queryObjects.includes(memberOf(name)?.of ?? "");
    if (names.has(name) && isKnown && !queryLists.includes(name)) issues.push(repeated(name));
    if (!names.has(name) && !isKnown) issues.push(unknown(name, known));
    if (issues.length === MOST_FAULTS) break;
    names.add(name);
  }
  return issues.length === 0 ? undefined : validationProblem(issues);
}

/** The object and the member in a name such as `metadata[team]`; undefined for other names. */
export function memberOf(name: string): { readonly of: string; readonly member: string } | undefined {
  const [, of, member] = /^(\w+)\[(.*)\]$/s.exec(name) ?? [];
  return of === undefined ? undefined : { of, member: member! };
}

function unknown(name: string, known: readonly string[]): Issue {
  const takes = known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`;
  const message = `this route has no query parameter ${excerpt(name)}; ${takes}`;
  return { code: "extra_forbidden", path: ["query", name.slice(0, 100)], message };
}

function repeated(name: string): Issue {
  const message = `the query parameter ${excerpt(name)} is given more than once; where a route takes several values of one, commas separate them`;
  return { code: "value_error", path: ["query", name.slice(0, 100)], message };
}
