import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import { createHandler, trainingRoutes } from "../../src/index.ts";
import { GROUPS, openFixture, trajectory, twoSteps } from "./fixture.ts";

const MODEL = { entity: "team-a", project: "p", name: "agent", base_model: "tiny", return_existing: true };

describe("models", () => {
  test("creating one answers with all its names, and repeating it with the same model", async () => {
    const { call } = openFixture();
    const made = await call("POST", "/v1/preview/models", MODEL);
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      entity: "team-a",
      project: "p",
      name: "agent",
      base_model: "tiny",
      run_id: "agent",
    });
    expect((await call("POST", "/v1/preview/models/", MODEL)).body).toEqual(made.body);
    const { body } = await call("POST", "/v1/preview/models", { ...MODEL, entity: null });
    expect(body.entity).toBe("default");
  });

  test("a taken name and another base model are conflicts that clients do not retry", async () => {
    const { call } = openFixture();
    await call("POST", "/v1/preview/models", MODEL);
    for (const wish of [
      { ...MODEL, return_existing: false },
      { ...MODEL, base_model: "other" },
    ]) {
      const refused = await call("POST", "/v1/preview/models", wish);
      expect(refused.status).toBe(409);
      expect(refused.headers.get("x-should-retry")).toBe("false");
      expect(refused.body.error).toMatchObject({ type: "conflict_error", code: "conflict" });
      expect(refused.body.detail).toBe(refused.body.error.message);
    }
  });

  test("each fault of a request is reported with its path", async () => {
    const { call } = openFixture();
    const missing = await call("POST", "/v1/preview/models", { name: "a", project: 3 });
    expect(missing.status).toBe(422);
    expect(missing.body.detail).toEqual(
      expect.arrayContaining([
        { loc: ["body", "base_model"], msg: "field required", type: "missing" },
        { loc: ["body", "project"], msg: expect.stringContaining("string"), type: "type" },
      ]),
    );
    expect(missing.body.error).toMatchObject({ type: "invalid_request_error" });
    const named = await call("POST", "/v1/preview/models", { ...MODEL, name: "a:b" });
    expect(named.body.detail[0]).toMatchObject({ loc: ["body", "name"], type: "name" });
  });

  test("deleting can be repeated, and deletes everything of the model", async () => {
    const { call, training, artifacts, eventsOf, model } = openFixture();
    const id = await model("agent");
    await training(twoSteps(artifacts), async () => {
      const job = await call("POST", "/v1/preview/training-jobs", {
        model_id: id,
        trajectory_groups: GROUPS,
      });
      await eventsOf(job.body.id);
    });
    const waiting = await call("POST", "/v1/preview/training-jobs", {
      model_id: id,
      trajectory_groups: GROUPS,
    });
    for (let i = 0; i < 2; i++) {
      const gone = await call("DELETE", `/v1/preview/models/${id}`);
      expect(gone).toMatchObject({
        status: 200,
        body: { model_id: id, deleted_checkpoints: 1, deleted_run: false },
      });
    }
    expect((await eventsOf(waiting.body.id)).at(-1)).toMatchObject({
      type: "training_failed",
      data: { code: "cancelled", error_message: "the model was deleted" },
    });
    expect((await call("GET", `/v1/preview/models/${id}/checkpoints`)).status).toBe(404);
    expect((await call("DELETE", "/v1/preview/models/no-uuid")).status).toBe(404);
    expect(await model("agent")).not.toBe(id);
  });
});

