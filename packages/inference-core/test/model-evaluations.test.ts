// Which evaluations belong to a trained model.

import { expect, test } from "vitest";
import { evaluationsOfModel } from "../src/index.ts";

const MODEL = { entity: "team", project: "demo", name: "owl-1a2b", baseModel: "assay/tiny" };
const NAME = "wandb-artifact:///team/demo/owl-1a2b";

test("evaluations belong to a model by its name, in any notation, or by an object that names it", async () => {
  const named = [
    `${NAME}:step3`,
    "wandb-artifact://team/demo/owl-1a2b:v4",
    NAME,
    `${NAME}:live`,
    "ft:assay/tiny:team/demo:owl:1a2b:ckpt-step-5",
    "weave:///team/demo/object/Agent:abc",
    "weave:///team/demo/object/Agent:abc",
  ];
  const others = [
    null,
    "assay/tiny",
    "wandb-artifact:///team/demo/owl:step3",
    "wandb-artifact:///other/demo/owl-1a2b:step3",
    "wandb-artifact:",
    "ft:assay/other:team/demo:owl:1a2b",
    "weave:///team/demo/object/Nothing:abc",
    "weave:///team/demo/object/Other:abc",
  ];
  const asked: (readonly string[])[] = [];
  const found = await evaluationsOfModel(
    [...named, ...others].map((model, id) => ({ id, model })),
    MODEL,
    async (refs) => {
      asked.push(refs);
      return refs.map((ref) => {
        if (ref.includes("Nothing")) return null;
        const name = ref.includes("Other") ? "wandb-artifact:///team/demo/other" : `${NAME}:step6`;
        return { _type: "Agent", system: "Be brief.", temperature: 0, model_name: name };
      });
    },
  );
  expect(found.map(({ evaluation }) => evaluation.id)).toEqual(named.map((_, id) => id));
  expect(found.map(({ version }) => version)).toEqual([
    { kind: "step", step: 3 },
    { kind: "alias", alias: "v4" },
    { kind: "latest" },
    { kind: "alias", alias: "live" },
    { kind: "step", step: 5 },
    { kind: "step", step: 6 },
    { kind: "step", step: 6 },
  ]);
  expect(asked.map((refs) => refs.length)).toEqual([3]);
});
