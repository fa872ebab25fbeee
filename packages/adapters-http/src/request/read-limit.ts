import type { Issue } from "@assay/base";
import { excerpt } from "@assay/base/internal";

/** The query parameter `limit`, a whole number from 1 to `most`; undefined if it is absent or invalid. */
export function readLimit(query: URLSearchParams, most: number, issues: Issue[]): number | undefined {
  const text = query.get("limit");
  if (text === null) return undefined;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (limit >= 1 && limit <= most) return limit;
  const message = `limit must be a whole number from 1 to ${most}, not ${excerpt(text)}`;
  issues.push({ code: "value_error", path: ["query", "limit"], message });
  return undefined;
}
