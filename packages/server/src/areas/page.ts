// The page for people, at the server's own address.

import { type Face, pageFace } from "@assay/adapters-http";
import { pageFiles } from "@assay/web";

/**
 * The face of the page built into `page`, by default that of `@assay/web`. Without a built page it returns no face and
 * calls `tell`; everything else works as usual.
 */
export function servedPage(page: URL | undefined, tell: (message: string) => void): readonly Face[] {
  try {
    return [pageFace(pageFiles(page))];
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    return [];
  }
}
