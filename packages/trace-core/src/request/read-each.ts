// Reads a list record by record: collects a limited number of issues, and can be interrupted after each record.

import { bad, type Issue, ok, type Result, type Steps } from "@assay/base";

/** The most issues to report: an answer must not be larger than the request. */
const MOST_ISSUES = 100;

/** The results of `read` for `items`, or the first issues. Stops at the limit of issues. */
export function* readEach<T>(
  items: readonly unknown[],
  read: (item: unknown, i: number) => Result<T>,
): Steps<Result<readonly T[]>> {
  const values: T[] = [];
  const issues: Issue[] = [];
  for (const [i, item] of items.entries()) {
    const one = read(item, i);
    if (one.ok) values.push(one.value);
    else issues.push(...one.issues);
    if (issues.length >= MOST_ISSUES) break;
    yield;
  }
  return issues.length === 0 ? ok(values) : bad(issues.slice(0, MOST_ISSUES));
}
