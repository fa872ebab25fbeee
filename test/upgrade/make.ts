// Packs a data directory of this version, which the built command fills with an item of each kind and the calls of an
// evaluation.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { startAssay } from "@assay/testing/server";
import { digests, WRITINGS } from "@assay/testing/writings";
import { pack } from "./directories.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
const directory = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
const server = await startAssay(directory);
const written = [];
for (const [writing, { write }] of Object.entries(WRITINGS)) {
  const name = `${writing}-${version}`;
  const status = await write(server.url, name);
  if (status !== 200) throw new Error(`${writing}: ${status}`);
  written.push({ writing, name });
}
const imported = await fetch(`${server.url}/v2/acme/evaluated/calls/import`, {
  method: "POST",
  headers: { "Content-Type": "application/x-ndjson" },
  body: evaluationLines("e", [true, false, true]).join("\n"),
});
if (imported.status !== 200) throw new Error(await imported.text());
await server.stop("SIGTERM");
pack(directory, { version, written, digests: Object.fromEntries(digests) });
