// Lists with pagination in the format of GraphQL clients.

import { isJsonObject } from "@assay/base/internal";
import { GraphQLError } from "graphql";
import type { Arguments } from "./arguments.ts";

/** A page of a list. */
export interface Connection<Node> {
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

const MOST = 5000;
const USUAL = 50;

/** The page size if `first` items are requested. */
export function pageSize(first: number | undefined): number {
  return Math.min(Math.max(first ?? USUAL, 1), MOST);
}

/**
 * A page of the first `size` of `items`, which contain one more; `cursorOf` returns an item's position, as JSON that
 * `readCursor` returns.
 */
export function connection<Item, Node>(
  items: readonly Item[],
  size: number,
  { node, cursorOf }: { readonly node: (item: Item) => Node; readonly cursorOf: (item: Item) => object },
): Connection<Node> {
  const edges = items.slice(0, size).map((item) => ({
    node: node(item),
    cursor: Buffer.from(JSON.stringify(cursorOf(item))).toString("base64url"),
  }));
  return { edges, pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: items.length > size } };
}

/** The position in a cursor; undefined without one, and for an invalid one. */
export function readCursor(cursor: string | undefined): { readonly [name: string]: unknown } | undefined {
  if (!cursor || cursor.length > 4096) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return isJsonObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The position after which a client continues a list; undefined for the first page. Throws for an invalid one. */
export function cursorIn(args: Arguments): { readonly [name: string]: unknown } | undefined {
  const text = args.text("after");
  const cursor = readCursor(text);
  if (text && cursor === undefined)
    throw new GraphQLError("after must be the cursor of another page of the same list");
  return cursor;
}
