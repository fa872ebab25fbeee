// The training store and the artifacts run the laws of their ports.

import { join } from "node:path";
import { artifactStoreLaws, trainingStoreLaws } from "@assay/training-core/laws";
import { describe, test } from "vitest";
import { fileArtifacts } from "../../src/training/artifacts.ts";
import { trainingStore } from "../../src/training/store.ts";
import { freshDirectory, openFresh } from "../support.ts";

describe("trainingStore", () => {
  const laws = trainingStoreLaws(async () => trainingStore((await openFresh()).database));
  for (const { name, run } of laws) test(name, run);
});

describe("fileArtifacts", () => {
  const laws = artifactStoreLaws(() => fileArtifacts(join(freshDirectory(), "artifacts")));
  for (const { name, run } of laws) test(name, run);
});
