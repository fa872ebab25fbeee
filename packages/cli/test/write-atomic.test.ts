// The messages when an output file cannot be written.

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAtomic } from "../src/files/write-atomic.ts";
import type { CliContext } from "../src/terminal/cli-context.ts";
import { explained } from "../src/terminal/failure.ts";
import { folder } from "./run-in-process.ts";

/** The message when `write` fails to write an output file. */
const messageOf = (path: string, write: Parameters<typeof writeAtomic>[2]) =>
  writeAtomic({} as CliContext, path, write).then(
    () => undefined,
    (error: unknown) => explained(error).message,
  );

test("the fault of a write to an open file names the file and where temporary files are", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  const path = join(folder(), "rows.csv");
  expect(await messageOf(path, () => Promise.reject(full))).toBe(
    `${path} or a temporary file in ${tmpdir()}: no space left on the disk`,
  );
  expect(explained(Object.assign(new Error(), { code: "ENOSPC", syscall: "write" })).message).toBe(
    `no space left on the disk (temporary files are in ${tmpdir()})`,
  );
});

test("a path below a file is reported as given", async () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  const write = (stream: NodeJS.WritableStream) =>
    new Promise<void>((_, reject) => void stream.once("error", reject));
  expect(await messageOf(join(file, "rows.csv"), write)).toBe(
    `${join(file, "rows.csv")}: a part of the path is not a directory`,
  );
});
