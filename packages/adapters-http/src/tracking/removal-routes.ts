// Deleting a run or a version of an artifact, for those who ask without W&B's clients.

import { detailResponse } from "../problem.ts";
import type { TrackingRoutes } from "./run-routes.ts";

/** What these routes are made of. */
interface RemovalRoutes extends TrackingRoutes {
  /** Writes files anew, so that nothing of what was deleted is left in them. */
  readonly erase: (() => Promise<void>) | undefined;
}

/** `DELETE /v2/{entity}/{project}/runs/{run}`, and `…/artifacts/{name}:{version or alias}`. */
export function removalRoutes({ app, tracking, handle, erase }: RemovalRoutes): void {
  const removing = (
    what: string,
    remove: (
      project: { readonly entity: string; readonly project: string },
      name: string,
    ) => Promise<Removed>,
  ) =>
    handle(async ({ req }, principal) => {
      const { entity = "", project = "", name = "" } = req.param() as Record<string, string>;
      const removed = principal.allows(entity, project) ? await remove({ entity, project }, name) : "missing";
      if (removed === "missing") return detailResponse({ status: 404, detail: `there is no such ${what}` });
      if (removed !== "removed") return detailResponse({ status: 409, detail: removed.why });
      await erase?.();
      return Response.json({ name, deleted: true });
    });

  app.delete(
    "/v2/:entity/:project/runs/:name",
    removing("run", async (project, name) =>
      (await tracking.deleteRun({ ...project, name })) ? "removed" : "missing",
    ),
  );
  app.delete(
    "/v2/:entity/:project/artifacts/:name",
    removing("artifact", async (project, name) => {
      // A name alone would mean its newest version, and what is deleted is not to be guessed.
      const found = name.includes(":") ? await tracking.findArtifact(project, name) : undefined;
      if (found === undefined) return "missing";
      const deleted = await tracking.deleteArtifact(found.artifact.id, { withAliases: true });
      if (deleted === undefined) return "missing";
      return deleted.ok ? "removed" : { why: deleted.issues[0]!.message };
    }),
  );
}

/** What became of it; `why` it stays. */
type Removed = "removed" | "missing" | { readonly why: string };
