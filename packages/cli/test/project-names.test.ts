// `.` and `..` are invalid names, because every URL parser resolves them as path segments. They are refused wherever a
// project can be named.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { raw } from "@assay/testing/raw-request";
import { builtServer } from "@assay/testing/server";
import { expect, test } from "vitest";
import { folder } from "./run-in-process.ts";

const NAMES = ["acme/.", "acme/..", "./demo", "../demo"];

test("a project cannot be named . or .. anywhere", async () => {
  const server = await builtServer();
  const file = join(folder(), "calls.jsonl");
  writeFileSync(file, evaluationLines("run", [true]).join("\n"));
  const upsert = "mutation U($i: JSON!) { upsertBucket(input: $i) { bucket { id } } }";
  const started = "2026-01-01T00:00:00Z";
  for (const name of NAMES) {
    const [entity, project] = name.split("/") as [string, string];
    const bodies: readonly (readonly [string, object, Record<string, string>?])[] = [
      [
        "/call/start",
        { start: { project_id: name, op_name: "f", started_at: started, attributes: {}, inputs: {} } },
      ],
      ["/v1/keys", { name: "me", scopes: [name] }],
      ["/v1/preview/models", { entity, project, name: "m", base_model: "assay/tiny" }],
      [
        "/v1/chat/completions",
        { model: "assay/tiny", messages: [{ role: "user", content: "hi" }] },
        { "openai-project": name },
      ],
      [
        "/graphql",
        { query: upsert, variables: { i: { entityName: entity, modelName: project, name: "run" } } },
      ],
    ];
    const answers = bodies.map(async ([path, body, more]) => {
      const headers = { "Content-Type": "application/json", ...more };
      const answer = await raw(server, path, { method: "POST", headers, body: JSON.stringify(body) });
      const isRefused = answer.status >= 400 ? answer.status < 500 : answer.body.includes('"errors"');
      return isRefused ? [] : [`${path} ${name}: ${answer.status} ${answer.body}`];
    });
    expect((await Promise.all(answers)).flat()).toEqual([]);
  }
  const commands = await Promise.all(
    NAMES.map((name) => assay(["import", name, file, "--data", server.data])),
  );
  for (const { exitCode, stderr } of commands)
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/is not a project: (entity|project) must not be \.{1,2}\n/),
    ]);
  expect(JSON.parse((await raw(server, "/v2/projects")).body).projects).toEqual([]);
});
