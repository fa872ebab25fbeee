// What only files can get wrong: damage, names that are paths, and leftovers.

import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { expect, test } from "vitest";
import { type FileArtifacts, fileArtifacts } from "../../src/training/artifacts.ts";
import { freshDirectory } from "../support.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const bytes = (text: string) => new TextEncoder().encode(text);

async function read(artifacts: FileArtifacts, name: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of artifacts.read(name)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const codeOf = (error: unknown): string => (error instanceof Fault ? error.code : String(error));

test("a blob is a file named by its digest, and survives reopening the directory", async () => {
  const directory = freshDirectory();
  await fileArtifacts(directory).write([bytes("abc")]);
  expect(readFileSync(join(directory, "ba", ABC), "utf8")).toBe("abc");
  expect(readdirSync(join(directory, "unfinished"))).toEqual([]);
  expect(await read(fileArtifacts(directory), ABC)).toBe("abc");
});

test("a damaged blob is corrupt to read, is not found, and is repaired by writing it again", async () => {
  const directory = freshDirectory();
  const artifacts = fileArtifacts(directory);
  await artifacts.write([bytes("abc")]);
  writeFileSync(join(directory, "ba", ABC), "abd");
  expect(await read(artifacts, ABC).catch(codeOf)).toBe("corrupt");
  expect(await artifacts.find(ABC)).toBeUndefined();
  await artifacts.write([bytes("abc")]);
  expect(await read(artifacts, ABC)).toBe("abc");
});

test("the last piece of a damaged blob is never returned", async () => {
  const directory = freshDirectory();
  const artifacts = fileArtifacts(directory);
  const { sha256, size } = await artifacts.write([Buffer.alloc(2_000_000, 7)]);
  const path = join(directory, sha256.slice(0, 2), sha256);
  const damaged = readFileSync(path);
  damaged[1_999_999] = 8;
  writeFileSync(path, damaged);
  let given = 0;
  const reading = async () => {
    for await (const piece of artifacts.read(sha256)) given += piece.length;
  };
  expect(await reading().catch(codeOf)).toBe("corrupt");
  expect(given).toBeLessThan(size);
});

test("a name that is not a digest is never used as a path", async () => {
  const directory = freshDirectory();
  writeFileSync(join(directory, "secret"), "x");
  const artifacts = fileArtifacts(join(directory, "artifacts"));
  await artifacts.write([bytes("abc")]);
  for (const name of ["../secret", `ba/${ABC}`, ABC.toUpperCase(), "", "..", "a\0"]) {
    expect(await read(artifacts, name).catch(codeOf)).toBe("missing");
    expect(await artifacts.find(name)).toBeUndefined();
    await artifacts.remove(name);
  }
  expect(readFileSync(join(directory, "secret"), "utf8")).toBe("x");
});

test("the sweep removes old unused blobs and leftovers of killed writers, and nothing else", async () => {
  const directory = freshDirectory();
  const artifacts = fileArtifacts(directory);
  const [used, unused, young] = await Promise.all(
    ["used", "unused", "young"].map(async (text) => (await artifacts.write([bytes(text)])).sha256),
  );
  const old = (path: string) => utimesSync(path, 1000, 1000);
  for (const name of [used!, unused!]) old(join(directory, name.slice(0, 2), name));
  writeFileSync(join(directory, "unfinished", "left"), "x");
  old(join(directory, "unfinished", "left"));
  mkdirSync(join(directory, "zz"));
  writeFileSync(join(directory, "zz", "notes.txt"), "somebody's own");
  old(join(directory, "zz", "notes.txt"));

  expect(await artifacts.sweep(async (name) => name === used, 2_000_000)).toBe(2);
  expect(await artifacts.find(used!)).toBeDefined();
  expect(await artifacts.find(young!)).toBeDefined();
  expect(await artifacts.find(unused!)).toBeUndefined();
  expect(readdirSync(join(directory, "unfinished"))).toEqual([]);
  expect(readFileSync(join(directory, "zz", "notes.txt"), "utf8")).toBe("somebody's own");
  expect(await fileArtifacts(join(directory, "never made")).sweep(async () => false, 0)).toBe(0);
});

test("a check leaves nothing behind, and fails if nothing can be stored", async () => {
  const directory = freshDirectory();
  await fileArtifacts(directory).check();
  expect(readdirSync(join(directory, "unfinished"))).toEqual([]);
  writeFileSync(join(directory, "file"), "");
  expect(
    await fileArtifacts(join(directory, "file", "artifacts"))
      .check()
      .catch(codeOf),
  ).toBe("unavailable");
});
