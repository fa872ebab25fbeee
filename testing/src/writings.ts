// Writes one item of each kind that a server stores over HTTP, under a name, and reads it by that name.

import { artifactFiles, logArtifact, wireClient } from "./wire-client.ts";

const [ENTITY, PROJECT] = ["acme", "demo"];
const PATH = `${ENTITY}/${PROJECT}`;

/** How to write an item and read it again. */
export interface Writing {
  /** Writes an item with this name. Resolves to the status of the response. */
  readonly write: (url: string, name: string) => Promise<number>;
  /** Whether the item with this name exists and is complete. */
  readonly isThere: (url: string, name: string) => Promise<boolean>;
}

async function post(url: string, path: string, body: unknown) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the test is about.
  return { status: response.status, body: response.ok ? (JSON.parse(text) as any) : undefined };
}

/** The status that the server returned to a W&B client, which puts it in its error message. */
async function statusOf(writing: () => Promise<unknown>): Promise<number> {
  try {
    await writing();
    return 200;
  } catch (error) {
    return Number(/: (\d{3}) /.exec(String(error))?.[1] ?? Number.NaN);
  }
}

/** The digests that the server returned, by the name of the item. */
export const digests: Map<string, string> = new Map();
/** The kinds by name. */
export const WRITINGS: Readonly<Record<string, Writing>> = {
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
      // The server counts usage by project, so the name is a project here.
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
