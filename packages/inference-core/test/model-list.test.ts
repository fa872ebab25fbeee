import { expect, test } from "vitest";
import { catalogueOf, memoryTrainedModels } from "../src/index.ts";
import type { ListedTrainedModel } from "../src/models/memory-trained-models.ts";
import { listModels } from "../src/models/model-list.ts";
import { sayTokens, scriptedProvider } from "../src/testing/index.ts";

const provider = scriptedProvider((call) => sayTokens(call, ["a"]));
const catalogue = catalogueOf([
  { id: "org/trainable", provider, trainedProvider: provider },
  { id: "org/fixed", provider },
]);

const trained = (project: string, name: string, baseModel: string, step: number): ListedTrainedModel => ({
  entity: "team",
  project,
  name,
  baseModel,
  step,
  createdAt: 1000 * step + 500,
  ...(step > 0 && { checkpoint: { id: `${name}${step}`, files: [] } }),
});

const idsOf = async (
  models: readonly ListedTrainedModel[],
  allows = (_entity: string, _project: string) => true,
) =>
  (await listModels(catalogue, memoryTrainedModels(models), { allows, since: 0 })).data.map(({ id }) => id);

test("lists the catalogue, then trained models under the name of their newest step", async () => {
  const models = [1, 2].map((step) => trained("demo", "m", "org/trainable", step));
  expect(
    await listModels(catalogue, memoryTrainedModels(models), { allows: () => true, since: 7999 }),
  ).toEqual({
    object: "list",
    data: [
      ...["org/trainable", "org/fixed"].map((id) => ({
        id,
        object: "model",
        created: 7,
        owned_by: "system",
        root: id,
      })),
      {
        id: "wandb-artifact:///team/demo/m",
        object: "model",
        created: 2,
        owned_by: "team",
        root: "wandb-artifact:///team/demo/m",
        parent: "org/trainable",
      },
    ],
  });
});

test("leaves out models that no engine serves, and those that the caller may not see", async () => {
  const models = [
    trained("demo", "checkpoint-of-a-fixed-one", "org/fixed", 1),
    trained("demo", "untrained", "org/fixed", 0),
    trained("demo", "unknown-base", "org/other", 0),
    trained("secret", "theirs", "org/trainable", 1),
  ];
  expect(await idsOf(models, (_entity, project) => project === "demo")).toEqual([
    "org/trainable",
    "org/fixed",
    "wandb-artifact:///team/demo/untrained",
  ]);
});
