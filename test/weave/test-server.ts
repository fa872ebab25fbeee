// A server for real clients: `assay serve` in a separate process on a new data directory. Clients reach it through a
// proxy that forwards everything unchanged and records the responses' statuses.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvalResults, EvalResultsQueryBody } from "@assay/eval-engine";
import { startAssay } from "@assay/testing/server";

/** A running server. */
export interface TestServer {
  /** The address for clients. */
  readonly url: string;
  /** Its data directory. */
  readonly directory: string;
  /** Each request with a status other than 200, as `METHOD path status`. */
  readonly refused: readonly string[];
  /** Runs a results query. */
  readonly query: (project: string, body: EvalResultsQueryBody) => Promise<EvalResults>;
  /** The ids of the roots of all traces in a project, in order of their start. */
  readonly roots: (project: string) => Promise<readonly string[]>;
  /** The evaluation objects of a project, in the hosted service's format. */
  readonly evaluationObjects: (project: string) => Promise<readonly unknown[]>;
  /** Resolves when `check` holds, which is tested now and after every request of a client. */
  readonly until: (check: () => Promise<boolean>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The values of a response with one JSON value per line. */
async function linesOf(response: Response): Promise<readonly unknown[]> {
  const text = await response.text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/** Serves a new data directory, with `key` as the API key. */
export async function startServer(key: string): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), "assay-weave-"));
  const { url, stop } = await startAssay(directory, { env: { ASSAY_API_KEY: key } });
  const proxy = await startProxy(url);
  const ask = async (path: string, body?: unknown): Promise<Response> => {
    const headers = { "Content-Type": "application/json", Authorization: `Basic ${btoa(`api:${key}`)}` };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, ...sent });
    if (!response.ok) throw new Error(`${path} got ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    url: proxy.url,
    directory,
    refused: proxy.refused,
    until: proxy.until,
    query: async (project, body) =>
      (await (await ask(`/v2/${project}/eval_results/query`, body)).json()) as EvalResults,
    async roots(project) {
      const filter = { trace_roots_only: true };
      const roots = await linesOf(await ask("/calls/stream_query", { project_id: project, filter }));
      return roots.map((root) => (root as { readonly id: string }).id);
    },
    evaluationObjects: async (project) => linesOf(await ask(`/v2/${project}/evaluations`)),
    async close() {
      await proxy.close();
      await stop("SIGTERM");
      await rm(directory, { recursive: true });
    },
  };
}

async function startProxy(target: string) {
  const refused: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = forward(`${target}${url}`, { method, headers }, (answer) => {
      if (answer.statusCode !== 200) refused.push(`${method} ${url} ${answer.statusCode}`);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once("end", () => {
        for (const wake of waiting) wake();
      });
    });
    passed.once("error", (error) => {
      refused.push(`${method} ${url} ${error.message}`);
      outgoing.destroy();
    });
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    until: async (check: () => Promise<boolean>): Promise<void> => {
      while (!(await check())) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
