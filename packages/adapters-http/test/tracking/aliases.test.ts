// Aliases of checkpoints over HTTP: setting, moving, following and deleting them, protecting their checkpoints, and
// hiding them from other teams.

import { expect, test } from "vitest";
import { createHandler, trainingRoutes } from "../../src/index.ts";
import { openFixture } from "./fixture.ts";

const MODEL = { entity: "team-a", project: "p", name: "agent" };

/** The training routes, and a model with three checkpoints, the second with the best reward. */
async function open() {
  const { artifacts, tracking, training } = openFixture();
  const principals = { "key-a": "team-a", "key-b": "team-b" } as const;
  const group = trainingRoutes({
    training,
    aliases: tracking,
    authenticate: async (request) => {
      const key = request.headers.get("authorization") as keyof typeof principals;
      return { id: key, allows: (entity) => entity === principals[key] };
    },
  });
  const handler = createHandler({ routes: [group] });
  const made = await training.createModel({ ...MODEL, baseModel: "tiny", returnExisting: false });
  const id = made.ok ? made.value.id : "";
  for (const [i, reward] of [0.1, 0.9, 0.5].entries()) {
    const bytes = await artifacts.write([new TextEncoder().encode(`weights ${i}`)]);
    const files = [{ name: "weights", ...bytes }];
    await training.importCheckpoint({ model: MODEL, id: `00000000-0000-4000-8000-00000000000${i}`, files });
    await training.logTrajectories(id, { metrics: { "val/reward": reward } });
  }
  const ask = async (method: string, path: string, body?: unknown, key = "key-a") => {
    const response = await handler(
      new Request(`http://host/v1/preview/models/${id}${path}`, {
        method,
        headers: { authorization: key, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the tests are about.
    return { status: response.status, body: (await response.json()) as any };
  };
  const stepOf = (alias: string) => tracking.aliasedStep(MODEL, alias);
  const all = async () =>
    (await ask("GET", "/aliases")).body.data.map(({ alias, step }: { alias: string; step: number }) => [
      alias,
      step,
    ]);
  return { all, ask, id, stepOf, training };
}

test("an alias can be set, moved and deleted, and one that follows a metric points to the best checkpoint", async () => {
  const { all, ask, stepOf, training, id } = await open();
  expect(await all()).toEqual([["latest", 3]]);
  expect((await ask("PUT", "/aliases/live", { step: 1 })).body).toMatchObject({ alias: "live", step: 1 });
  expect((await ask("PUT", "/aliases/best", { metric: "val/reward" })).body).toEqual({
    alias: "best",
    step: 2,
    metric: "val/reward",
    goal: "max",
  });
  expect([await stepOf("live"), await stepOf("best"), await stepOf("none")]).toEqual([1, 2, undefined]);
  await ask("PUT", "/aliases/live", { step: 3 });
  await training.logTrajectories(id, { metrics: { "val/reward": 0.95 } });
  expect(await all()).toEqual([
    ["best", 3],
    ["latest", 3],
    ["live", 3],
  ]);
  expect(await stepOf("best")).toBe(3);
  await ask("PUT", "/aliases/best", { metric: "val/reward", goal: "min" });
  expect(await stepOf("best")).toBe(1);
  expect((await ask("DELETE", "/aliases/live")).body).toEqual({ alias: "live", deleted: true });
  expect([await stepOf("live"), (await ask("DELETE", "/aliases/live")).status]).toEqual([undefined, 404]);
});

test("a checkpoint with an alias is not deleted, and the refusal names the alias", async () => {
  const { all, ask } = await open();
  await ask("PUT", "/aliases/live", { step: 1 });
  const held = await ask("DELETE", "/checkpoints", { steps: [1, 2] });
  expect([held.status, held.body.error.message]).toEqual([
    409,
    expect.stringContaining("the alias live points to step 1 of agent"),
  ]);
  expect((await ask("DELETE", "")).status).toBe(409);
  expect((await ask("GET", "/checkpoints")).body.data).toHaveLength(3);
  expect((await ask("DELETE", "/checkpoints", { steps: [2, 3] })).body.deleted_count).toBe(2);
  expect(await all()).toEqual([
    ["latest", 1],
    ["live", 1],
  ]);
  await ask("DELETE", "/aliases/live");
  expect((await ask("DELETE", "")).body.deleted_checkpoints).toBe(1);
});

test("invalid requests are refused, and another team's aliases can be neither seen nor changed", async () => {
  const { all, ask } = await open();
  await ask("PUT", "/aliases/live", { step: 1 });
  const before = await all();
  for (const [name, body, status] of [
    ["live", { step: 9 }, 404],
    ["live", { step: "1" }, 422],
    ["live", { step: 1, metric: "a" }, 422],
    ["live", { metric: "none" }, 422],
    ["latest", { step: 1 }, 422],
    ["step2", { step: 1 }, 422],
    ["v2", { step: 1 }, 422],
    ["a%3Ab", { step: 1 }, 422],
  ] as const)
    expect([name, (await ask("PUT", `/aliases/${name}`, body)).status]).toEqual([name, status]);
  for (const [method, path, body] of [
    ["GET", "/aliases", undefined],
    ["PUT", "/aliases/live", { step: 2 }],
    ["DELETE", "/aliases/live", undefined],
  ] as const)
    expect((await ask(method, path, body, "key-b")).status).toBe(404);
  expect(await all()).toEqual(before);
});
