// The scratch file of an import: its bytes can be read back, and the file disappears whenever its process ends.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryScratch } from "../src/files/temporary-scratch.ts";

test("bytes can be read back at any position, and the file cannot be found by name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const scratch = temporaryScratch();
  await scratch.append(Uint8Array.of(1, 2, 3));
  await scratch.append(Uint8Array.of(4, 5));
  const read = async (start: number, length: number) => {
    const into = new Uint8Array(length);
    await scratch.read(start, into);
    return [...into];
  };
  expect(await read(1, 3)).toEqual([2, 3, 4]);
  await scratch.append(Uint8Array.of(6));
  expect(await read(4, 2)).toEqual([5, 6]);
  if (process.platform !== "win32") expect(readdirSync(folder)).toEqual([]);
  await scratch.close();
  expect(readdirSync(folder)).toEqual([]);
});
