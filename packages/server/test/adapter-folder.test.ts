// Checkpoints as folders for engines: complete or absent, written once, and never outside their folder.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryArtifactStore } from "@assay/training-core/testing";
import { expect, test } from "vitest";
import { adapterFolder } from "../src/areas/adapter-folder.ts";
import { folder } from "./folder.ts";

async function world() {
  const directory = folder();
  const artifacts = memoryArtifactStore();
  const files = [];
  for (const name of ["adapter_config.json", "adapter_model.safetensors"]) {
    const blob = await artifacts.write([Buffer.from(`the bytes of ${name}`)]);
    files.push({ name, ...blob });
  }
  const checkpoint = { id: "0a1b", files };
  const model = {
    entity: "e",
    project: "p",
    name: "m",
    baseModel: "org/base",
    step: 1,
    createdAt: 0,
    checkpoint,
  };
  return { directory, artifacts, model, place: adapterFolder(artifacts, directory) };
}

test("the files of a checkpoint are in its folder, however many requests arrive at once", async () => {
  const { directory, model, place } = await world();
  const paths = await Promise.all([place(model), place(model), place(model)]);
  expect(new Set(paths)).toEqual(new Set([join(directory, "adapters", "0a1b")]));
  expect(readdirSync(paths[0]!).sort()).toEqual(["adapter_config.json", "adapter_model.safetensors"]);
  expect(readFileSync(join(paths[0]!, "adapter_config.json"), "utf8")).toBe(
    "the bytes of adapter_config.json",
  );
  // Concurrent attempts that lost leave nothing behind.
  expect(readdirSync(join(directory, "adapters"))).toEqual(["0a1b"]);
});

test("an existing folder is not written again", async () => {
  const { model, place } = await world();
  const file = join(await place(model), "adapter_config.json");
  writeFileSync(file, "kept");
  await place(model);
  expect(readFileSync(file, "utf8")).toBe("kept");
});

test("a checkpoint with a missing file leaves no folder behind", async () => {
  const { directory, artifacts, model, place } = await world();
  await artifacts.remove(model.checkpoint.files[1]!.sha256);
  await expect(place(model)).rejects.toMatchObject({ code: "missing" });
  expect(readdirSync(join(directory, "adapters"))).toEqual([]);
});

test.each([
  { id: "../../outside" },
  { id: ".." },
  { id: "0a1b", name: "../../outside" },
  { id: "0a1b", name: "/outside" },
])("a checkpoint whose names lead elsewhere is refused, and nothing is written: %j", async ({ id, name }) => {
  const { directory, model, place } = await world();
  const files = model.checkpoint.files.map((file) => ({ ...file, name: name ?? file.name }));
  await expect(place({ ...model, checkpoint: { id, files } })).rejects.toMatchObject({ code: "corrupt" });
  expect(readdirSync(directory, { recursive: true }).filter((entry) => entry !== "adapters")).toEqual([]);
});
