// Crash recovery of runs, artifacts and uploaded files: clients log to `assay serve`, which is killed at random
// moments. After a plain restart, all acknowledged lines, files, artifacts and aliases are present; an artifact is
// complete, or its name does not exist.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rounds } from "@assay/testing/cases";
import { seeded } from "@assay/testing/seeded";
import { startAssay } from "@assay/testing/server";
import { artifactFiles, logArtifact, type WireClient, wireClient } from "@assay/testing/wire-client";
import { expect, onTestFinished, test } from "vitest";

const ROUNDS = rounds(6, 2);
const SEED = Number(process.env["ASSAY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** The maximum milliseconds from the first acknowledgement to the kill. */
const LONGEST_LIFE = 400;
const PROJECT = { entity: "acme", project: "crash" } as const;

/** What one round sent, and what was acknowledged. */
interface Account {
  readonly run: string;
  lines: number;
  files: string[];
  /** Contents of uploaded files by id. */
  readonly uploads: Map<string, string>;
  readonly artifacts: {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    acknowledged: boolean;
  }[];
}

test(`acknowledged lines, files and artifacts survive ${ROUNDS} kills, complete and without repair (seed ${SEED})`, {
  timeout: 600_000 + ROUNDS * 30_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-tracking-crash-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const random = seeded(SEED);
  const accounts: Account[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await startAssay(directory);
    const client = wireClient(server.url);
    try {
      // Checks the previous round, and at the end all rounds.
      for (const account of round === ROUNDS ? accounts : accounts.slice(-1)) {
        await check(client, account);
        await checkUploads(server.url, account);
      }
      const account: Account = {
        run: `run-${round}`,
        lines: 0,
        files: [],
        uploads: new Map(),
        artifacts: [],
      };
      accounts.push(account);
      let killed: Promise<void> | undefined;
      const acknowledged = () => {
        killed ??= new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE)).then(() =>
          server.stop("SIGKILL"),
        );
      };
      // In every other round, the kill waits for the first artifact commit, which takes longest.
      const early = round % 2 === 0 ? () => {} : acknowledged;
      await Promise.all([
        logLines(client, account, early),
        logFiles(client, account, early),
        uploadFiles(server.url, account, early),
        logArtifacts(client, account, `a-${round}`, acknowledged),
        logArtifacts(client, account, `b-${round}`, acknowledged),
      ]);
      await killed;
    } finally {
      await server.stop("SIGKILL");
    }
    expect(server.stderr()).toBe("");
  }
  // Guards against a server that acknowledges nothing.
  expect(accounts.reduce((sum, { lines }) => sum + lines, 0)).toBeGreaterThan(0);
  expect(accounts.some(({ uploads }) => uploads.size > 0)).toBe(true);
  expect(accounts.some(({ artifacts }) => artifacts.some(({ acknowledged }) => acknowledged))).toBe(true);
  // Unfinished files have no regular name.
  const names = readdirSync(join(directory, "artifacts")).filter((name) => name !== "unfinished");
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{2}$/);
});

/** Calls `step` with 0, 1, 2… until the server is gone. */
async function untilGone(step: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      await step(i);
    } catch (error) {
      // fetch throws a TypeError when a connection breaks.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function logLines(
  { mutate, send }: WireClient,
  account: Account,
  acknowledged: () => void,
): Promise<void> {
  const { entity, project } = PROJECT;
  await untilGone(async (i) => {
    if (i === 0) {
      await mutate("upsertBucket", { name: account.run, entityName: entity, modelName: project }, "inserted");
      return;
    }
    const content = [lineOf(account.run, account.lines), lineOf(account.run, account.lines + 1)];
    const files = { "wandb-history.jsonl": { offset: account.lines, content } };
    await send("POST", `/files/${entity}/${project}/${account.run}/file_stream`, { files });
    account.lines += content.length;
    acknowledged();
  });
}

