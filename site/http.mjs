// The reference of the HTTP API: the page that a server shows at /docs, and the OpenAPI document that it comes from.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../scripts/served.mjs";

/** Writes the page into `folder`, and the OpenAPI document into `files`. Needs the built command. */
export async function writeHttp(folder, files) {
  const [page, document] = await withServer((address) =>
    Promise.all(["/docs", "/openapi.json"].map(async (path) => (await fetch(address + path)).text())),
  );
  const [, main] = /<main>([\s\S]*)<\/main>/.exec(page);
  // Markdown leaves HTML as it is up to the first empty line.
  const markup = main
    .replaceAll(/\n\s*\n/g, "\n")
    .replaceAll('href="/openapi.json"', 'href="../openapi.json"');
  for (const path of [folder, files]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, "http.md"), `---\ntitle: HTTP reference\n---\n\n<div v-pre>${markup}</div>\n`);
  writeFileSync(join(files, "openapi.json"), document);
}