describe("an RL job", () => {
  test("is submitted, trained and read as ART reads it", async () => {
    const { call, training, artifacts, eventsOf, model } = openFixture();
    const id = await model("agent");
    await training(twoSteps(artifacts), async () => {
      const body = {
        model_id: id,
        trajectory_groups: GROUPS,
        experimental_config: { learning_rate: 5e-6, epsilon: null },
      };
      const job = await call("POST", "/v1/preview/training-jobs", body);
      expect(job).toMatchObject({ status: 200, body: { status: "queued", type: "rl", num_trainable: 2 } });
      const events = await eventsOf(job.body.id);
      expect(events.map(({ type, data }) => [type, data])).toEqual([
        ["training_started", { num_sequences: 2 }],
        ["gradient_step", { loss: 2, reward: 0.5 }],
        ["gradient_step", { loss: 1, reward: 0.5 }],
        ["training_ended", { step: 1, checkpoint_id: expect.any(String) }],
      ]);
      const times = events.map(({ created_at }) => created_at);
      expect(times.every((time) => time === new Date(time).toISOString())).toBe(true);
      expect(times).toEqual(times.toSorted());
      const done = await call("GET", `/v1/preview/training-jobs/${job.body.id}`);
      expect(done.body).toMatchObject({
        status: "succeeded",
        checkpoint_step: 1,
        progress: { step: 2, total: 2 },
      });
    });
    const newest = await call("GET", `/v1/preview/models/${id}/checkpoints?limit=1&order=desc`);
    expect(newest.body).toEqual({
      object: "list",
      data: [
        {
          id: expect.any(String),
          step: 1,
          metrics: {
            "train/loss": 1.5,
            "train/reward": 0.5,
            "train/right": 0.5,
            "train/reward_std_dev": 0.5,
            "train/exception_rate": 0,
          },
        },
      ],
      first_id: newest.body.data[0].id,
      last_id: newest.body.data[0].id,
      has_more: false,
    });
  });

  test("has all of its events, whatever the page size, and an unknown cursor is refused", async () => {
    const { call, training, artifacts, eventsOf, model } = openFixture();
    const id = await model("agent");
    const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    const path = `/v1/preview/training-jobs/${job.body.id}/events`;
    expect((await call("GET", path)).body).toEqual({
      object: "list",
      data: [],
      first_id: "",
      last_id: "",
      has_more: false,
    });
    const all = await training(twoSteps(artifacts), () => eventsOf(job.body.id));
    for (const limit of [1, 3, 100]) {
      const read: unknown[] = [];
      for (let page = { body: { last_id: "", has_more: true } }; page.body.has_more; ) {
        const after = page.body.last_id === "" ? "" : `&after=${page.body.last_id}`;
        const next = await call("GET", `${path}/?limit=${limit}${after}`);
        read.push(...next.body.data);
        page = next;
      }
      expect(read).toEqual(all);
    }
    for (const query of [
      "after=nobody",
      "limit=0",
      "limit=101",
      "limit=x",
      "order=up",
      "wait=-1",
      "include=none",
    ]) {
      const refused = await call("GET", `${path}?${query}`);
      expect(refused.status).toBe(422);
      expect(refused.body.detail[0].loc).toEqual(["query", query.split("=")[0]]);
    }
    const inner = await call("GET", `${path}?include=all&limit=100`);
    expect(inner.body.data.map(({ type }: { type: string }) => type)).toEqual([
      "submitted",
      "claimed",
      "training_started",
      "gradient_step",
      "gradient_step",
      "trained",
      "training_ended",
    ]);
  });

  test("without a training signal succeeds, and its checkpoint equals its parent", async () => {
    const { call, training, artifacts, eventsOf, model, service } = openFixture();
    const id = await model("agent");
    const level = [{ trajectories: [trajectory(1), trajectory(1)] }];
    await training(twoSteps(artifacts), async () => {
      for (const trajectory_groups of [GROUPS, level]) {
        const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups });
        await eventsOf(job.body.id);
      }
      const events = await eventsOf((await call("GET", "/v1/preview/training-jobs?limit=1")).body.data[0].id);
      expect(events.map(({ type, data }) => [type, data["num_sequences"]])).toEqual([
        ["training_started", 0],
        ["training_ended", undefined],
      ]);
    });
    const [first, second] = await Promise.all([1, 2].map((step) => service.store.checkpoint(id, step)));
    expect(second?.files).toEqual(first?.files);
  });

  test.each([
    ["no_logprobs", [{ trajectories: [trajectory(0, false), trajectory(1, false)] }], {}],
    [
      "no_choice",
      [
        {
          trajectories: [0, 1].map((reward) => ({
            ...trajectory(reward),
            messages_and_choices: [{ role: "assistant", content: "x" }],
          })),
        },
      ],
      {},
    ],
    ["overlength", GROUPS, { packed_sequence_length: 1 }],
  ])(
    "that cannot be trained for %s is refused, naming group and trajectory",
    async (code, groups, config) => {
      const { call, model } = openFixture();
      const long = code === "overlength" ? structuredClone(groups) : groups;
      if (code === "overlength") {
        for (const { trajectories } of long)
          for (const one of trajectories)
            for (const entry of one.messages_and_choices as { logprobs?: { content: unknown[] } }[])
              entry.logprobs?.content.push({ token: "x", logprob: -1 });
      }
      const body = { model_id: await model("agent"), trajectory_groups: long, experimental_config: config };
      const refused = await call("POST", "/v1/preview/training-jobs", body);
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toHaveLength(2);
      expect(refused.body.detail[1]).toMatchObject({
        loc: ["body", "trajectory_groups", 0, "trajectories", 1],
        type: code,
        msg: expect.stringContaining("trajectory 1 of group 0"),
      });
      const partly = { ...body, trajectory_groups: [...long, ...GROUPS], experimental_config: {} };
      const accepted = await call("POST", "/v1/preview/training-jobs", partly);
      expect(accepted.status).toBe(200);
      if (code !== "overlength")
        expect(accepted.body.skipped).toContainEqual({ group: 0, trajectory: 0, reason: code });
    },
  );

  test("with a malformed trajectory is refused with its path", async () => {
    const { call, model } = openFixture();
    const wrong = { ...trajectory(1), messages_and_choices: [{ content: "who says so?" }] };
    const nan = { ...trajectory(0), reward: "0" };
    const body = {
      model_id: await model("agent"),
      trajectory_groups: [{ trajectories: [] }, { trajectories: [wrong] }, { trajectories: [{}, nan] }],
    };
    const refused = await call("POST", "/v1/preview/training-jobs", body);
    expect(refused.body.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])).toEqual([
      [["body", "trajectory_groups", 1, "trajectories", 0, "messages_and_choices", 0], "type"],
      [["body", "trajectory_groups", 2, "trajectories", 1, "reward"], "type"],
    ]);
    // A newer client may send more fields.
    const later = { ...body, trajectory_groups: GROUPS, later: true };
    expect((await call("POST", "/v1/preview/training-jobs", later)).status).toBe(200);
    const exclusive = { kl_penalty_reference_step: 1, kl_penalty_step_lag: 2 };
    const both = await call("POST", "/v1/preview/training-jobs", {
      ...body,
      trajectory_groups: GROUPS,
      experimental_config: exclusive,
    });
    expect(both.body.detail[0]).toMatchObject({ type: "exclusive" });
    const stranger = await call("POST", "/v1/preview/training-jobs", {
      model_id: "00000000-0000-4000-8000-00000000ffff",
      trajectory_groups: GROUPS,
    });
    expect(stranger).toMatchObject({ status: 404, body: { error: { code: "model_not_found" } } });
    const { status } = await call("POST", "/v1/preview/training-jobs", {
      model_id: "none",
      trajectory_groups: GROUPS,
    });
    expect(status).toBe(404);
  });

  test.each([[[]], [[{ trajectories: [] }]]])(
    "with the groups %j has nothing to train on",
    async (groups) => {
      const { call, model } = openFixture();
      const body = { model_id: await model("agent"), trajectory_groups: groups };
      const refused = await call("POST", "/v1/preview/training-jobs", body);
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toMatchObject([
        { loc: ["body", "trajectory_groups"], type: "no_trajectory" },
      ]);
    },
  );

  test("may leave out defaults, as clients with compact dumps do", async () => {
    const { call, model } = openFixture();
    const { reward: _, ...lost } = trajectory(0);
    const body = {
      model_id: await model("agent"),
      trajectory_groups: [{ trajectories: [lost, trajectory(1)] }],
    };
    expect((await call("POST", "/v1/preview/training-jobs", body)).status).toBe(200);
  });

  test("sent twice with one key is one job; another body with it is a conflict", async () => {
    const { call, model, clock } = openFixture();
    const body = { model_id: await model("agent"), trajectory_groups: GROUPS };
    const send = (sent: object, key: string) =>
      call("POST", "/v1/preview/training-jobs", sent, { "idempotency-key": key });
    const first = await send(body, "k");
    expect(await send(body, "k")).toMatchObject({ status: 200, body: { id: first.body.id } });
    expect((await send(body, "other")).body.id).not.toBe(first.body.id);
    const reused = await send({ ...body, experimental_config: {} }, "k");
    expect(reused).toMatchObject({ status: 409, body: { error: { code: "idempotency_key" } } });
    expect(reused.headers.get("x-should-retry")).toBe("false");
    const swapped = { trajectory_groups: GROUPS, model_id: body.model_id };
    expect((await send(swapped, "k")).status).toBe(409);
    clock.advance(25 * 3_600_000);
    expect((await send(body, "k")).body.id).not.toBe(first.body.id);
  });

  test("is cancelled at once while it waits, and once its trainer has stopped while it runs", async () => {
    const { call, training, eventsOf, model } = openFixture();
    const id = await model("agent");
    const submit = async () =>
      (await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS })).body.id;
    const waiting = await submit();
    const cancelled = await call("POST", `/v1/preview/training-jobs/${waiting}/cancel`);
    expect(cancelled.body).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    expect((await call("POST", `/v1/preview/training-jobs/${waiting}/cancel`)).status).toBe(200);

    let stopped = false;
    let letStop = () => {};
    const mayStop = new Promise<void>((resolve) => {
      letStop = resolve;
    });
    const patient = async function* (_: unknown, signal: AbortSignal) {
      yield { type: "started" as const, num_sequences: 5 };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await mayStop;
      stopped = true;
    };
    await training(patient, async () => {
      const running = await submit();
      const [event] = (await call("GET", `/v1/preview/training-jobs/${running}/events?wait=55`)).body.data;
      expect(event.type).toBe("training_started");
      const asked = await call("POST", `/v1/preview/training-jobs/${running}/cancel`);
      expect(asked.body.status).toBe("cancelling");
      const listed = async (status: string) =>
        (await call("GET", `/v1/preview/training-jobs?status=${status}`)).body.data;
      expect(await listed("cancelling")).toMatchObject([{ status: "cancelling" }]);
      expect(await listed("starting,running,finalizing")).toEqual([]);
      letStop();
      const events = await eventsOf(running);
      expect(events.at(-1)).toMatchObject({
        type: "training_failed",
        data: { error_message: "Training job was cancelled", code: "cancelled" },
      });
      expect(stopped).toBe(true);
    });
    expect((await call("POST", "/v1/preview/training-jobs/nothing/cancel")).status).toBe(404);
  });

  test("streams its events after the last one seen, and ends with the last event", async () => {
    const { ask, call, training, artifacts, model } = openFixture();
    const id = await model("agent");
    const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    const path = `/v1/preview/training-jobs/${job.body.id}/events`;
    const text = await training(twoSteps(artifacts), async () => {
      const response = await ask("GET", path, undefined, { accept: "text/event-stream" });
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      return response.text();
    });
    const parts = text.trim().split("\n\n");
    expect(parts.map((part) => /^event: (.*)$/m.exec(part)?.[1])).toEqual([
      "training_started",
      "gradient_step",
      "gradient_step",
      "training_ended",
    ]);
    const lastId = /^id: (.*)$/m.exec(parts[2]!)![1]!;
    const headers = { accept: "text/event-stream", "last-event-id": lastId };
    expect((await (await ask("GET", path, undefined, headers)).text()).trim()).toBe(parts[3]);
  });

  test("fails with its trainer's message, and never with a stack", async () => {
    const { call, training, eventsOf, model, errors } = openFixture();
    const id = await model("agent");
    const submit = async () =>
      (await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS })).body.id;
    const failing = async function* () {
      yield { type: "started" as const, num_sequences: 1 };
      throw new Error("a secret path");
    };
    const events = await training(failing, async () => eventsOf(await submit()));
    expect(events.at(-1)?.data).toEqual({
      code: "trainer_failed",
      error_message: "the trainer stopped with an internal error",
    });
    expect(errors).toHaveLength(1);
    const telling = async function* () {
      yield { type: "failed" as const, message: "out of memory at step 3", code: "out_of_memory" };
    };
    const told = await training(telling, async () => eventsOf(await submit()));
    expect(told).toMatchObject([
      { type: "training_failed", data: { code: "out_of_memory", error_message: "out of memory at step 3" } },
    ]);
  });
});

