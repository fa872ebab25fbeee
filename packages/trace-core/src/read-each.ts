// Reading a list record by record: as many faults as are told, and a way out after each record.

import { bad, type Issue, ok, type Result, type Steps } from "@assay/base";

/** The most issues that are reported: an answer must not be larger than the question. */
const MOST_ISSUES = 100;

/** What `read` makes of each of `items`, or the first faults. Stops when enough is wrong. */
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
