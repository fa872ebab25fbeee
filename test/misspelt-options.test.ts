// Misspelt options of the service, an import or a client are reported, before anything is opened.

import { expect, test } from "vitest";
import { openStore } from "../packages/adapters-duckdb/src/index.ts";
import { createHandler, serveHttp } from "../packages/adapters-http/src/index.ts";
import { assayReporter } from "../packages/adapters-vitest/src/index.ts";
import { assayClient } from "../packages/client/src/index.ts";
import { bytesFile, planImport } from "../packages/importers/src/index.ts";
import { requestLimits } from "../packages/inference-core/src/index.ts";
import { openDirectory, openServer } from "../packages/server/src/index.ts";

const directory = "/nonexistent/of-no-account";
const client = () => assayClient({ url: "http://localhost", fetch: async () => Response.json({ data: [] }) });
const plan = () => planImport([bytesFile("a.csv", new TextEncoder().encode("id,correct\n1,true\n"))]);

const ACCEPTED: readonly (readonly [name: string, misspelt: string, open: (option: object) => unknown])[] = [
  ["authenticate", "autenticate", (option) => openServer({ directory, ...option })],
  ["days", "dayz", (option) => openServer({ directory, retention: { ...option } })],
  ["databaseMemory", "databasememory", (option) => openDirectory(directory, { ...option })],
  ["readOnly", "readonly", (option) => openStore({ directory, ...option })],
  ["rowKey", "rowkey", (option) => planImport([], { ...option })],
  ["project", "projct", async (option) => (await plan()).lines({ project: "me/quiz", ...option })],
  ["apiKey", "apikey", (option) => assayClient({ url: "http://localhost", ...option })],
  ["signal", "signl", (option) => client().ask("GET /v1/models", { ...option })],
  ["port", "prot", (option) => serveHttp({ handler: async () => new Response(), ...option })],
  ["authenticate", "authentication", (option) => createHandler({ routes: [], ...option })],
  ["name", "nam", (option) => assayReporter({ project: "me/quiz", ...option })],
  ["project", "projekt", (option) => requestLimits({ ...option })],
  ["requests_per_minute", "request_per_minute", (option) => requestLimits({ key: { ...option } })],
];

test.each(ACCEPTED)("%s, misspelt as %s, is reported", async (name, misspelt, open) => {
  const opening = async () => open({ [misspelt]: 1 });
  await expect(opening()).rejects.toThrow(TypeError);
  await expect(opening()).rejects.toThrow(`unknown "${misspelt}"; `);
  await expect(opening()).rejects.toThrow(name);
});

test("an option of the wrong type is reported", async () => {
  const options: object = { scores: "correct" };
  await expect(planImport([], options)).rejects.toThrow("options: scores must be a list");
  const areas: object = { areas: ["result"] };
  await expect(openServer({ directory, ...areas })).rejects.toThrow('"result"; did you mean results?');
  const two = { project: "me/quiz", data: ".assay", file: "calls.jsonl" };
  expect(() => assayReporter(two)).toThrow("data and file exclude each other");
  expect(() => assayReporter({ project: "quiz" })).toThrow('project must be "entity/project", not "quiz"');
  expect((await plan()).lines).toThrow("target must be an object");
  expect((await plan()).lines.bind(undefined, { project: "quiz" })).toThrow('not "quiz"');
});
