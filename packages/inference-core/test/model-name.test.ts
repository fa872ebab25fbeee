import fc from "fast-check";
import { expect, test } from "vitest";
import { printTrainedModelName, readModelName } from "../src/models/model-name.ts";
import type { Version } from "../src/ports/trained-models.ts";

const trained = (version: Version) => ({
  kind: "trained",
  name: { entity: "team", project: "demo", name: "m", version },
});

test.each<[string, Version]>([
  ["wandb-artifact:///team/demo/m", { kind: "latest" }],
  ["wandb-artifact://team/demo/m", { kind: "latest" }],
  ["wandb-artifact:///team/demo/m:latest", { kind: "latest" }],
  ["wandb-artifact:///team/demo/m:step0", { kind: "step", step: 0 }],
  ["wandb-artifact://team/demo/m:step25", { kind: "step", step: 25 }],
  ["wandb-artifact:///team/demo/m:v3", { kind: "alias", alias: "v3" }],
  ["wandb-artifact:///team/demo/m:step007", { kind: "alias", alias: "step007" }],
  ["wandb-artifact:///team/demo/m:best run", { kind: "alias", alias: "best run" }],
])("%s", (text, version) => {
  expect(readModelName(text)).toEqual(trained(version));
});

test.each([
  "wandb-artifact:",
  "wandb-artifact:/team/demo/m",
  "wandb-artifact:////team/demo/m",
  "wandb-artifact:///team/demo",
  "wandb-artifact:///team/demo/m/more",
  "wandb-artifact:///team//m",
  "wandb-artifact:///team/demo/:step1",
  "wandb-artifact:///team/demo/m:",
  "wandb-artifact:///team/demo/m:a:b",
  "wandb-artifact:///team/de:mo/m",
  "wandb-artifact:///team/demo/m\n",
  `wandb-artifact:///team/demo/${"m".repeat(129)}`,
])("%j is not a name", (text) => {
  expect(readModelName(text)).toBeUndefined();
});

test.each(["org/model", "model", "team/demo/m", "Wandb-Artifact:///a/b/c", ""])(
  "%j is a catalogue id",
  (id) => {
    expect(readModelName(id)).toEqual({ kind: "catalogue", id });
  },
);

test("a printed name parses to the same name", () => {
  const part = fc
    .string({ unit: fc.constantFrom("a", "B", "0", "-", "_", ".", " ", "é"), minLength: 1, maxLength: 9 })
    .filter((name) => name !== "." && name !== "..");
  const version = fc.oneof(
    fc.constant<Version>({ kind: "latest" }),
    fc.nat(999_999_999).map((step): Version => ({ kind: "step", step })),
    part.map((alias): Version => ({ kind: "alias", alias })),
  );
  fc.assert(
    fc.property(fc.record({ entity: part, project: part, name: part, version }), (name) => {
      expect(readModelName(printTrainedModelName(name))).toEqual({ kind: "trained", name });
    }),
  );
});
