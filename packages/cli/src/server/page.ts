// The page for people, at the server's own address.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Face, pageFace } from "@assay/adapters-http";
import { pageFiles } from "@assay/web";
import { say, type World } from "../world.ts";

/** The face of the page; none, and a word about it, where the page was not built: everything else is answered as ever. */
export function servedPage(world: World): readonly Face[] {
  try {
    // Beside the command where it is shipped; in the sources, where its own package has built it.
    const shipped = join(world.files, "page");
    return [pageFace(pageFiles(existsSync(shipped) ? pathToFileURL(shipped) : undefined))];
  } catch (error) {
    say(world, `assay: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
