// Writes the files of a checkpoint where an engine that loads LoRA adapters can read them: a folder for each
// checkpoint.

import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { plainFileName } from "@assay/base/internal";
import type { TrainedModel } from "@assay/inference-core";
import type { ArtifactStore } from "@assay/training-core";

/**
 * A function that writes a checkpoint into `adapters/<id>` of the data directory, unless it exists, and resolves to
 * that path. It never writes outside that folder, even if a restored store contains unsafe file names. Engines must see
 * the data directory under the same path. The folders can be deleted at any time.
 */
export function adapterFolder(
  artifacts: Pick<ArtifactStore, "read">,
  directory: string,
): (model: TrainedModel) => Promise<string> {
  return async ({ checkpoint }) => {
    if (checkpoint === undefined) throw new Error("a model without a checkpoint has no adapter");
    const folder = join(resolve(directory), "adapters", plainFileName(checkpoint.id));
    if (existsSync(folder)) return folder;
    const partial = `${folder}.${randomUUID()}`;
    await mkdir(partial, { recursive: true });
    try {
      for (const { name, sha256 } of checkpoint.files)
        await pipeline(
          Readable.from(artifacts.read(sha256)),
          createWriteStream(join(partial, plainFileName(name))),
        );
      // Renamed into place, so that an engine never finds half an adapter. Another request may have written it first.
      await rename(partial, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return folder;
  };
}
