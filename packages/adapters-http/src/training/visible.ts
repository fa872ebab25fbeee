// Lists of which whoever asks may see a part.

import { ok, type Result } from "@assay/base";
import type { Page } from "@assay/training-core";

/** The most items that one list request looks at while it leaves out those of others. */
const MOST_LOOKED_AT = 1000;

/**
 * The first `limit` items that `mine` lets through. When there are too many others among them, the page is
 * shorter, and `lastId` says where to go on.
 */
export async function visible<
  T extends { readonly id: string },
  Q extends { readonly limit: number; readonly after?: string },
>(
  query: Q,
  read: (query: Q) => Promise<Result<Page<T>>>,
  mine: (item: T) => boolean | Promise<boolean>,
): Promise<Result<Page<T> & { readonly lastId?: string }>> {
  const items: T[] = [];
  let lastId: string | undefined;
  for (let seen = 0; seen < MOST_LOOKED_AT; ) {
    const page = await read({ ...query, ...(lastId !== undefined && { after: lastId }) });
    if (!page.ok) return page;
    for (const [i, item] of page.value.items.entries()) {
      lastId = item.id;
      seen++;
      if (await mine(item)) items.push(item);
      const rest = page.value.hasMore || i + 1 < page.value.items.length;
      if (items.length === query.limit) return ok({ items, hasMore: rest, lastId });
    }
    if (!page.value.hasMore) return ok({ items, hasMore: false });
  }
  return ok({ items, hasMore: true, ...(lastId !== undefined && { lastId }) });
}