describe("an SFT job", () => {
  const row = (text: string) =>
    JSON.stringify({
      messages: [
        { role: "user", content: "?" },
        { role: "assistant", content: text },
      ],
    });

  test("trains on uploaded data", async () => {
    const { ask, call, training, artifacts, eventsOf, model, service } = openFixture();
    const id = await model("agent");
    const response = await ask("POST", "/v1/preview/training-data", undefined, {});
    expect(response.status).toBe(422);
    const uploaded = await call("POST", "/v1/preview/training-data", JSON.parse(row("one line")));
    expect(uploaded.body).toMatchObject({
      rows: 1,
      training_data_url: expect.stringMatching(/^upload:[0-9a-f]{64}$/),
    });
    const body = {
      model_id: id,
      training_data_url: uploaded.body.training_data_url,
      config: { batch_size: "auto", learning_rate: [1e-4, 1e-5] },
    };
    const job = await call("POST", "/v1/preview/sft-training-jobs/", body);
    expect(job.body).toMatchObject({ type: "sft", num_submitted: 1 });
    expect(await service.store.spec(job.body.id)).toMatchObject({
      kind: "sft",
      rows: 1,
      config: body.config,
    });
    expect((await training(twoSteps(artifacts), () => eventsOf(job.body.id))).at(-1)?.type).toBe(
      "training_ended",
    );
  });

  test("with invalid data is refused line by line", async () => {
    const data = {
      "file:///bad": `${row("fine")}\n\n{"messages": []}\nnot json\n{"messages":[{"role":"assistant","content":"a"},{"role":"user","content":"b"}]}\n{"messages":[{"role":"robot"}]}`,
      "file:///empty": "\n\n",
    };
    const { call, model } = openFixture({ data });
    const id = await model("agent");
    const send = (training_data_url: string) =>
      call("POST", "/v1/preview/sft-training-jobs", { model_id: id, training_data_url });
    const refused = await send("file:///bad");
    expect(refused.status).toBe(422);
    expect(
      refused.body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc.slice(1), type]),
    ).toEqual([
      ["training_data_url", "line", 3, "messages", "type"],
      ["training_data_url", "line", 4, "json"],
      ["training_data_url", "line", 5, "messages", 1, "role", "last_message"],
      ["training_data_url", "line", 6, "messages", 0, "role", "type"],
    ]);
    expect((await send("file:///empty")).body.detail[0].type).toBe("empty");
    expect((await send("s3://bucket/c")).body.detail[0].type).toBe("unsupported_url");
    // In a project that the key may not see.
    expect((await send("wandb-artifact:///a/b/c:v0")).body.detail[0].type).toBe("data_missing");
    expect((await send(`upload:${"0".repeat(64)}`)).body.detail[0].type).toBe("data_missing");
    expect((await call("GET", "/v1/preview/training-jobs")).body.data).toEqual([]);
  });
});

