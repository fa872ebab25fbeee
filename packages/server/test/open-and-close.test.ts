// The lifetime of a server embedded in a program: invalid options, closing twice, reopening at once.

import { openDirectory } from "@assay/server/directory";
import { expect, test } from "vitest";
import { openServer, type ServerOptions } from "../src/index.ts";
import { folder } from "./folder.ts";

const open = (directory: string, settings: Partial<ServerOptions> = {}) =>
  openServer({
    directory,
    page: false,
    authenticate: async () => ({ id: "me", allows: () => true }),
    ...settings,
  } as ServerOptions);

const EVALUATIONS = "http://localhost/v2/acme/demo/eval_results/evaluations";

test("closing again waits for the first close, and does not affect a server opened since", async () => {
  const directory = folder();
  const first = await open(directory);
  await Promise.all([first.close(), first.close()]);
  const second = await open(directory);
  await first.close();
  const body = `{"id": "e", "op_name": "Evaluation.evaluate"}\n`;
  const url = "http://localhost/v2/acme/demo/calls/import";
  const headers = { "content-type": "application/x-ndjson" };
  const written = await second.handler(new Request(url, { method: "POST", body, headers }));
  expect(await written.json()).toMatchObject({ changed: 1, bad_lines: 0 });
  expect((await second.handler(new Request(EVALUATIONS))).status).toBe(200);
  await second.close();
});

test("closing a directory twice waits for it to be closed", async () => {
  const directory = folder();
  const data = await openDirectory(directory);
  void data.close();
  await data.close();
  await (await openDirectory(directory)).close();
});

test("a server needs a directory, and null from authenticate is a refusal", async () => {
  await expect(openServer({} as ServerOptions)).rejects.toThrow(
    "a server needs a directory, or stores and a",
  );
  const server = await open(folder(), { authenticate: async () => null as unknown as undefined });
  expect((await server.handler(new Request(EVALUATIONS))).status).toBe(401);
  await server.close();
});
