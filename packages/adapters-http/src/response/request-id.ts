// The ID of a request, shared by its response, its line in the log and all errors that it causes.

import { Fault } from "@assay/base";
import { asPartOf, inThisContext } from "#request-context";
import { relayed } from "./stream-response.ts";

const HEADER = "X-Request-Id";
/** Excludes characters that could end a line of a log or look like another field of it. */
const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The ID of `request`: its own `X-Request-Id` if that has 1 to 128 letters, digits and `. _ : -` and does not look
 * like a key, so that an ID can be followed through several services; otherwise a random UUID.
 */
export function requestId({ headers }: Request, mayBeKey: (text: string) => boolean): string {
  const sent = headers.get(HEADER);
  return sent !== null && WELL_FORMED.test(sent) && !mayBeKey(sent) ? sent : crypto.randomUUID();
}

/** Answers a request under this ID, which the answer includes. `onError` gets the failure of a body that is sent. */
export async function underId(
  id: string,
  answer: () => Promise<Response>,
  onError: (error: unknown) => void,
): Promise<Response> {
  const response = await asPartOf(id, async () => toTheEnd(await answer(), onError));
  response.headers.set(HEADER, id);
  return response;
}

/**
 * The answer, with its body produced as part of the request: a reader runs outside of it, and errors in the middle of
 * a stream would have no ID.
 */
function toTheEnd(response: Response, onError: (error: unknown) => void): Response {
  const within = inThisContext();
  const report = (error: unknown): never => {
    // Clients end streams too, and so does their key when it is revoked.
    if (!(error instanceof Fault && error.code === "cancelled")) onError(error);
    throw error;
  };
  return relayed(response, (read) => within(() => read().catch(report)));
}
