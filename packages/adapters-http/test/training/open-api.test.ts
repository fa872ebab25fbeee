// The OpenAPI document describes training correctly: every path is answered, and answers conform to it.

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApiPart } from "../../src/openapi/open-api.ts";
import { GROUPS, openFixture, twoSteps } from "./fixture.ts";

const part = openApiPart(openFixture().group);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "https://assay.test/openapi.json", components: { schemas: part.schemas } });
const conforms = (name: string, value: unknown): string => {
  const validate = ajv.getSchema(`https://assay.test/openapi.json#/components/schemas/${name}`)!;
  return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
};

const PREVIEW = "/v1/preview";
const MODEL = { entity: "team-a", project: "p", name: "agent", base_model: "tiny" };

test("every reference resolves, and every path is answered", async () => {
  for (const [, name] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    expect(part.schemas).toHaveProperty(name!);
  const { call } = openFixture();
  for (const [path, methods] of Object.entries(part.paths))
    for (const method of Object.keys(methods as object)) {
      const { body } = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"));
      expect(`${path} ${JSON.stringify(body)}`).not.toContain("there is no route for");
    }
});

test("answers conform to it, and so do refusals", async () => {
  const { call, training, artifacts, eventsOf } = openFixture();
  const asked = async (schema: string, method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    expect([path, answer.status, conforms(schema, answer.body)]).toEqual([path, 200, "conforms"]);
    return answer.body;
  };
  const model = (await asked("TrainingModel", "POST", `${PREVIEW}/models`, MODEL)) as { id: string };
  const at = `${PREVIEW}/models/${model.id}`;
  const wish = { model_id: model.id, trajectory_groups: GROUPS };
  await training(twoSteps(artifacts), async () => {
    const job = (await asked("TrainingJob", "POST", `${PREVIEW}/training-jobs`, wish)) as { id: string };
    await eventsOf(job.id);
    await asked("TrainingJob", "GET", `${PREVIEW}/training-jobs/${job.id}`);
    await asked("TrainingJobEventList", "GET", `${PREVIEW}/training-jobs/${job.id}/events?include=all`);
  });
  await asked("TrainingJobList", "GET", `${PREVIEW}/training-jobs`);
  await asked("TrainingModel", "GET", at);
  await asked("TrainingModelList", "GET", `${PREVIEW}/models`);
  await asked("CheckpointList", "GET", `${at}/checkpoints`);
  await asked("CheckpointDetails", "GET", `${at}/checkpoints/1`);
  await asked("Logged", "POST", `${at}/log`, { split: "val", trajectory_groups: GROUPS });
  await asked("DeletedCheckpoints", "DELETE", `${at}/checkpoints`, { steps: [1, 9] });
  await asked("DeletedModel", "DELETE", at);
  await asked("SystemCheck", "GET", "/v1/system-check");
  for (const [method, path, body] of [
    ["GET", at, undefined],
    ["POST", `${PREVIEW}/models`, {}],
  ] as const)
    expect(conforms("Refusal", (await call(method, path, body)).body)).toBe("conforms");
});

test("a request is accepted exactly if it conforms", async () => {
  const { call, model } = openFixture();
  const model_id = await model("agent");
  const requests: readonly (readonly [string, string, unknown])[] = [
    ["ModelRequest", "models", { ...MODEL, name: "other" }],
    ["ModelRequest", "models", { ...MODEL, name: 3 }],
    ["ModelRequest", "models", { project: "p", name: "n" }],
    ["ModelRequest", "models", { entity: null, project: null, name: null, base_model: "tiny" }],
    ["RlRequest", "training-jobs", { model_id, trajectory_groups: GROUPS, experimental_config: null }],
    ["RlRequest", "training-jobs", { model_id, trajectory_groups: GROUPS, experimental_config: { ppo: 1 } }],
    ["RlRequest", "training-jobs", { model_id, trajectory_groups: [{ trajectories: [{ reward: "1" }] }] }],
    ["RlRequest", "training-jobs", { model_id, trajectory_groups: [] }],
    ["SftRequest", "sft-training-jobs", { model_id, training_data_url: "" }],
    ["SftRequest", "sft-training-jobs", { model_id, training_data_url: "x", config: { batch_size: 0 } }],
    ["LogRequest", `models/${model_id}/log`, { split: "val", trajectory_groups: GROUPS }],
    ["LogRequest", `models/${model_id}/log`, { split: "", trajectory_groups: [] }],
  ];
  for (const [schema, path, body] of requests) {
    const { status } = await call("POST", `${PREVIEW}/${path}`, body);
    expect([schema, body, conforms(schema, body) === "conforms"]).toEqual([schema, body, status === 200]);
  }
});
