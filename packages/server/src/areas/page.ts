// The page for people, at the server's own address.

import { pageRoutes, type RouteGroup } from "@assay/adapters-http";
import { pageFiles } from "@assay/web";

/**
 * The routes of the page built into `page`, by default that of `@assay/web`. Without a built page it returns none and
 * calls `tell`; everything else works as usual.
 */
export function servedPage(page: URL | undefined, tell: (message: string) => void): readonly RouteGroup[] {
  try {
    return [pageRoutes(pageFiles(page))];
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    return [];
  }
}
