// The disk quota of a project's files. Bytes are counted as they arrive, after decompression, because a small
// compressed body can be large.

import { bad, type Result } from "@assay/base";
import type { TrackingServiceParts } from "../ports/context.ts";
import type { ProjectName } from "../run/run.ts";

/** The default quota of the files of one project, in GiB. */
const PROJECT_GIB = 100;

/** Counts the bytes of uploads against the quota of their project. */
export interface ProjectQuota {
  /**
   * The result of `save` for `bytes`. They are cut off where they would exceed the project's quota: the issue `quota`.
   * Concurrent uploads are counted together.
   */
  keep<T>(
    project: ProjectName,
    bytes: AsyncIterable<Uint8Array>,
    save: (bytes: AsyncIterable<Uint8Array>) => Promise<Result<T> | undefined>,
  ): Promise<Result<T> | undefined>;
}

/** Aborts an upload. */
class OverQuota extends Error {}

/** The quotas of projects whose files are in `store`. */
export function projectQuota({
  store,
  projectBytes = PROJECT_GIB * 2 ** 30,
}: Pick<TrackingServiceParts, "store" | "projectBytes">): ProjectQuota {
  /** For projects with running uploads: the number of uploads, and the bytes of the project including theirs. */
  const projects = new Map<string, { uploads: number; used: Promise<number>; came: number }>();
  return {
    async keep(project, bytes, save) {
      const name = `${project.entity}/${project.project}`;
      const own = projects.get(name) ?? { uploads: 0, used: store.fileBytes(project), came: 0 };
      projects.set(name, own);
      own.uploads++;
      let size = 0;
      async function* counted(): AsyncIterable<Uint8Array> {
        const used = await own.used;
        for await (const piece of bytes) {
          size += piece.length;
          own.came += piece.length;
          if (used + own.came > projectBytes) throw new OverQuota();
          yield piece;
        }
      }
      let isKept = false;
      try {
        const kept = await save(counted());
        isKept = kept?.ok === true;
        return kept;
      } catch (error) {
        if (!(error instanceof OverQuota)) throw error;
        const message = `this file would exceed the quota of ${name}, ${gibibytes(projectBytes)} GiB of files (assay serve --project-storage): delete runs or artifacts that it does not need`;
        return bad([{ code: "quota", path: [], message }]);
      } finally {
        if (!isKept) own.came -= size;
        if (--own.uploads === 0) projects.delete(name);
      }
    },
  };
}

function gibibytes(bytes: number): string {
  return (bytes / 2 ** 30).toLocaleString("en", { maximumFractionDigits: 3 });
}