async function logFiles(
  { mutate, send }: WireClient,
  account: Account,
  acknowledged: () => void,
): Promise<void> {
  const { entity: entityName, project: projectName } = PROJECT;
  await untilGone(async (i) => {
    const file = `media/${i}.txt`;
    const input = { entityName, projectName, runName: account.run, files: [file] };
    const answer = await mutate("createRunFiles", input, "files { uploadUrl }");
    // The run may not exist yet.
    if (answer.errors !== undefined) return;
    await send("PUT", answer.data.result.files[0].uploadUrl, Buffer.from(textOf(account.run, file)));
    account.files.push(file);
    acknowledged();
  });
}

/** Uploads files as OpenAI's clients do. */
async function uploadFiles(url: string, account: Account, acknowledged: () => void): Promise<void> {
  await untilGone(async (i) => {
    const text = textOf(account.run, `upload ${i}`).repeat(1 + (i % 3) * 1000);
    const form = new FormData();
    form.set("purpose", "fine-tune");
    form.set("file", new Blob([text]), `${account.run}-${i}.jsonl`);
    const response = await fetch(`${url}/v1/files`, { method: "POST", body: form });
    const { id } = (await response.json()) as { readonly id: string };
    account.uploads.set(id, text);
    acknowledged();
  });
}

/** Checks that acknowledged files are complete, and that every listed file has its contents. */
async function checkUploads(url: string, { run, uploads }: Account): Promise<void> {
  const listed = (await (await fetch(`${url}/v1/files`)).json()) as {
    readonly data: readonly { readonly id: string; readonly filename: string; readonly bytes: number }[];
  };
  const own = listed.data.filter(({ filename }) => filename.startsWith(`${run}-`));
  const ids = own.map(({ id }) => id);
  for (const id of uploads.keys()) expect(ids).toContain(id);
  for (const { id, bytes } of own) {
    const text = await (await fetch(`${url}/v1/files/${id}/content`)).text();
    expect(text.length).toBe(bytes);
    expect(uploads.get(id) ?? text).toBe(text);
  }
}

async function logArtifacts(
  client: WireClient,
  account: Account,
  name: string,
  acknowledged: () => void,
): Promise<void> {
  await untilGone(async (i) => {
    const files = {
      "same.txt": name,
      [`own-${i}.txt`]: textOf(name, `${i}`),
      "d/large.txt": textOf(name, `${i}`).repeat(2000),
    };
    const artifact = { name: `${name}:at-${i}`, files, acknowledged: false };
    account.artifacts.push(artifact);
    await logArtifact(client, { ...PROJECT, name, files, aliases: ["latest", `at-${i}`] });
    artifact.acknowledged = true;
    acknowledged();
  });
}

async function check(client: WireClient, { run, lines, files, artifacts }: Account): Promise<void> {
  const { entity, project } = PROJECT;
  if (lines > 0) {
    const page = await client.send("GET", `/v2/${entity}/${project}/runs/${run}/history?limit=10000`);
    const { history } = (await page.json()) as { readonly history: readonly object[] };
    const texts = history.map((line) => JSON.stringify(line));
    expect(texts.slice(0, lines)).toEqual(Array.from({ length: lines }, (_, i) => lineOf(run, i)));
    // An unacknowledged update is complete or absent.
    expect(texts.length % 2).toBe(0);
  }
  if (files.length > 0) {
    const query = `query Q($e: String, $p: String, $n: String!) { project(name: $p, entityName: $e) { run(name: $n) {
      files(first: 5000) { edges { node { name directUrl } } } } } }`;
    const answer = await client.graphql(query, { e: entity, p: project, n: run });
    const found = new Map<string, string>(
      answer.data.project.run.files.edges.map(({ node }: { node: { name: string; directUrl: string } }) => [
        node.name,
        node.directUrl,
      ]),
    );
    for (const file of files) expect(found.has(file), file).toBe(true);
    for (const [name, address] of found)
      expect(await (await client.send("GET", address)).text()).toBe(textOf(run, name));
  }
  for (const { name, files, acknowledged } of artifacts) {
    const found = await artifactFiles(client, { ...PROJECT, name });
    if (acknowledged) expect(found, name).toEqual(files);
    else expect([undefined, files], name).toContainEqual(found);
  }
}

function lineOf(run: string, step: number): string {
  return JSON.stringify({ _step: step, run, loss: 1 / (step + 1) });
}

function textOf(of: string, what: string): string {
  return `${of} ${what} `;
}
