// Lists of which the principal may see only a part.

import { ok, type Result } from "@assay/base";
import type { Page, SharedListQuery } from "@assay/training-core/internal";

/** The most items that are read at once while those of others are left out. */
const MOST_AT_ONCE = 1000;

/**
 * The first `limit` items that `mine` lets through. The list is read until there are this many, or until it ends: a page
 * that ended at someone else's item would have to name it, for the next one to go on from there.
 */
export async function visible<
  T extends { readonly id: string },
  Q extends { readonly limit: number; readonly after?: string },
>(
  query: Q,
  read: (query: Q & Pick<SharedListQuery<T>, "mayKnow">) => Promise<Result<Page<T>>>,
  mine: (item: T) => boolean | Promise<boolean>,
): Promise<Result<Page<T>>> {
  const items: T[] = [];
  let atOnce = query.limit;
  let page = await read({ ...query, mayKnow: mine });
  while (page.ok) {
    const { items: found, hasMore } = page.value;
    for (const item of found) {
      if (!(await mine(item))) continue;
      // Only own items count for whether there is more.
      if (items.length === query.limit) return ok({ items, hasMore: true });
      items.push(item);
    }
    const last = found.at(-1);
    if (!hasMore || last === undefined) return ok({ items, hasMore: false });
    atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
    page = await read({ ...query, limit: atOnce, after: last.id });
  }
  return page;
}
