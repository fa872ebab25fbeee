// The page for people, at the server's own address.

import { type Face, pageFace } from "@assay/adapters-http";
import { pageFiles } from "@assay/web";

/**
 * The face of the page that was built into `page`, by default that of `@assay/web`; none, and a word about it, where it was
 * not: everything else is answered as ever.
 */
export function servedPage(page: URL | undefined, tell: (message: string) => void): readonly Face[] {
  try {
    return [pageFace(pageFiles(page))];
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    return [];
  }
}
