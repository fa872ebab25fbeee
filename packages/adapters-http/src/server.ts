// The server: a handler on a port of this machine, with explicit timeouts and a shutdown that drops no request.

import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Fault, type FaultCode } from "@assay/base";
import { createAdaptorServer } from "@hono/node-server";
import { atOnce } from "./at-once.ts";
import type { Handler } from "./handler.ts";

/** Where to serve and what. */
export interface ServeOptions {
  /** What answers. */
  readonly handler: Handler;
  /** Name or address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Port to listen on; 0 takes any free one. Default 7777. */
  readonly port?: number | undefined;
  /** Milliseconds that requests under way get to finish when the server closes. Default 10,000. */
  readonly grace?: number | undefined;
  /**
   * Whether the process is there for this server: then its global `Request` and `Response` are replaced by ones that
   * become Node's own without a web stream in between, which takes half the time of a small answer. Default false:
   * mounting a server does not change the process it runs in.
   */
  readonly ownsProcess?: boolean | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Where it answers: `http://127.0.0.1:7777`. */
  readonly url: string;
  /** Takes no new request, lets those under way finish within the grace, then ends. */
  close(): Promise<void>;
}

// Node's own defaults leave sockets open for minutes; a slow or silent client must not hold one for long.
const TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 300_000, keepAliveTimeout: 30_000 };
const MAX_HEADER_BYTES = 16 * 1024;
// Clients that connect at once wait here to be taken, and one that finds no place knocks again only after a second or
// more: Node's own 511 are too few for a thousand streams. The system may allow fewer.
const WAITING_CLIENTS = 4096;

/** Listens. Throws a `Fault`: `conflict` when the port is taken, `denied`, `missing` when there is no such address. */
export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  const { handler, host = "127.0.0.1", port = 7777, grace = 10_000, ownsProcess = false } = options;
  const server = createAdaptorServer({
    fetch: async (request) => atOnce(await handler(request)),
    hostname: host,
    overrideGlobalObjects: ownsProcess,
    serverOptions: { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES },
  }) as Server;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("clientError", refuseUnreadable());
  await new Promise<void>((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => failed(bindFault(error, host, port)));
    server.listen({ host, port, backlog: WAITING_CLIENTS }, listening);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${name}:${bound}`,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      // Clients keep connections open after their last answer; those are let go as they fall idle.
      // One that was opened ahead and never asked anything is not idle to Node.
      const letGo = () => {
        server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      };
      letGo();
      const idle = setInterval(letGo, 50);
      const end = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearInterval(idle);
      clearTimeout(end);
    },
  };
}

/** What Node's parser refuses, by its code; everything else is a 400. */
const UNREADABLE: ReadonlyMap<string | undefined, readonly [status: string, detail: string]> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    ["431 Request Header Fields Too Large", `the address and the headers may have ${MAX_HEADER_BYTES} bytes`],
  ],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", ["413 Payload Too Large", "a chunk's extensions are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "the request took too long to arrive"]],
]);
// A connection that is closed while its client still sends is reset, and the answer is lost: what comes is taken for so long.
const LINGER_MS = 1000;

/** Answers requests that never come to the handler, because they are none. */
function refuseUnreadable(): (error: NodeJS.ErrnoException, socket: Socket) => void {
  // Each further piece of such a request is one more error.
  const refused = new WeakSet<Socket>();
  return ({ code }, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // A client that has gone is told nothing, nor is one in the middle of another answer.
    if (!socket.writable || code === "ECONNRESET" || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const [status, detail] = UNREADABLE.get(code) ?? [
      "400 Bad Request",
      "what was sent is not an HTTP request",
    ];
    const body = JSON.stringify({ detail });
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether an answer has begun on a connection. Node says so in a property that it does not document. */
function isAnswering(socket: Socket): boolean {
  return (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
}

const BIND_FAULTS: ReadonlyMap<string | undefined, readonly [FaultCode, string]> = new Map([
  ["EADDRINUSE", ["conflict", "is taken by another program"]],
  ["EACCES", ["denied", "may not be used by this user"]],
  ["EADDRNOTAVAIL", ["missing", "is not an address of this machine"]],
  ["ENOTFOUND", ["missing", "is not a known host"]],
]);

function bindFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const [code, reason] = BIND_FAULTS.get(error.code) ?? ["unavailable", "cannot be listened on"];
  const what = code === "missing" ? `host ${host}` : `port ${port} on ${host}`;
  return new Fault(code, `${what} ${reason}`, { cause: error });
}
