// The page in one file.

import { type ExportedPage, type ExportedPageParts, exportedPage } from "@assay/web";

/**
 * The file of these parts, which are read whole, so that its size is known before any of it is written; undefined when
 * it would be too large. `page` is the folder of the built page; where `@assay/web` has built it when undefined.
 */
export async function exportedFile(
  page: URL | undefined,
  parts: ExportedPageParts,
): Promise<ExportedPage | undefined> {
  try {
    return await exportedPage(parts, { built: page });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
