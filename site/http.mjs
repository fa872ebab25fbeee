// The reference of the HTTP interface: what a server shows at /docs, and the document that it is made of.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "../scripts/served.mjs";

/** Writes the page into `folder`, and the document where files are copied from. Needs the built command. */
export async function writeHttp(folder, files) {
  const [page, document] = await withServer((address) =>
    Promise.all(["/docs", "/openapi.json"].map(async (path) => (await fetch(address + path)).text())),
  );
  const [, main] = /<main>([\s\S]*)<\/main>/.exec(page);
  // Markdown takes markup as it is until the first empty line.
  const markup = main
    .replaceAll(/\n\s*\n/g, "\n")
    .replaceAll('href="/openapi.json"', 'href="../openapi.json"');
  for (const path of [folder, files]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, "http.md"), `---\ntitle: HTTP reference\n---\n\n<div v-pre>${markup}</div>\n`);
  writeFileSync(join(files, "openapi.json"), document);
}
