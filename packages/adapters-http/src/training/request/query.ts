// Reads the query parameters of lists. Untrusted.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { type NumberRange, readNumber } from "../../request/number-range.ts";

/** Which part of a list a client requests. */
export interface PageQuery {
  readonly after?: string;
  readonly limit: number;
  readonly order: "asc" | "desc";
}

/** The default page size. */
export const PAGE: NumberRange = { least: 1, most: 100, absent: 20, whole: true };

/** `after`, `limit` (1 to 100, default 20) and `order`. Issues have the parameter as their path. */
export function readPageQuery(
  query: URLSearchParams,
  order: "asc" | "desc",
  size: NumberRange = PAGE,
): Result<PageQuery> {
  const limit = readNumber(query, "limit", size);
  const asked = query.get("order") ?? order;
  const issues: Issue[] = limit.ok ? [] : [...limit.issues];
  if (asked !== "asc" && asked !== "desc") {
    issues.push({ code: "enum", path: ["order"], message: "order must be asc or desc" });
  }
  if (!limit.ok || issues.length > 0) return bad(issues);
  const after = query.get("after");
  return ok({
    limit: limit.value,
    order: asked === "desc" ? "desc" : "asc",
    ...(after !== null && after !== "" && { after }),
  });
}
