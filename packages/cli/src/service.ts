// The HTTP interface of a data directory as a command sees it, wherever it is, and how a question is put to it.

import { Fault, type FaultCode } from "@assay/base";
import type { Prices } from "@assay/inference-core";
import type { OpenOptions } from "./open-data.ts";

/** Which data, and what to serve with it. */
export interface ServiceOptions extends OpenOptions {
  /** File of the upstreams, used when no server has the directory open. */
  readonly upstreams: string | undefined;
  /** What tokens cost, where no server has the directory open. */
  readonly prices?: Prices | undefined;
}

/** What to ask. */
export interface Question {
  /** Default: GET. */
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: { readonly [name: string]: string };
  /** Ends the answer when it aborts. */
  readonly signal?: AbortSignal;
}

/** The interface, wherever it is. */
export interface Service {
  /** Where it is, for a person: a directory or an address. */
  readonly where: string;
  /** Asks. Throws a `Fault` with the server's words when the answer is not a 2xx. */
  ask(path: string, question?: Question): Promise<Response>;
  /** Lets go of the data. */
  close(): Promise<void>;
}

/** Sends a question through `send`, and judges the answer. */
export async function asked(
  send: (request: Request) => Promise<Response>,
  url: string,
  path: string,
  { method = "GET", body, headers = {}, signal }: Question = {},
  more: { readonly [name: string]: string } = {},
): Promise<Response> {
  const request = new Request(`${url}${path}`, {
    method,
    headers: { ...more, ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  let response: Response;
  try {
    response = await send(request);
  } catch (error) {
    if (signal?.aborted) throw new Fault("cancelled", "stopped", { cause: error });
    throw new Fault("unavailable", `the server at ${url} does not answer`, { cause: error });
  }
  if (response.ok) return response;
  if (response.status === 401)
    throw new Fault("denied", `the server at ${url} asks for a key: set ASSAY_API_KEY, or --api-key`);
  throw new Fault(CODES.get(response.status) ?? "unavailable", await wordsOf(response));
}

const CODES: ReadonlyMap<number, FaultCode> = new Map([
  [403, "denied"],
  [404, "missing"],
  [422, "conflict"],
]);

/** What an answer says is wrong. */
async function wordsOf(response: Response): Promise<string> {
  try {
    const { error, detail } = (await response.json()) as {
      readonly error?: { readonly message?: unknown };
      readonly detail?: unknown;
    };
    if (typeof error?.message === "string") return error.message;
    if (typeof detail === "string") return detail;
  } catch {
    // Not an answer of ours.
  }
  return `the server answered ${response.status} and did not say why`;
}
