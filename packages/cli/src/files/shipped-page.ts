// The page that ships with the command.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CliContext } from "../terminal/cli-context.ts";

/**
 * The folder of the page next to the command; undefined when running from sources, where the page's own package built
 * it.
 */
export function shippedPage({ files }: Pick<CliContext, "files">): URL | undefined {
  const shipped = join(files, "page");
  return existsSync(shipped) ? pathToFileURL(shipped) : undefined;
}