describe("checkpoints", () => {
  test("are deleted by step, once, and listed and downloaded until then", async () => {
    const { ask, call, training, artifacts, eventsOf, model } = openFixture();
    const id = await model("agent");
    await training(twoSteps(artifacts), async () => {
      for (let i = 0; i < 3; i++) {
        const job = await call("POST", "/v1/preview/training-jobs", {
          model_id: id,
          trajectory_groups: GROUPS,
        });
        await eventsOf(job.body.id);
      }
    });
    const path = `/v1/preview/models/${id}/checkpoints`;
    const steps = async (query: string) =>
      (await call("GET", `${path}?${query}`)).body.data.map(({ step }: { step: number }) => step);
    expect(await steps("")).toEqual([1, 2, 3]);
    const [, second] = (await call("GET", path)).body.data;

    const one = await call("GET", `${path}/2`);
    expect(one.body).toMatchObject({
      step: 2,
      parent_step: 1,
      base_model: "tiny",
      files: [{ name: "weights.bin" }],
    });
    const file = await ask("GET", one.body.files[0].path);
    expect(await file.text()).toBe(`weights of ${one.body.training_job_id}`);

    const gone = await call("DELETE", path, { steps: [2, 9, 2] });
    expect(gone).toMatchObject({ status: 200, body: { deleted_count: 1, not_found_steps: [9] } });
    expect((await call("DELETE", path, { steps: [2] })).body).toEqual({
      deleted_count: 0,
      not_found_steps: [2],
    });
    expect(await steps("order=desc")).toEqual([3, 1]);
    expect(await steps(`after=${second.id}`)).toEqual([3]);
    expect(await steps(`order=desc&after=${second.id}`)).toEqual([1]);
    expect((await call("GET", `${path}/2`)).status).toBe(404);
    expect((await call("GET", one.body.files[0].path)).status).toBe(404);
    expect(await artifacts.find(one.body.files[0].sha256)).toBeUndefined();
    expect((await call("DELETE", path, { steps: [1.5] })).body.detail[0].loc).toEqual(["body", "steps", 0]);
    expect((await call("DELETE", path)).status).toBe(415);
  });

  test("get logged statistics as metrics of the newest", async () => {
    const { call, training, artifacts, eventsOf, model } = openFixture();
    const id = await model("agent");
    const log = (split: string) =>
      call("POST", `/v1/preview/models/${id}/log`, { model_id: id, split, trajectory_groups: GROUPS });
    expect((await log("val")).status).toBe(200);
    expect((await call("GET", `/v1/preview/models/${id}`)).body.metrics).toMatchObject({ "val/reward": 0.5 });
    await training(twoSteps(artifacts), async () => {
      const job = await call("POST", "/v1/preview/training-jobs", {
        model_id: id,
        trajectory_groups: GROUPS,
      });
      await eventsOf(job.body.id);
    });
    await log("val");
    const [newest] = (await call("GET", `/v1/preview/models/${id}/checkpoints`)).body.data;
    expect(newest.metrics).toMatchObject({ "val/reward": 0.5, "val/reward_std_dev": 0.5, "train/loss": 1.5 });
  });
});

