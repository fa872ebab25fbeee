// The HTTP interface of a data directory for commands: that of the server that has it open or, when none has, the
// same interface in this process, without a socket. So a command is written once.

import { lockHolder } from "@assay/adapters-duckdb";
import { Fault, type FaultCode } from "@assay/base";
import type { OpenOptions } from "./open-data.ts";
import type { World } from "./world.ts";

/** Which data, and what to serve with it. */
export interface ServiceOptions extends OpenOptions {
  /** File of the upstreams, used when no server has the directory open. */
  readonly upstreams: string | undefined;
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

/** Opens the interface of a data directory. Throws a `conflict` fault when another program than a server has it. */
export async function openService(world: World, options: ServiceOptions): Promise<Service> {
  const address = lockHolder(options.data)?.address;
  if (address !== undefined) return remoteService(address, options.apiKey);
  // Loaded only when it is needed: it brings the stores and the engines.
  const { localService } = await import("./local-service.ts");
  return localService(world, options);
}

/** The interface of the server at `url`. */
function remoteService(url: string, apiKey: string | undefined): Service {
  const headers = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  return {
    where: url,
    ask: (path, question) => asked((request) => fetch(request), url, path, question, headers),
    async close() {},
  };
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
    const { error } = (await response.json()) as { readonly error?: { readonly message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not an answer of ours.
  }
  return `the server answered ${response.status} and did not say why`;
}
