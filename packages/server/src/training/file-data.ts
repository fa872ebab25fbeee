// Training data on this machine's disk, only in the configured folders.

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault } from "@assay/base";
import type { TrainingData } from "@assay/training-core";

/**
 * Serves `file:` addresses of regular files below `folders`, including through links that stay inside them. Every
 * other address is a `denied` fault, whether the file exists or not.
 */
export function fileData(folders: readonly string[]): TrainingData {
  const within = (path: string, roots: readonly string[]) => roots.some((root) => isBelow(root, path));

  return {
    async open(url) {
      if (!/^file:/i.test(url)) return undefined;
      if (folders.length === 0) {
        throw new Fault("denied", "this server does not read files by address: upload the data instead");
      }
      const outside = new Fault("denied", "the file is not in a folder that training data may be read from");
      const path = pathOf(url);
      if (
        path === undefined ||
        !within(
          path,
          folders.map((folder) => resolve(folder)),
        )
      )
        throw outside;
      try {
        const [real, ...roots] = await Promise.all([path, ...folders].map((one) => realpath(one)));
        if (!within(real!, roots)) throw outside;
        if (!(await stat(real!)).isFile()) throw new Fault("missing", "the address is not a file");
        return createReadStream(real!, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw Fault.from(error, "missing", "no such file");
      }
    },
  };
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}