describe("a remote worker", () => {
  test("gets a long job completely", async () => {
    const { call, model } = openFixture();
    const trajectory_groups = Array.from({ length: 300 }, () => GROUPS[0]);
    await call("POST", "/v1/preview/training-jobs", { model_id: await model("agent"), trajectory_groups });
    const { headers, body } = await call("POST", "/v1/preview/worker/claim", { worker: "w" });
    expect(headers.get("transfer-encoding")).toBe("chunked");
    expect(body).toMatchObject({
      task: { attempt: 1, spec: { trajectory_groups } },
      lease: { ttl_seconds: 30 },
    });
  });

  test("takes a job, fetches its files, reports in order and stores the results", async () => {
    const { ask, call, model, eventsOf } = openFixture();
    const id = await model("agent", "org/base");
    const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    const claim = (wish: object) => call("POST", "/v1/preview/worker/claim", wish);
    expect((await claim({ worker: "w", base_models: ["other"] })).body.task).toBeNull();
    const { body } = await claim({ worker: "w", kinds: ["rl"], base_models: ["org/base"] });
    expect(body).toMatchObject({
      task: {
        job_id: job.body.id,
        attempt: 1,
        parent: { step: 0, files: [] },
        spec: { kind: "rl", trajectory_groups: GROUPS },
      },
      lease: { ttl_seconds: 30, heartbeat_seconds: 10 },
    });
    expect((await claim({ worker: "late" })).body.task).toBeNull();

    const path = `/v1/preview/training-jobs/${job.body.id}`;
    const say = (...messages: object[]) => call("POST", `${path}/messages`, { attempt: 1, messages });
    const step = (n: number) => ({ type: "step", step: n, metrics: { loss: n, broken: null } });
    expect((await say({ type: "started", num_sequences: 2 }, step(1))).body).toMatchObject({
      verdict: "applied",
      stop: false,
      steps_reported: 1,
    });
    expect((await say(step(1))).body.verdict).toBe("already");
    const early = await say({ type: "done", files: [] });
    expect(early).toMatchObject({
      status: 409,
      body: { verdict: "out_of_order", error: { code: "out_of_order" } },
    });
    const written = await (await ask("POST", `${path}/files`, "bytes")).json();
    const done = await say(step(2), {
      type: "done",
      files: [{ name: "adapter.bin", ...(written as object) }],
    });
    expect(done.body).toMatchObject({ verdict: "applied", state: "succeeded" });
    expect((await eventsOf(job.body.id)).map(({ data }) => data["loss"])).toEqual([
      undefined,
      1,
      2,
      undefined,
    ]);

    const next = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    const again = (await claim({ worker: "w" })).body.task;
    expect(again.parent).toMatchObject({ step: 1, files: [{ name: "adapter.bin" }] });
    const file = `/v1/preview/training-jobs/${next.body.id}/files/${again.parent.files[0].sha256}`;
    expect(await (await ask("GET", file)).json()).toBe("bytes");
    expect(
      (await call("GET", `/v1/preview/training-jobs/${next.body.id}/files/${"0".repeat(64)}`)).status,
    ).toBe(404);
    for (const wrong of [{}, { attempt: 1, messages: [] }, { attempt: 1, messages: [{ type: "dance" }] }])
      expect((await call("POST", `/v1/preview/training-jobs/${next.body.id}/messages`, wrong)).status).toBe(
        422,
      );
  });

  test("that falls silent loses its job, even if only a poller is active", async () => {
    const { call, clock, model } = openFixture({ policy: { maxAttempts: 2 } });
    const id = await model("agent");
    const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    const path = `/v1/preview/training-jobs/${job.body.id}`;
    const say = (attempt: number, ...messages: object[]) =>
      call("POST", `${path}/messages`, { attempt, messages });
    await call("POST", "/v1/preview/worker/claim", { worker: "w" });
    clock.advance(20_000);
    await say(1, { type: "heartbeat" });
    clock.advance(10_000);
    expect((await call("GET", path)).body.status).toBe("starting");
    // However far the clock jumps at once, it counts for half a lease: the service itself may have been suspended.
    clock.advance(500_000);
    expect((await call("GET", path)).body.status).toBe("starting");
    clock.advance(10_000);
    expect((await call("GET", path)).body).toMatchObject({ status: "queued", attempt: 1 });
    expect(await say(1, { type: "started", num_sequences: 1 })).toMatchObject({
      status: 409,
      body: { verdict: "owner_lost", stop: true },
    });
    await call("POST", "/v1/preview/worker/claim", { worker: "w" });
    await say(2, { type: "started", num_sequences: 1 });
    for (let i = 0; i < 2; i++) {
      clock.advance(20_000);
      await call("GET", `${path}/events`);
    }
    const { body } = await call("GET", `${path}/events`);
    expect(body.data.at(-1)).toMatchObject({ type: "training_failed", data: { code: "worker_lost" } });
  });

  test("is told to stop when its job is cancelled, and waits for work in one request", async () => {
    const { call, model } = openFixture();
    const id = await model("agent");
    const claiming = call("POST", "/v1/preview/worker/claim?wait=55", { worker: "w" });
    const job = await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS });
    expect((await claiming).body.task.job_id).toBe(job.body.id);
    const path = `/v1/preview/training-jobs/${job.body.id}`;
    await call("POST", `${path}/cancel`);
    const beat = await call("POST", `${path}/messages`, { attempt: 1, messages: [{ type: "heartbeat" }] });
    expect(beat.body).toMatchObject({ verdict: "applied", stop: true });
    const stopped = await call("POST", `${path}/messages`, { attempt: 1, messages: [{ type: "stopped" }] });
    expect(stopped.body).toMatchObject({ state: "cancelled" });
  });
});

