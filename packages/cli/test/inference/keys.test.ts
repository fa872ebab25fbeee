// API keys on the command line: on a data directory and through the server that has it open, and the access they give.

import { describe, expect, test } from "vitest";
import { assay, folder } from "../run-in-process.ts";
import { serving } from "./server.ts";

const create = async (data: string, scopes: readonly string[], more: readonly string[] = []) => {
  const flags = scopes.flatMap((scope) => ["--scope", scope]);
  const made = await assay(["keys", "create", "--name", "ci", ...flags, ...more, "--data", data]);
  return { ...made, key: made.stdout.trim() };
};

const chat = (url: string, key: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({ model: "assay/tiny", messages: [{ role: "user", content: "hi" }], max_tokens: 5 }),
  });

describe.each(["the directory", "the server that has it open"])("on %s", (where) => {
  const server = ["--api-key", "owner"];
  const [owner, place] =
    where === "the directory"
      ? [[], async () => folder()]
      : [server, async () => (await serving(server)).data];

  test("a key can be created, listed without its text, and revoked", async () => {
    const data = await place();
    const { key, exitCode, stderr } = await create(data, ["acme/demo", "acme/*"], ["--days", "30", ...owner]);
    expect(exitCode).toBe(0);
    expect(key).toMatch(/^assay_[0-9a-z]{34}$/);
    const id = key.slice(6, 14);
    expect(stderr).toContain(`created the key ${id} for acme/demo, acme/*`);

    const listed = await assay(["keys", "list", "--data", data, ...owner]);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id, name: "ci", scopes: ["acme/demo", "acme/*"], revoked_at: null },
    ]);
    expect(listed.stdout).not.toContain(key);
    const table = await assay(["keys", "list", "--data", data, ...owner], { columns: 100 });
    expect(table.stdout).toContain(id);

    expect(await assay(["keys", "revoke", key, "--data", data, ...owner])).toMatchObject({ exitCode: 0 });
    const after = await assay(["keys", "list", "--data", data, ...owner]);
    expect(JSON.parse(after.stdout)).toMatchObject([{ id, revoked_at: expect.any(Number) }]);
    expect(await assay(["keys", "revoke", "nosuchid", "--data", data, ...owner])).toMatchObject({
      exitCode: 1,
      stderr: "assay: no key has this id\n",
    });
  });
});

test.each([
  [["--scope", "acme"], /"acme" is not a scope/],
  [["--scope", "acme/demo", "--days", "soon"], /"soon" is not a number of days/],
  [[], /give at least one --scope/],
])("%j creates no key", async (args, message) => {
  const ended = await assay(["keys", "create", "--name", "x", ...args, "--data", folder()]);
  expect(ended).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(message) });
});

test("a stored key allows serving other machines, and opens its scopes until it is revoked", async () => {
  const data = folder();
  const { key } = await create(data, ["acme/demo"]);
  const { url, greeting } = await serving(["--host", "0.0.0.0"], { data });
  expect(greeting).toContain("It requires a key from assay keys");
  const local = url.replace("0.0.0.0", "127.0.0.1");
  expect((await chat(local, undefined)).status).toBe(401);
  expect((await chat(local, key)).status).toBe(200);
  expect((await chat(local, key, { "OpenAI-Project": "acme/demo" })).status).toBe(200);
  expect((await chat(local, key, { "OpenAI-Project": "acme/other" })).status).toBe(401);
  const query = (project: string) =>
    fetch(`${local}/v2/${project}/eval_results/evaluations`, { headers: { authorization: `Bearer ${key}` } });
  expect([(await query("acme/demo")).status, (await query("acme/other")).status]).toEqual([200, 404]);
  // A key that is not for everything cannot manage keys.
  const refused = await assay(["keys", "list", "--data", data, "--api-key", key]);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: "assay: only a key for everything may manage keys\n",
  });
});

test("the server's own key and stored keys work together", async () => {
  const { url, data } = await serving(["--api-key", "owner"]);
  const made = await assay([
    "keys",
    "create",
    "--name",
    "a",
    "--scope",
    "*",
    "--data",
    data,
    "--api-key",
    "owner",
  ]);
  const key = made.stdout.trim();
  expect([(await chat(url, "owner")).status, (await chat(url, key)).status]).toEqual([200, 200]);
  // A key for everything may revoke itself.
  await assay(["keys", "revoke", key, "--data", data, "--api-key", key]);
  expect([(await chat(url, "owner")).status, (await chat(url, key)).status]).toEqual([200, 401]);
});

test("other machines are not served without a valid key", async () => {
  const data = folder();
  const { key } = await create(data, ["*"]);
  await assay(["keys", "revoke", key, "--data", data]);
  const ended = await assay(["serve", "--data", data, "--host", "0.0.0.0", "--port", "0"]);
  expect(ended).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("run assay keys create"),
  });
});
