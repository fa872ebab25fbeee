// Runs the commands of documents in an empty folder with the built command; see document.ts. ASSAY_UPDATE_DOCUMENTS=1
// updates the pages with the current output: review the diff.

import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished, test } from "vitest";
import { follow, type Walk } from "./document.ts";

/** The pages, with patterns for output that varies. */
const PAGES: { readonly [page: string]: Pick<Walk, "served" | "unsteady"> } = {
  "README.md": {},
  "docs/tutorials/from-inspect.md": {},
  "docs/tutorials/from-weave.md": {},
  "docs/tutorials/training-loop.md": {},
  "docs/tutorials/engine-in-a-page.md": {},
  "docs/how-to/find-rows.md": {},
  "docs/how-to/log-from-programs.md": {},
  "docs/how-to/scorer-reasons.md": {},
  "docs/how-to/keys.md": {},
  "docs/how-to/erase.md": {},
  "docs/how-to/retention.md": {},
  "docs/how-to/back-up.md": {
    unsteady: [[/of [\d.]+ kB, as of [\dTZ:.-]+/g, "of 3 kB, as of 2026-11-23T12:00:00.000Z"]],
  },
  "docs/explanation/how-rows-meet.md": {},
  "docs/explanation/errors-and-rates.md": {},
  "docs/explanation/what-is-exact.md": {},
  "docs/reference/configuration.md": {},
};

test.each(Object.entries(PAGES))("%s", async (page, walk) => {
  const home = mkdtempSync(join(tmpdir(), "assay-document-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  // Packages that a page tells its reader to install, and files of a clone.
  for (const name of ["test/node_modules", "examples"])
    symlinkSync(new URL(`../../${name}`, import.meta.url), join(home, basename(name)));
  await follow(page, { ...walk, home });
});
