// The built server on a failing disk: a full disk, an I/O error, a partial write, and a failing sync, rename or
// truncation, for every kind of file that it writes. Clients get 507 or 503 and never 500, the log names the file, the
// server recovers by itself, and after a kill all acknowledged data is present.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { WRITINGS } from "@assay/testing/writings";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

const SHIM = fileURLToPath(new URL("failing-disk.mjs", import.meta.url));
/** A fault: which call fails on which file, with which error code. */
interface Case {
  readonly writing: string;
  readonly on: string;
  readonly path: string;
  readonly code: string;
  readonly half?: boolean;
}

const CODES = { write: ["EIO", "ENOSPC"], sync: ["EIO"], rename: ["EIO"], truncate: ["EIO"] } as const;

describe.skipIf(process.platform !== "linux")("a disk that fails", () => {
  const data = mkdtempSync(join(tmpdir(), "assay-disk-"));
  const [trigger, noted] = [`${data}.fault`, `${data}.touched`];
  const env = { NODE_OPTIONS: `--import ${SHIM}`, FAULT_AT: trigger, TOUCHED_AT: noted, DATA_AT: data };
  const written: { readonly writing: string; readonly name: string }[] = [];
  let server: AssayServer;
  let names = 0;
  beforeAll(async () => {
    server = await startAssay(data, { env });
  });
  afterAll(async () => {
    await server.stop("SIGKILL");
    for (const path of [data, trigger, noted]) rmSync(path, { recursive: true, force: true });
  });

  const write = async (writing: string): Promise<number> => {
    const name = `${writing}${names++}`;
    const status = await WRITINGS[writing]!.write(server.url, name);
    if (status === 200) written.push({ writing, name });
    return status;
  };
  /** The file operations of a write, one for each kind of file, with generated names replaced by patterns. */
  const touched = async (writing: string): Promise<readonly { on: string; path: string }[]> => {
    writeFileSync(noted, "");
    expect(await write(writing)).toBe(200);
    const lines = new Set(readFileSync(noted, "utf8").trim().split("\n"));
    const found = new Map<string, { on: string; path: string }>();
    for (const line of lines) {
      const [, on, path] = /^(\w+) (.*)$/.exec(line) ?? [];
      const kind = (path ?? "").replaceAll(/[0-9a-f]{2}\/[0-9a-f]{64}|[0-9a-f-]{36}|\/[0-9a-f]{2}$/g, ".*");
      if (on !== undefined) found.set(`${on} ${kind}`, { on, path: `^${kind}$` });
    }
    return [...found.values()];
  };

  test("is reported with the file, recovers, and loses no acknowledged data", {
    timeout: 240_000,
  }, async () => {
    // Writes each kind once, so that files which only the first write creates exist.
    for (const writing of Object.keys(WRITINGS)) expect(await write(writing)).toBe(200);
    const cases: Case[] = [];
    const seen = new Set<string>();
    for (const writing of Object.keys(WRITINGS))
      for (const { on, path } of await touched(writing)) {
        if (path.includes("lock") || seen.has(`${on} ${path}`)) continue;
        seen.add(`${on} ${path}`);
        for (const code of CODES[on as keyof typeof CODES]) cases.push({ writing, on, path, code });
        if (on === "write") cases.push({ writing, on, path, code: "ENOSPC", half: true });
      }
    const tried: string[] = [];
    for (const one of cases) {
      const { writing, on, path, code, half } = one;
      const before = server.stderr().length;
      writeFileSync(trigger, JSON.stringify({ on, path, code, half }));
      const status = await write(writing);
      rmSync(trigger);
      tried.push(`${writing}: ${on} of ${path} with ${code}${half ? " after half" : ""}: ${status}`);
      if (status !== 200) {
        expect([503, 507], tried.at(-1)).toContain(status);
        const file = new RegExp(path.slice(1, -1).split("/")[0]!);
        await vi.waitFor(() => expect(server.stderr().slice(before), tried.at(-1)).toMatch(file));
      }
      await vi.waitFor(async () => expect(await write(writing), tried.at(-1)).toBe(200), { timeout: 20_000 });
    }
    expect(cases.length).toBeGreaterThan(25);
    await server.stop("SIGKILL");
    server = await startAssay(data);
    for (const { writing, name } of written)
      expect(await WRITINGS[writing]!.isThere(server.url, name), name).toBe(true);
  });
});
