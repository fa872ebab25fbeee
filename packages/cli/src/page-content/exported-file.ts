// The page in one file, from where the command is shipped with it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ExportedPage, type ExportedPageParts, exportedPage } from "@assay/web";
import type { World } from "../world.ts";

/**
 * The file of these parts, which are read whole, so that its size is known before any of it is written; undefined when
 * it would be too large.
 */
export async function exportedFile(
  world: Pick<World, "files">,
  parts: ExportedPageParts,
): Promise<ExportedPage | undefined> {
  // Beside the command where it is shipped; in the sources, where its own package has built it.
  const shipped = join(world.files, "page");
  try {
    return await exportedPage(parts, { built: existsSync(shipped) ? pathToFileURL(shipped) : undefined });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
