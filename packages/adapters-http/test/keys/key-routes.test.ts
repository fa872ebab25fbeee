// Keys over HTTP: who may manage them, what each key may see of others, and that answers conform to the OpenAPI
// document.

import { memoryKeyStore } from "@assay/inference-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  anyAuthentication,
  createHandler,
  keyAuthentication,
  keyRoutes,
  storedKeyAuthentication,
} from "../../src/index.ts";

const NOW = 1_700_000_000_000;

function world() {
  const keys = memoryKeyStore();
  let time = NOW;
  const authenticate = anyAuthentication([
    keyAuthentication("owner"),
    storedKeyAuthentication(keys, () => time),
  ]);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const handler = createHandler({ routes: [keyRoutes({ keys, authenticate, now: () => time, onError })] });
  const ask = async (
    method: string,
    path: string,
    { key = "owner", body }: { key?: string; body?: unknown } = {},
  ) => {
    const response = await handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return {
    ask,
    keys,
    errors,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const wish = { name: "ci", scopes: ["team/demo"] };

test("a key is shown once, works for its scopes, and stops working when it is revoked", async () => {
  const { ask, keys, pass } = world();
  const made = (await ask("POST", "/v1/keys", { body: wish })).body;
  expect(made).toEqual({
    id: made.key.slice(6, 14),
    object: "key",
    ...wish,
    can: ["read", "write", "train", "chat"],
    created_at: NOW / 1000,
    expires_at: null,
    revoked_at: null,
    key: expect.stringMatching(/^assay_/),
  });
  const listed = (await ask("GET", "/v1/keys")).body;
  const { key: _secret, ...seen } = made;
  expect(listed).toEqual({ object: "list", data: [seen], has_more: false });
  expect(JSON.stringify(listed)).not.toContain((await keys.get(made.id))?.hash);

  pass(5000);
  const revoked = (await ask("DELETE", `/v1/keys/${made.id}`)).body;
  expect(revoked).toEqual({ ...seen, revoked_at: NOW / 1000 + 5 });
  pass(5000);
  expect((await ask("DELETE", `/v1/keys/${made.id}`)).body).toEqual(revoked);
  expect((await ask("GET", "/v1/keys", { key: made.key })).status).toBe(401);
});

test("a key for everything may manage keys; one for a project, even for all of an entity, may not", async () => {
  const { ask } = world();
  const key = async (scope: string): Promise<string> =>
    (await ask("POST", "/v1/keys", { body: { name: "x", scopes: [scope] } })).body.key;
  expect((await ask("GET", "/v1/keys", { key: await key("*") })).status).toBe(200);
  for (const scope of ["team/demo", "team/*"]) {
    const scoped = await key(scope);
    for (const [method, path] of [
      ["GET", "/v1/keys"],
      ["POST", "/v1/keys"],
      ["DELETE", "/v1/keys/x"],
    ] as const) {
      const refused = await ask(method, path, { key: scoped, ...(method === "POST" && { body: wish }) });
      expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    }
  }
});

test("a key expires", async () => {
  const { ask, pass } = world();
  const body = { name: "x", scopes: ["*"], expires_at: NOW / 1000 + 10 };
  const { key } = (await ask("POST", "/v1/keys", { body })).body;
  expect((await ask("GET", "/v1/keys", { key })).status).toBe(200);
  pass(10_000);
  expect((await ask("GET", "/v1/keys", { key })).status).toBe(401);
});

test("more keys than fit in a page are listed page by page", async () => {
  const { ask, keys } = world();
  for (let n = 0; n < 1001; n++) {
    const id = String(n).padStart(8, "0");
    await keys.add({ id, hash: "h", name: "n", scopes: [{ entity: "*", project: "*" }], createdAt: NOW });
  }
  const first = (await ask("GET", "/v1/keys")).body;
  expect([first.data.length, first.has_more]).toEqual([1000, true]);
  const second = (await ask("GET", `/v1/keys?after=${first.data.at(-1).id}`)).body;
  expect(second).toMatchObject({ data: [{ id: "00001000" }], has_more: false });
});

describe("refusals", () => {
  test.each([
    ["an unknown key", "GET", "/v1/keys", { key: "nobody" }, 401],
    ["an invalid scope", "POST", "/v1/keys", { body: { name: "x", scopes: ["x"] } }, 422],
    ["a body that is not an object", "POST", "/v1/keys", { body: 7 }, 422],
    ["a key that does not exist", "DELETE", "/v1/keys/nobody", {}, 404],
  ] as const)("%s", async (_, method, path, options, status) => {
    const answered = await world().ask(method, path, options);
    expect(answered).toMatchObject({
      status,
      body: { detail: expect.anything(), error: { message: expect.any(String), type: expect.any(String) } },
    });
  });

  test("a failing store is reported to the operator, and not to the client", async () => {
    const { ask, keys, errors } = world();
    keys.list = async () => {
      throw new Error("secret path /var");
    };
    const { status, body } = await ask("GET", "/v1/keys");
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(errors).toHaveLength(1);
  });
});

test("answers conform to the OpenAPI document", async () => {
  const { ask } = world();
  const document = (await ask("GET", "/openapi.json")).body;
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: "https://assay.test/openapi.json", ...document });
  const conforms = (name: string, value: unknown) =>
    ajv.validate({ $ref: `https://assay.test/openapi.json#/components/schemas/${name}` }, value) ||
    ajv.errorsText();
  const made = (await ask("POST", "/v1/keys", { body: wish })).body;
  expect(conforms("KeyRequest", wish)).toBe(true);
  expect(conforms("NewKey", made)).toBe(true);
  expect(conforms("KeyList", (await ask("GET", "/v1/keys")).body)).toBe(true);
  expect(conforms("Key", (await ask("DELETE", `/v1/keys/${made.id}`)).body)).toBe(true);
});
