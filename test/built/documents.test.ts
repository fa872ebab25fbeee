// Documents followed word by word in an empty folder, with the built command: how a page is read is in document.ts. With
// ASSAY_UPDATE_DOCUMENTS=1 the pages are given what their commands print now: read the difference.

import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished, test } from "vitest";
import { follow, type Walk } from "./document.ts";

/** The pages, and what of each is not the same every time. */
const PAGES: { readonly [page: string]: Pick<Walk, "served" | "unsteady"> } = {
  "README.md": {},
  "docs/tutorials/from-inspect.md": {},
  "docs/tutorials/from-weave.md": {},
  "docs/tutorials/training-loop.md": {},
  "docs/tutorials/engine-in-a-page.md": {},
  "docs/how-to/find-rows.md": {},
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
  // What a page has its reader install, and what is in a clone.
  for (const name of ["test/node_modules", "examples"])
    symlinkSync(new URL(`../../${name}`, import.meta.url), join(home, basename(name)));
  await follow(page, { ...walk, home });
});
