// Requests with any header at all, which `fetch` does not let a test set.

import { type IncomingHttpHeaders, request } from "node:http";

/** An answer, whole. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to send. Headers are sent as they are, `Host` and `Origin` too, which `fetch` does not let a test set. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks a server. */
export function raw(
  server: { readonly url: string },
  path: string,
  { method = "GET", headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  // Node's client frames the bodies of some methods alone.
  const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const init = { method, headers: { ...length, ...headers } };
    const asked = request(`${server.url}${path}`, init, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => {
        text += piece;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
