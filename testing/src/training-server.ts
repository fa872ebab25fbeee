// The built command's server, with the requests of training clients.

import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type AssayServer, startAssay } from "./server.ts";

/** A running server. */
export interface Served extends AssayServer {
  /** Sends a request below `/v1/preview`; rejects if the server refuses it. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The bytes at a path below `/v1/preview`. */
  bytes(path: string): Promise<Uint8Array>;
}

/** Serves `directory` on a free port until the test ends; resolves when the server responds. */
export function serve(directory: string, ...args: readonly string[]): Promise<Served> {
  return serveUntil(onTestFinished, directory, ...args);
}

/** Serves `directory` until the function passed to `whenOver` is called. */
export async function serveUntil(
  whenOver: (end: () => void) => void,
  directory: string,
  ...args: readonly string[]
): Promise<Served> {
  const server = await startAssay(directory, {
    args,
    // Its trainers are local programs and need the environment.
    inherit: true,
    env: { ASSAY_API_KEY: "", ASSAY_TRAINING: "" },
    cwd: fileURLToPath(new URL("../../packages/cli", import.meta.url)),
  });
  whenOver(() => void server.stop("SIGKILL"));

  const request = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const text = typeof body === "string";
    const response = await fetch(`${server.url}/v1/preview${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": text ? "application/x-ndjson" : "application/json" },
        body: text ? body : JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    ...server,
    ask: async (...of) => (await request(...of)).json(),
    bytes: async (path) => new Uint8Array(await (await request("GET", path)).arrayBuffer()),
  };
}

/** A job as clients see it. */
export interface JobView {
  readonly id: string;
  readonly status: string;
  readonly attempt: number;
  readonly progress: { readonly step: number; readonly total: number | null };
  readonly finished_at: string | null;
  readonly checkpoint_step: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Follows the events of a job until it ends, as a client does. */
export async function jobEnd({ ask }: Pick<Served, "ask">, id: string): Promise<JobView> {
  let after = "";
  for (;;) {
    const page = await ask<{ data: readonly { id: string; type: string }[] }>(
      "GET",
      `/training-jobs/${id}/events?wait=20${after && `&after=${after}`}`,
    );
    const last = page.data.at(-1);
    if (last?.type === "training_ended" || last?.type === "training_failed")
      return ask("GET", `/training-jobs/${id}`);
    after = last?.id ?? after;
  }
}

/** Uploads conversations and fine-tunes a model on them; resolves to the job. */
export async function startSft(
  { ask }: Pick<Served, "ask">,
  model: string,
  rows: readonly unknown[],
  config: { readonly [name: string]: unknown },
): Promise<JobView> {
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  const { training_data_url } = await ask<{ training_data_url: string }>("POST", "/training-data", lines);
  return ask("POST", "/sft-training-jobs", {
    model_id: model,
    training_data_url,
    experimental_config: config,
  });
}
