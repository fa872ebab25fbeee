// Queries an engine over HTTP: the product's server on a local port, and a persistent connection.

import { Agent, request } from "node:http";
import { createHandler, evalResultsRoutes, loopbackAuthentication, serveHttp } from "@assay/adapters-http";
import type { EvalEngine, EvalResultsQueryBody } from "@assay/eval-engine";

/** A server and its client. */
export interface OverHttp {
  /** Sends `body` and reads the whole response. Rejects unless its status is 200. */
  ask(body: EvalResultsQueryBody): Promise<string>;
  close(): Promise<void>;
}

/** Serves `engine` on a local port. */
export async function overHttp(engine: EvalEngine, project: string): Promise<OverHttp> {
  const groups = [evalResultsRoutes({ engine, authenticate: loopbackAuthentication() })];
  const server = await serveHttp({ handler: createHandler({ routes: groups }), port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${server.url}/v2/${project}/eval_results/query`;
  return {
    ask: (body) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method: "POST", agent, headers: { "Content-Type": "application/json" } });
        sent.on("error", reject);
        sent.on("response", (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (piece: string) => {
            text += piece;
          });
          response.on("error", reject);
          response.on("end", () => {
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`status ${response.statusCode}: ${text}`));
          });
        });
        sent.end(JSON.stringify(body));
      }),
    close: async () => {
      agent.destroy();
      await server.close();
    },
  };
}