describe("authentication", () => {
  test("is required for everything except the health checks", async () => {
    const { call } = openFixture();
    const none = { authorization: "Bearer wrong" };
    for (const [method, path] of [
      ["POST", "/v1/preview/models"],
      ["GET", "/v1/preview/training-jobs/x/events"],
      ["POST", "/v1/preview/worker/claim"],
    ] as const) {
      const refused = await call(method, path, method === "POST" ? {} : undefined, none);
      expect(refused).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
      expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    }
    expect(await call("GET", "/v1/health", undefined, none)).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
    expect(await call("GET", "/v1/system-check/", undefined, none)).toMatchObject({
      status: 200,
      body: {
        api: true,
        database: true,
        cpu_queue: { success: true, duration: 0, errors: [] },
        gpu_queue: { success: true },
      },
    });
  });

  test("is not needed for the system check, which reports failures and runs one at a time", async () => {
    const { service } = openFixture();
    let asked = 0;
    const group = trainingRoutes({
      training: service,
      authenticate: async () => undefined,
      checks: {
        artifacts: async () => {
          asked++;
          throw new Fault("exhausted", "no space left");
        },
        trainers: async () => ["trainer 2 (ray): Ray cannot be reached"],
      },
    });
    const answers = await Promise.all(
      [1, 2].map(() => createHandler({ routes: [group] })(new Request("http://host/v1/system-check"))),
    );
    for (const response of answers) {
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(await response.json()).toMatchObject({
        api: true,
        database: true,
        cpu_queue: { success: false, errors: ["no space left"] },
        gpu_queue: { success: false, errors: ["trainer 2 (ray): Ray cannot be reached"] },
        detail: "cpu_queue: no space left; gpu_queue: trainer 2 (ray): Ray cannot be reached",
        error: { type: "server_error" },
      });
    }
    expect(asked).toBe(1);
  });

  test("hides what belongs to others", async () => {
    const { call, model } = openFixture();
    const id = await model("agent");
    const job = (await call("POST", "/v1/preview/training-jobs", { model_id: id, trajectory_groups: GROUPS }))
      .body.id;
    const b = { authorization: "Bearer key-b" };
    const groups = { model_id: id, trajectory_groups: GROUPS };
    for (const [method, path, body] of [
      ["GET", `/v1/preview/models/${id}`],
      ["DELETE", `/v1/preview/models/${id}`],
      ["GET", `/v1/preview/models/${id}/checkpoints`],
      ["DELETE", `/v1/preview/models/${id}/checkpoints`, { steps: [1] }],
      ["POST", `/v1/preview/models/${id}/log`, { split: "val", trajectory_groups: [] }],
      ["POST", "/v1/preview/models", MODEL],
      ["POST", "/v1/preview/training-jobs", groups],
      ["POST", "/v1/preview/sft-training-jobs", { model_id: id, training_data_url: "file:///x" }],
      ["GET", `/v1/preview/training-jobs/${job}`],
      ["GET", `/v1/preview/training-jobs/${job}/events`],
      ["POST", `/v1/preview/training-jobs/${job}/cancel`],
      [
        "POST",
        `/v1/preview/training-jobs/${job}/messages`,
        { attempt: 1, messages: [{ type: "heartbeat" }] },
      ],
      ["GET", `/v1/preview/training-jobs/${job}/files/${"0".repeat(64)}`],
      ["POST", `/v1/preview/training-jobs/${job}/files`],
    ] as const) {
      expect((await call(method, path, body, b)).status, `${method} ${path}`).toBe(404);
    }
    expect((await call("GET", "/v1/preview/training-jobs", undefined, b)).body).toMatchObject({
      data: [],
      has_more: false,
    });
    expect((await call("GET", "/v1/preview/models", undefined, b)).body.data).toEqual([]);
    // Models have a fixed order: another is refused, not ignored.
    expect((await call("GET", "/v1/preview/models?order=desc", undefined, b)).status).toBe(422);
    // As a list cursor, a foreign id gets the same answer as an id that never existed.
    for (const [list, foreign] of [
      ["models", id],
      ["training-jobs", job],
    ]) {
      const after = async (cursor: string) =>
        JSON.stringify(await call("GET", `/v1/preview/${list}?after=${cursor}`, undefined, b)).replaceAll(
          cursor,
          "ID",
        );
      expect(await after(foreign)).toContain("422");
      expect(await after(foreign)).toBe(await after(crypto.randomUUID()));
      expect((await call("GET", `/v1/preview/${list}?after=${foreign}`)).status).toBe(200);
    }
    expect((await call("POST", "/v1/preview/worker/claim", { worker: "w" }, b)).body.task).toBeNull();
    expect((await call("GET", "/v1/preview/training-jobs?status=queued&order=asc")).body.data).toMatchObject([
      { id: job },
    ]);
    expect((await call("GET", "/v1/preview/training-jobs?status=lost")).status).toBe(422);
  });

  test("does not hide that a path is unknown, or why a body was refused", async () => {
    const { call, ask } = openFixture();
    expect((await call("GET", "/v1/nothing")).body).toMatchObject({
      detail: "there is no route for /v1/nothing",
    });
    const broken = await ask("POST", "/v1/preview/models", undefined, { "content-type": "application/json" });
    expect(broken.status).toBe(422);
    expect(((await broken.json()) as { error: { code: string } }).error.code).toBe("missing");
  });
});
