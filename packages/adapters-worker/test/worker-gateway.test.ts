import type { TrainingTask } from "@assay/training-core";
import { memoryArtifactStore } from "@assay/training-core/testing";
import { describe, expect, test } from "vitest";
import { workerGateway } from "../src/index.ts";

/** A gateway with one run, and requests as a worker sends them. */
async function open() {
  const artifacts = memoryArtifactStore();
  const gateway = workerGateway(artifacts);
  const parent = await artifacts.write([new TextEncoder().encode("parent")]);
  const other = await artifacts.write([new TextEncoder().encode("another job's")]);
  const task: TrainingTask = {
    job_id: "j",
    attempt: 2,
    steps_reported: 1,
    model: { id: "m", entity: "e", project: "p", name: "n", base_model: "b" },
    parent: { step: 1, files: [{ name: "weights.bin", ...parent }] },
    spec: { kind: "rl", trajectory_groups: [], config: {} },
  };
  const run = gateway.open(task);
  const ask = (method: string, path: string, body?: string, at = run.path) =>
    gateway.fetch(new Request(`http://host/below${at}/${path}`, { method, ...(body && { body }) }));
  const say = (...messages: readonly unknown[]) =>
    ask("POST", "messages", JSON.stringify({ attempt: 2, messages }));
  const heard = () => run.nextReports(new AbortController().signal);
  return { artifacts, task, run, ask, say, heard, parent, other };
}

describe("workerGateway", () => {
  test("gives the worker its own task and files, and no others", async () => {
    const { ask, task, parent, other } = await open();
    expect(await (await ask("GET", "task")).json()).toEqual(task);
    expect(await (await ask("GET", `files/${parent.sha256}`)).text()).toBe("parent");
    expect((await ask("GET", `files/${other.sha256}`)).status).toBe(404);
    expect((await ask("GET", "task", undefined, `/runs/${"x".repeat(32)}`)).status).toBe(404);
  });

  test("stores the worker's files", async () => {
    const { ask, artifacts } = await open();
    const left = await (await ask("POST", "files", "weights")).json();
    expect(left.size).toBe(7);
    expect(await artifacts.find(left.sha256)).toEqual(left);
  });

  test("passes on the worker's reports in order, with back-pressure", async () => {
    const { say, heard } = await open();
    const first = heard();
    expect(await (await say({ type: "heartbeat" })).json()).toMatchObject({
      verdict: "applied",
      stop: false,
    });
    expect(await first).toEqual([{ type: "heartbeat" }]);
    await say({ type: "step", step: 2, metrics: { loss: 1 } }, { type: "stopped" });
    await say({ type: "heartbeat" });
    expect(await heard()).toEqual([
      { type: "step", step: 2, metrics: { loss: 1 } },
      { type: "stopped" },
      { type: "heartbeat" },
    ]);
  });

  test("stops waiting when aborted", async () => {
    const { run } = await open();
    const stop = new AbortController();
    const waiting = run.nextReports(stop.signal);
    stop.abort();
    expect(await waiting).toEqual([]);
  });

  test("tells the worker to stop, and a worker of another run that it has lost the job", async () => {
    const { run, say, ask } = await open();
    run.stop();
    expect(await (await say({ type: "heartbeat" })).json()).toMatchObject({ stop: true });
    const late = await ask("POST", "messages", '{"attempt":1,"messages":[{"type":"heartbeat"}]}');
    expect([late.status, await late.json()]).toMatchObject([409, { verdict: "owner_lost", stop: true }]);
  });

  test("refuses invalid reports, and everything once it is closed", async () => {
    const { run, say, ask, heard } = await open();
    expect((await say({ type: "step", step: 0 })).status).toBe(422);
    expect((await ask("POST", "messages", "{")).status).toBe(422);
    expect((await ask("POST", "messages", `[${" ".repeat(9 * 2 ** 20)}]`)).status).toBe(422);
    await say({ type: "heartbeat" });
    expect(await heard()).toEqual([{ type: "heartbeat" }]);
    run.close();
    expect((await say({ type: "heartbeat" })).status).toBe(404);
    expect((await ask("GET", "task")).status).toBe(404);
  });
});
