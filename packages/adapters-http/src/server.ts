// The server: listens on a port of this machine with explicit timeouts, and drops no request on shutdown.

import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Fault, type FaultCode } from "@assay/base";
import { checkMembers, type Members } from "@assay/base/internal";
import { createAdaptorServer } from "@hono/node-server";
import { forNode } from "./for-node.ts";
import type { Handler } from "./handler.ts";

/** Options of the server. */
export interface ServeOptions {
  /** The handler. */
  readonly handler: Handler;
  /** The name or address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** The port to listen on; 0 takes any free one. Default 7777. */
  readonly port?: number | undefined;
  /** How many milliseconds running requests may take to finish when the server closes. Default 10,000. */
  readonly grace?: number | undefined;
  /**
   * Whether the process only runs this server. Its global `Request` and `Response` are then replaced by versions that
   * convert to Node's without a web stream, which halves the time of a small answer. Default false: serving does not
   * change the process.
   */
  readonly ownsProcess?: boolean | undefined;
}

/** A listening server. */
export interface RunningServer {
  /** Its address: `http://127.0.0.1:7777`. */
  readonly url: string;
  /** Accepts no new requests, gives running ones the grace period to finish, then ends. */
  close(): Promise<void>;
}

// Node's own defaults leave sockets open for minutes; a slow or silent client must not hold one that long.
const TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 300_000, keepAliveTimeout: 30_000 };
const MAX_HEADER_BYTES = 16 * 1024;
// The backlog of new connections. A client without a place in it retries only after a second or more, and Node's
// default of 511 is too small for a thousand streams. The system may allow fewer.
const WAITING_CLIENTS = 4096;

const OPTIONS: Members<ServeOptions> = {
  ...{ handler: "function", host: "text?", port: "number?", grace: "number?", ownsProcess: "boolean?" },
};

/**
 * Starts listening. Throws a `Fault`: `conflict` if the port is taken, `denied`, `missing` if the address does not
 * exist.
 */
export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  checkMembers("options", options, OPTIONS);
  const { handler, host = "127.0.0.1", port = 7777, grace = 10_000, ownsProcess = false } = options;
  const server = createAdaptorServer({
    fetch: forNode(handler),
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
      // Clients keep connections open after their last answer; these are closed as they become idle. Node does not
      // count unused preconnected ones as idle.
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

/** Refusals of Node's parser, by its code; everything else is a 400. */
const UNREADABLE: ReadonlyMap<string | undefined, readonly [status: string, detail: string]> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    ["431 Request Header Fields Too Large", `the address and the headers may have ${MAX_HEADER_BYTES} bytes`],
  ],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", ["413 Payload Too Large", "a chunk's extensions are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "the request took too long to arrive"]],
]);
// Closing a connection while its client still sends would reset it and lose the answer, so input is drained for this
// long.
const LINGER_MS = 1000;

/** Answers invalid requests, which never reach the handler. */
function refuseUnreadable(): (error: NodeJS.ErrnoException, socket: Socket) => void {
  // Each further chunk of such a request raises another error.
  const refused = new WeakSet<Socket>();
  return ({ code }, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // Nothing is sent to a client that has disconnected, or in the middle of another answer.
    if (!socket.writable || code === "ECONNRESET" || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const [status, detail] = UNREADABLE.get(code) ?? ["400 Bad Request", "this is not an HTTP request"];
    const body = JSON.stringify({ detail });
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether an answer has started on a connection, from an undocumented property of Node. */
function isAnswering(socket: Socket): boolean {
  return (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
}

const BIND_FAULTS: ReadonlyMap<string | undefined, readonly [FaultCode, string]> = new Map([
  ["EADDRINUSE", ["conflict", "is in use by another program"]],
  ["EACCES", ["denied", "may not be used by this user"]],
  ["EADDRNOTAVAIL", ["missing", "is not an address of this machine"]],
  ["ENOTFOUND", ["missing", "is not a known host"]],
]);

function bindFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const [code, reason] = BIND_FAULTS.get(error.code) ?? ["unavailable", "cannot be opened for listening"];
  const what = code === "missing" ? `host ${host}` : `port ${port} on ${host}`;
  return new Fault(code, `${what} ${reason}`, { cause: error });
}
