// The part of a list between `offset` and `limit`.

import { bad, type Issue, type JsonObject, ok, type Result } from "@assay/base";
import type { Parameter } from "../routing/operation.ts";

/** Which part of a list. */
export interface ListPage {
  /** The most items. */
  readonly limit?: number;
  /** The number of items to skip. */
  readonly offset?: number;
}

const part = (name: string, description: string): Parameter => ({
  name,
  in: "query",
  description,
  schema: { type: "integer", minimum: 0 },
});

/** Its query parameters. */
export const PAGE_PARAMETERS: readonly Parameter[] = [
  part("limit", "The most items."),
  part("offset", "Items to skip first."),
];

/** Reads which part is requested; paths of issues start with `query`. */
export function readPage(query: URLSearchParams): Result<ListPage> {
  const issues: Issue[] = [];
  const page: { limit?: number; offset?: number } = {};
  for (const name of ["limit", "offset"] as const) {
    const text = query.get(name);
    if (text === null) continue;
    if (/^\d{1,15}$/.test(text)) page[name] = Number(text);
    else
      issues.push({
        code: "int_parsing",
        path: ["query", name],
        message: `${name} must be a whole number, 0 or more`,
      });
  }
  return issues.length === 0 ? ok(page) : bad(issues);
}

/** That part of a batched list. Reads no further than needed. */
export async function* pageOf(
  batches: AsyncIterable<readonly JsonObject[]>,
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: ListPage,
): AsyncGenerator<readonly JsonObject[]> {
  let [skip, left] = [offset, limit];
  if (left === 0) return;
  for await (const batch of batches) {
    const page = batch.slice(skip, skip + left);
    skip = Math.max(0, skip - batch.length);
    left -= page.length;
    if (page.length > 0) yield page;
    if (left === 0) return;
  }
}
