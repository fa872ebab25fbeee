// The system check of a served data directory, and the server's warnings, about trainers that cannot work.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@assay/testing/training-server";
import { expect, test } from "vitest";
import { folder } from "../run-in-process.ts";

test("the system check names the trainers that cannot work, and so does the server when it starts", async () => {
  const home = folder();
  const config = join(home, "training.json");
  const trainers = [
    { type: "tiny" },
    { type: "process", base_models: ["a"], command: [process.execPath] },
    { type: "process", base_models: ["b"], command: ["no-such-program"] },
    // No program listens on the Telnet port.
    { type: "ray", base_models: ["c"], address: "http://127.0.0.1:23", entrypoint: "true" },
  ];
  const wrong = [
    "trainer 3 (process): the command no-such-program was not found in PATH",
    "trainer 4 (ray): Ray cannot be reached",
  ];
  writeFileSync(config, JSON.stringify({ trainers }));
  const server = await serve(join(home, "data"), "--training", config);
  const answer = await fetch(`${server.url}/v1/system-check`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    database: true,
    cpu_queue: { success: true, errors: [] },
    gpu_queue: { success: false, errors: wrong },
    detail: `gpu_queue: ${wrong[0]}; gpu_queue: ${wrong[1]}`,
  });
  expect((await fetch(`${server.url}/v1/health`)).status).toBe(200);
  await server.stop();
  expect(await server.ended).toBe(0);
  expect(server.stderr()).toBe(wrong.map((sentence) => `assay: ${sentence}\n`).join(""));
});
