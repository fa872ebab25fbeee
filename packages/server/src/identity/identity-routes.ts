// The route where a server proves to a command that it has a data directory open.

import { type Answer, type Operations, type RouteGroup, routesOf } from "@assay/adapters-http";
import { PROOF_PATH, proofOf } from "./server-identity.ts";

const OPERATIONS: Operations = {
  serverProof: {
    method: "GET",
    path: PROOF_PATH,
    unlisted: "only commands call it, before they send a key to a server",
    summary: "Proves that this server wrote the note of the data directory's lock.",
    key: "none",
    parameters: [{ name: "challenge", in: "query", required: true, schema: { type: "string" } }],
    verbs: [],
  },
};

/**
 * `GET /v1/server-proof?challenge=…`: proves to a command that this server wrote the note in the lock file. It needs
 * no key.
 */
export function identityRoutes(secret: string): RouteGroup {
  const serverProof: Answer = ({ query }) => {
    const challenge = query.get("challenge") ?? "";
    if (/^[\w-]{16,128}$/.test(challenge)) return Response.json({ proof: proofOf(secret, challenge) });
    const msg = "challenge is 16 to 128 letters, digits, - or _";
    return Response.json(
      { detail: [{ loc: ["query", "challenge"], msg, type: "value_error" }] },
      { status: 422 },
    );
  };
  return { routes: routesOf(OPERATIONS, { serverProof }) };
}
