// The page for people, at the server's own address.

import { type Face, pageFace } from "@assay/adapters-http";
import { pageFiles } from "@assay/web";
import { say, type World } from "../world.ts";

/** The face of the page; none, and a word about it, where the page was not built: everything else is answered as ever. */
export function servedPage(world: World): readonly Face[] {
  try {
    return [pageFace(pageFiles())];
  } catch (error) {
    say(world, `assay: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
