// Requests with arbitrary headers, which `fetch` does not allow.

import { type IncomingHttpHeaders, request } from "node:http";

/** A whole response. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request. Headers are sent unchanged, including `Host` and `Origin`. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a server. */
export function raw(
  server: { readonly url: string },
  path: string,
  { method = "GET", headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  // For some methods, Node's client does not send the body's length itself.
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
