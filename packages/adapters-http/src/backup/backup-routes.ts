// A backup of the whole store over HTTP, for keys with access to everything.

import { refusedUnlessAdmin } from "../auth/require-admin.ts";
import { KEY_REQUIRED } from "../auth/www-authenticate.ts";
import type { Authenticate } from "../request/principal.ts";
import { detailResponse } from "../response/problem.ts";
import { streamResponse } from "../response/stream-response.ts";
import { type Answer, type Operations, routesOf } from "../routing/operation.ts";
import { detailAnswers } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { type ArchivedFile, tarOf } from "./tar.ts";

/** Options of the backup routes. */
export interface BackupRoutesOptions {
  /** The files of a backup as of now. Absent: the route answers 501. */
  readonly backup?: (() => AsyncIterable<ArchivedFile>) | undefined;
  /** Authenticates requests. */
  readonly authenticate: Authenticate;
  /** Called with every error that was answered with a 5xx. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Taking a backup. The handler checks that the key has access to everything, so any verb passes. */
const OPERATIONS: Operations = {
  backup: {
    method: "GET",
    path: "/v1/backup",
    summary: "Back up the data directory as of one moment, while the server runs.",
    description:
      "A tar archive whose last file, `backup.json`, lists the others with lengths and SHA-256 digests; without it the archive is incomplete. `assay backup` downloads and verifies it, and `assay restore` restores it. Needs a key for everything.",
    answers: {
      "200": {
        description: "The archive.",
        content: { "application/x-tar": { schema: { type: "string" } } },
      },
      ...detailAnswers([401, 403, 500, 501, 503]),
    },
    verbs: [],
    stream: "large",
  },
};

/** `GET /v1/backup`: a tar archive. It slows other requests only through the disk. */
export function backupRoutes({ backup, authenticate, onError }: BackupRoutesOptions): RouteGroup {
  const answer: Answer = async ({ request }) => {
    const principal = await authenticate(request);
    if (principal === undefined) return detailResponse(KEY_REQUIRED);
    const detail = refusedUnlessAdmin(principal, "take a backup");
    if (detail !== undefined) return detailResponse({ status: 403, detail });
    if (backup === undefined)
      return detailResponse({ status: 501, detail: "this server's stores cannot be backed up" });
    return streamResponse(tarOf(backup(), new Date()), "application/x-tar");
  };
  return { routes: routesOf(OPERATIONS, { backup: answer }), refuse: detailResponse, onError };
}
