// Reads and deletes the latest responses, and refuses what clients ask for about others.

import type { Caller } from "@assay/inference-core";
import type { LatestResponses } from "@assay/inference-core/internal";
import { unread } from "./problem.ts";

const NOT_KEPT =
  "there is no such response: only the latest are kept, in memory, for the API key that requested them, and unless store is false";

/** Shows a response that is still kept. */
export function getResponse(latest: LatestResponses, { key }: Caller, id: string): Response {
  const found = latest.find(key, id);
  return found === undefined ? unread(404, NOT_KEPT) : Response.json(found);
}

/** Forgets a response. */
export function deleteResponse(latest: LatestResponses, { key }: Caller, id: string): Response {
  if (!latest.forget(key, id)) return unread(404, NOT_KEPT);
  return Response.json({ id, object: "response", deleted: true });
}

/** The paths of what is not stored, in the router's notation, with the status and the reason. */
export const NOT_STORED: readonly (readonly [path: string, status: number, reason: string])[] = [
  [
    "/v1/responses/:id/cancel",
    400,
    "only responses in the background can be cancelled, and there are none here",
  ],
  [
    "/v1/responses/:id/input_items",
    404,
    "the input of a response is not stored as items: keep what you send",
  ],
  [
    "/v1/chat/completions/:id{.+}",
    404,
    "chat completions are not stored here, also with store: true: POST /v1/responses keeps its latest responses",
  ],
];
