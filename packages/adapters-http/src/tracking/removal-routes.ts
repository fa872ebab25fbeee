// Deletes a run or a version of an artifact without W&B's clients.

import { detailResponse } from "../response/problem.ts";
import type { Handlers } from "../routing/operation.ts";
import type { TrackingParts } from "./run-routes.ts";

/** The dependencies of the handlers that delete. */
interface RemovalParts extends TrackingParts {
  /** Rewrites files without deleted data. */
  readonly erase: (() => Promise<void>) | undefined;
}

/** `DELETE /v2/{entity}/{project}/runs/{run}`, and `…/artifacts/{name}:{version or alias}`. */
export function removalHandlers({ tracking, handle, erase }: RemovalParts): Handlers {
  const removing = (
    what: "run" | "artifact",
    parameter: string,
    remove: (
      project: { readonly entity: string; readonly project: string },
      name: string,
    ) => Promise<Removed>,
  ) =>
    handle(async ({ param }, principal) => {
      const [entity, project, name] = [param("entity"), param("project"), param(parameter)];
      const removed = principal.allows(entity, project) ? await remove({ entity, project }, name) : "missing";
      if (removed === "missing") return detailResponse({ status: 404, detail: `there is no such ${what}` });
      if (removed !== "removed") return detailResponse({ status: 409, detail: removed.why });
      await erase?.();
      return Response.json({ name, deleted: true });
    });

  return {
    deleteRun: removing("run", "run", async (project, name) =>
      (await tracking.deleteRun({ ...project, name })) ? "removed" : "missing",
    ),
    deleteArtifact: removing("artifact", "name", async (project, name) => {
      // A bare name would mean its newest version, and a deletion must not guess.
      const found = name.includes(":") ? await tracking.findArtifact(project, name) : undefined;
      if (found === undefined) return "missing";
      const deleted = await tracking.deleteArtifact(found.artifact.id, { withAliases: true });
      if (deleted === undefined) return "missing";
      return deleted.ok ? "removed" : { why: deleted.issues[0]!.message };
    }),
  };
}

/** The result; `why` it was not deleted. */
type Removed = "removed" | "missing" | { readonly why: string };
