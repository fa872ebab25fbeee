// Reads the query parameters of lists. Untrusted.

import { bad, type Issue, ok, type Result } from "@assay/base";

/** Which part of a list a client asks for. */
export interface PageQuery {
  readonly after?: string;
  readonly limit: number;
  readonly order: "asc" | "desc";
}

/** How many items a page has. */
const PAGE = { least: 1, most: 100, absent: 20 };

/**
 * `after`, `limit` (1 to 100, 20 when absent, if nothing else is said) and `order`. Issues have the parameter as their
 * path.
 */
export function readPageQuery(
  query: URLSearchParams,
  order: "asc" | "desc",
  size: Omit<NumberRange, "whole"> = PAGE,
): Result<PageQuery> {
  const limit = readNumber(query, "limit", { ...size, whole: true });
  const asked = query.get("order") ?? order;
  const issues: Issue[] = limit.ok ? [] : [...limit.issues];
  if (asked !== "asc" && asked !== "desc") {
    issues.push({ code: "enum", path: ["order"], message: "order is asc or desc" });
  }
  if (!limit.ok || issues.length > 0) return bad(issues);
  const after = query.get("after");
  return ok({
    limit: limit.value,
    order: asked === "desc" ? "desc" : "asc",
    ...(after !== null && after !== "" && { after }),
  });
}

/** What a number may be. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** What it is when it is not given. */
  readonly absent: number;
  readonly whole: boolean;
}

/** A number within its range. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  { least, most, absent, whole }: NumberRange,
): Result<number> {
  const text = query.get(name);
  if (text === null) return ok(absent);
  const value = /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return ok(value);
  const what = whole ? "a whole number" : "a number";
  return bad([{ code: "range", path: [name], message: `${name} is ${what} from ${least} to ${most}` }]);
}
