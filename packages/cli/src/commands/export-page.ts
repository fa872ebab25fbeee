// assay export --format html: evaluations as one HTML file, which is the page with its data and its engine inside.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { type ExportedPage, type ExportedPageParts, exportedPage } from "@assay/web";
import type { DataAccess } from "../data-access.ts";
import { EXIT, Failure } from "../failure.ts";
import { note, type World } from "../world.ts";
import { writeWhole } from "../write-whole.ts";

/** What goes into the file, and where it goes. */
export interface PageExport {
  readonly project: string;
  /** Ids; all of the project when there are none. */
  readonly evaluations: readonly string[];
  readonly output: string;
}

/** Says how large the file becomes, and writes it. Gives what it holds, in words. */
export async function exportPage(
  world: World,
  data: DataAccess,
  { project, evaluations: ids, output }: PageExport,
): Promise<string> {
  const listed = await data.evaluations(project);
  const evaluations = ids.length === 0 ? listed : listed.filter(({ id }) => ids.includes(id));
  const page = await prepared(world, {
    project,
    evaluations,
    made: new Date().toISOString(),
    calls: data.exportLines(project, "calls", ids.length === 0 ? undefined : ids),
    rows: data.exportLines(project, "rows", ids.length === 0 ? undefined : ids),
  });
  const count = `${evaluations.length} ${evaluations.length === 1 ? "evaluation" : "evaluations"}`;
  const size = (page.bytes / 1e6).toFixed(1);
  note(world, `a file of ${size} MB: whoever has it can read all inputs, outputs and scores of ${count}`);
  await writeWhole(world, output, (stream, options) =>
    pipeline(Readable.from(page.pieces()), stream, options),
  );
  return count;
}

async function prepared(world: World, parts: ExportedPageParts): Promise<ExportedPage> {
  // Beside the command where it is shipped; in the sources, where its own package has built it.
  const shipped = join(world.files, "page");
  try {
    return await exportedPage(parts, { built: existsSync(shipped) ? pathToFileURL(shipped) : undefined });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure(
      EXIT.failed,
      "the file would be larger than 200 MB: name fewer evaluations with --evaluation, or export parquet",
      { cause: error },
    );
  }
}
