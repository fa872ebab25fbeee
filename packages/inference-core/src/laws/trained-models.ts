// The laws of trained models: a name means one checkpoint, or nothing.

import type { Law, Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { TrainedModelEntry, TrainedModels, Version } from "../ports/trained-models.ts";

/**
 * The laws of `TrainedModels`. Each time, `open` creates one that has, in `team/demo`, the model `trained` of
 * `org/base` with checkpoints at steps 1 and 2, and the model `fresh` of `org/base`, which was never trained.
 */
export function trainedModelsLaws(open: Open<TrainedModels>): readonly Law[] {
  const law = lawsFor(open);
  const find = (models: TrainedModels, name: string, version: Version, project = "demo") =>
    models.find({ entity: "team", project, name, version });
  return [
    law("a step finds that step", async (models) => {
      for (const step of [1, 2]) {
        const model = await find(models, "trained", { kind: "step", step });
        expectSame([model?.step, model?.baseModel, model?.name], [step, "org/base", "trained"], "model");
        expectThat(model?.checkpoint !== undefined, "it has a checkpoint");
      }
    }),

    law("different steps have different checkpoints", async (models) => {
      const one = await find(models, "trained", { kind: "step", step: 1 });
      const two = await find(models, "trained", { kind: "step", step: 2 });
      expectThat(one?.checkpoint?.id !== two?.checkpoint?.id, "their ids differ");
    }),

    law("latest is the newest step", async (models) => {
      expectSame((await find(models, "trained", { kind: "latest" }))?.step, 2, "step");
    }),

    law("an untrained model is at step 0, without a checkpoint", async (models) => {
      const versions: Version[] = [{ kind: "latest" }, { kind: "step", step: 0 }];
      for (const version of versions) {
        const model = await find(models, "fresh", version);
        expectSame([model?.step, model?.baseModel], [0, "org/base"], version.kind);
        expectThat(model?.checkpoint === undefined, "it has no checkpoint");
      }
    }),

    law("an unknown model or step is undefined, not something else", async (models) => {
      const missing = await Promise.all([
        find(models, "trained", { kind: "step", step: 3 }),
        find(models, "trained", { kind: "alias", alias: "no-such-alias" }),
        find(models, "unknown", { kind: "latest" }),
        find(models, "trained", { kind: "latest" }, "elsewhere"),
        find(models, "fresh", { kind: "step", step: 1 }),
      ]);
      expectThat(
        missing.every((model) => model === undefined),
        "all are undefined",
      );
    }),

    law("every model is listed once, at its newest step", async (models) => {
      const entries: TrainedModelEntry[] = [];
      for await (const entry of models.list()) entries.push(entry);
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      const common = { entity: "team", project: "demo", baseModel: "org/base" };
      const expected = [
        { ...common, name: "fresh", step: 0 },
        { ...common, name: "trained", step: 2 },
      ];
      expectSame(
        entries.map(({ createdAt: _, ...entry }) => entry),
        expected,
        "entries",
      );
      for (const { name, createdAt } of entries) {
        const found = await models.find({ ...common, name, version: { kind: "latest" } });
        expectSame(found?.createdAt, createdAt, `the time of ${name}`);
      }
    }),
  ];
}
