// Lists of which the principal may see only some items.

import { ok, type Result } from "@assay/base";
import type { Page, SharedListQuery } from "@assay/training-core/internal";

/** The most items per read while skipping those of others. */
const MOST_AT_ONCE = 1000;

/**
 * The first `limit` items that `mine` accepts. The list is read until there are that many or it ends: if a page ended
 * at someone else's item, its cursor would reveal that item.
 */
export async function filterVisible<
  T extends { readonly id: string },
  Q extends { readonly limit: number; readonly after?: string },
>(
  query: Q,
  read: (query: Q & Pick<SharedListQuery<T>, "mayKnow">) => Promise<Result<Page<T>>>,
  isVisible: (item: T) => boolean | Promise<boolean>,
): Promise<Result<Page<T>>> {
  const items: T[] = [];
  let atOnce = query.limit;
  let page = await read({ ...query, mayKnow: isVisible });
  while (page.ok) {
    const { items: found, hasMore } = page.value;
    for (const item of found) {
      if (!(await isVisible(item))) continue;
      // Whether there are more depends only on the caller's own items.
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
