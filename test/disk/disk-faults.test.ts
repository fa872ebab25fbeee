// The built server on a disk that fails: every kind of file that it writes meets a full disk, an input or output error, a
// write of half, and a sync, a rename or a cut that fails. Whoever asked is told 507 or 503 and never 500, the log names
// the file, the server goes on by itself, and after a kill all that was acknowledged is there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { artifactFiles, logArtifact, wireClient } from "../tracking/wire-client.ts";
import { type AssayProcess, startAssay } from "../weave/assay-process.ts";

const SHIM = fileURLToPath(new URL("failing-disk.mjs", import.meta.url));
const [ENTITY, PROJECT] = ["acme", "demo"];
const PATH = `${ENTITY}/${PROJECT}`;

/** What is written, and how it is read again. */
interface Writing {
  /** Writes something of this name. Resolves to the status of the answer. */
  readonly write: (url: string, name: string) => Promise<number>;
  /** Whether what was written by this name is there, whole. */
  readonly isThere: (url: string, name: string) => Promise<boolean>;
}

async function post(url: string, path: string, body: unknown) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the test is about.
  return { status: response.status, body: response.ok ? (JSON.parse(text) as any) : undefined };
}

/** The status that a client of W&B's wire is told: it rejects with it in its message. */
async function statusOf(writing: () => Promise<unknown>): Promise<number> {
  try {
    await writing();
    return 200;
  } catch (error) {
    return Number(/: (\d{3}) /.exec(String(error))?.[1] ?? Number.NaN);
  }
}

const digests = new Map<string, string>();
const WRITINGS: Readonly<Record<string, Writing>> = {
  call: {
    async write(url, id) {
      const at = "2026-01-01T00:00:00Z";
      const start = { project_id: PATH, id, op_name: "op", trace_id: id, started_at: at };
      const req = { start: { ...start, attributes: {}, inputs: { text: "x".repeat(2000) } } };
      return (await post(url, "/call/upsert_batch", { batch: [{ mode: "start", req }] })).status;
    },
    async isThere(url, id) {
      const { body } = await post(url, "/call/read", { project_id: PATH, id });
      return body?.call?.inputs.text.length === 2000;
    },
  },
  table: {
    async write(url, name) {
      const { status, body } = await post(url, "/table/create", {
        table: { project_id: PATH, rows: [{ name }] },
      });
      if (status === 200) digests.set(name, body.digest);
      return status;
    },
    async isThere(url, name) {
      const { body } = await post(url, "/table/query", { project_id: PATH, digest: digests.get(name) });
      return body?.rows[0].val.name === name;
    },
  },
  object: {
    async write(url, name) {
      const obj = { project_id: PATH, object_id: name, val: { name } };
      const { status, body } = await post(url, "/obj/create", { obj });
      if (status === 200) digests.set(name, body.digest);
      return status;
    },
    async isThere(url, name) {
      const asked = { project_id: PATH, object_id: name, digest: digests.get(name) };
      return (await post(url, "/obj/read", asked)).body?.obj.val.name === name;
    },
  },
  file: {
    async write(url, name) {
      const form = new FormData();
      form.set("project_id", PATH);
      form.set("file", new Blob([name.repeat(500)]), "a.txt");
      const response = await fetch(`${url}/file/create`, { method: "POST", body: form });
      if (response.ok) digests.set(name, ((await response.json()) as { digest: string }).digest);
      return response.status;
    },
    async isThere(url, name) {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ project_id: PATH, digest: digests.get(name) });
      const response = await fetch(`${url}/file/content`, { method: "POST", headers, body });
      return (await response.text()) === name.repeat(500);
    },
  },
  chat: {
    async write(url, name) {
      const messages = [{ role: "user", content: "hi" }];
      // Usage is counted for each project: a name is a project here.
      const headers = { "Content-Type": "application/json", "OpenAI-Project": `${ENTITY}/${name}` };
      const body = JSON.stringify({ model: "assay/tiny", messages, max_tokens: 2 });
      return (await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status;
    },
    async isThere(url, name) {
      const report = await (await fetch(`${url}/v1/usage?entity=${ENTITY}&project=${name}`)).text();
      return report.includes(name);
    },
  },
  artifact: {
    write: (url, name) =>
      statusOf(() =>
        logArtifact(wireClient(url), {
          ...{ entity: ENTITY, project: PROJECT, name, files: { "a.txt": name }, aliases: ["latest"] },
        }),
      ),
    async isThere(url, name) {
      const wanted = { entity: ENTITY, project: PROJECT, name: `${name}:latest` };
      return (await artifactFiles(wireClient(url), wanted))?.["a.txt"] === name;
    },
  },
};

/** What fails: a call on a file, and with which code. */
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
  let server: AssayProcess;
  let names = 0;
  beforeAll(async () => {
    server = await startAssay(data, env);
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
  /** The calls on files that a writing made, each file once, however it is called. */
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

  test("is told with its file, heals, and loses nothing that was acknowledged", {
    timeout: 240_000,
  }, async () => {
    // Once each, so that what is made at the first time is there.
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
    const told: string[] = [];
    for (const one of cases) {
      const { writing, on, path, code, half } = one;
      const before = server.complaints().length;
      writeFileSync(trigger, JSON.stringify({ on, path, code, half }));
      const status = await write(writing);
      rmSync(trigger);
      told.push(`${writing}: ${on} of ${path} with ${code}${half ? " after half" : ""}: ${status}`);
      if (status !== 200) {
        expect([503, 507], told.at(-1)).toContain(status);
        const file = new RegExp(path.slice(1, -1).split("/")[0]!);
        await vi.waitFor(() => expect(server.complaints().slice(before), told.at(-1)).toMatch(file));
      }
      await vi.waitFor(async () => expect(await write(writing), told.at(-1)).toBe(200), { timeout: 20_000 });
    }
    expect(cases.length).toBeGreaterThan(25);
    await server.stop("SIGKILL");
    server = await startAssay(data);
    for (const { writing, name } of written)
      expect(await WRITINGS[writing]!.isThere(server.url, name), name).toBe(true);
  });
});
