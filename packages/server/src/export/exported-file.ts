// The page as a single file.

import { type ExportedPage, type ExportedPageParts, exportedPage } from "@assay/web";

/**
 * The file with these parts. They are read in full first, so its size is known before any of it is written; undefined
 * if it would be too large. `page` is the folder of the built page, by default that of `@assay/web`.
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
