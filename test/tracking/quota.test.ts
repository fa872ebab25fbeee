// Limits on uploads to the built server: the quota of a project counts the decompressed size.

import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { type WireClient, wireClient } from "@assay/testing/wire-client";
import { afterAll, beforeAll, expect, test } from "vitest";

const MIB = 2 ** 20;
const directory = mkdtempSync(join(tmpdir(), "assay-quota-"));
let server: AssayServer;
let client: WireClient;

beforeAll(async () => {
  // 10.24 MiB.
  server = await startAssay(directory, { args: ["--project-storage", "0.01"] });
  client = wireClient(server.url);
});

afterAll(async () => {
  await server.stop("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

async function begin(project: string): Promise<void> {
  await client.mutate(
    "upsertBucket",
    { entityName: "acme", modelName: project, name: "run" },
    "bucket { id }",
  );
}

/** Uploads a file of a run to its signed address. */
async function upload(project: string, file: string, body: Uint8Array, encoding?: string) {
  const run = { entityName: "acme", projectName: project, runName: "run", files: [file] };
  const made = await client.mutate("createRunFiles", run, "files { uploadUrl }");
  const address = new URL(made.data.result.files[0].uploadUrl, server.url);
  const headers: Record<string, string> = encoding === undefined ? {} : { "Content-Encoding": encoding };
  const response = await fetch(address, { method: "PUT", headers, body: new Blob([new Uint8Array(body)]) });
  return { status: response.status, text: await response.text() };
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}

const QUOTA = /exceed the quota of acme\/bomb, 0\.01 GiB of files \(assay serve --project-storage\)/;

test("a small body that decompresses beyond the quota is refused, and leaves no data", async () => {
  await begin("bomb");
  const before = bytesIn(directory);
  const bomb = gzipSync(Buffer.alloc(128 * MIB));
  expect(bomb.length).toBeLessThan(MIB);
  const { status, text } = await upload("bomb", "zeros", bomb, "gzip");
  expect([status, text]).toEqual([413, expect.stringMatching(QUOTA)]);
  expect(bytesIn(directory) - before).toBeLessThan(MIB);
});

test("concurrent uploads count together, and deletions free quota", async () => {
  await begin("many");
  const files = ["a", "b", "c", "d"];
  const sent = await Promise.all(files.map((file) => upload("many", file, randomBytes(4 * MIB))));
  expect(sent.map(({ status }) => status).sort()).toEqual(expect.arrayContaining([413, 413]));
  expect(sent.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
  // Other projects have their own quota.
  await begin("other");
  expect((await upload("other", "e", randomBytes(8 * MIB))).status).toBe(200);
  expect((await upload("other", "f", randomBytes(4 * MIB))).status).toBe(413);
  const found = await client.graphql(
    'query Q { project(name: "other", entityName: "acme") { run(name: "run") { id } } }',
  );
  const { id } = found.data.project.run;
  await client.mutate("deleteRun", { id }, "clientMutationId");
  await begin("other");
  expect((await upload("other", "f", randomBytes(4 * MIB))).status).toBe(200);
});
