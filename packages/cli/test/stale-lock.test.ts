// The lock file of a killed server: its process id and port may belong to another program by now.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { raw } from "@assay/testing/raw-request";
import { builtServer } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "./run-in-process.ts";

/** A program that listens on the address of a former server, with the requests and keys it received. */
async function impostor() {
  const asked: { readonly url: string | undefined; readonly key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url?.split("?")[0], key: request.headers.authorization });
    response.setHeader("Content-Type", "application/json");
    response.end('{"proof":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","data":[],"evaluations":[]}');
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.each([
  ["evaluations", "acme/demo"],
  ["keys", "list"],
  ["jobs"],
  ["watch", "acme/demo", "an-evaluation", "--allow-missing"],
])("assay %s does not send the key to a program on the address of a killed server", async (...command) => {
  const { data, stop } = await builtServer(["--api-key", "S3CRET"]);
  await stop("SIGKILL");
  const { asked, address } = await impostor();
  const path = join(data, "assay.lock");
  const note = JSON.parse(readFileSync(path, "utf8"));
  // This process stands in for the one that reuses the id.
  writeFileSync(path, JSON.stringify({ ...note, pid: process.pid, address }));
  const ended = await assay([...command, "--data", data, "--api-key", "S3CRET"]);
  expect(asked).toEqual([{ url: "/v1/server-proof", key: undefined }]);
  expect(ended.stderr).not.toContain(address);
});

test("only its owner can read the lock file, and the server proves that it wrote it without revealing the content", async () => {
  const server = await builtServer(["--api-key", "K"]);
  const path = join(server.data, "assay.lock");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { secret } = JSON.parse(readFileSync(path, "utf8"));
  const proof = (challenge: string) => raw(server, `/v1/server-proof?challenge=${challenge}`);
  const [one, other] = [await proof("a".repeat(20)), await proof("b".repeat(20))];
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.body).not.toBe(other.body);
  expect(one.body).not.toContain(secret);
  expect((await proof("short")).status).toBe(422);
  const listed = await assay(["keys", "list", "--data", server.data, "--api-key", "K"]);
  expect(listed).toMatchObject({ exitCode: 0, stdout: "[]\n" });
});

test("a damaged database is not reported as open elsewhere", async () => {
  const data = folder();
  await (await builtServer([], { data })).stop();
  const path = join(data, "assay.duckdb");
  const bytes = readFileSync(path);
  // Beyond the file's own header, where the checksums of its blocks are.
  for (let at = 4096; at < bytes.length; at += 64) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
  const ended = await assay(["evaluations", "acme/demo", "--data", data]);
  expect(ended.stderr).toContain("assay.duckdb cannot be opened");
  expect(ended.stderr).not.toMatch(/open in|another process/);
});
