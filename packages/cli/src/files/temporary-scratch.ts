// Disk space for import data that does not fit in memory: a private file that disappears with the process.

import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scratch } from "@assay/importers/internal";

/** A scratch whose file is created on first use. */
export function temporaryScratch(): Scratch & { close(): Promise<void> } {
  let handle: FileHandle | undefined;
  let folder: string | undefined;

  const opened = async (): Promise<FileHandle> => {
    folder = await mkdtemp(join(tmpdir(), "assay-import-"));
    const path = join(folder, "held");
    handle = await open(path, "wx+", 0o600);
    // If possible, the open file is unlinked immediately, so that a killed process leaves no file.
    if (process.platform !== "win32") await removed();
    return handle;
  };

  const removed = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    folder = undefined;
  };

  return {
    async append(bytes) {
      await (handle ?? (await opened())).appendFile(bytes);
    },
    async read(start, into) {
      for (let done = 0; done < into.length; ) {
        const { bytesRead } = await handle!.read(into, done, into.length - done, start + done);
        if (bytesRead === 0) throw new Error("temporary files of the import are gone");
        done += bytesRead;
      }
    },
    async close() {
      await handle?.close();
      await removed();
    },
  };
}
