// The settings of a server, and the interface of an open one.

import type { Handler } from "@assay/adapters-http";
import type { AccessLogEntry } from "@assay/adapters-http/internal";
import type { UpstreamConfig } from "@assay/adapters-openai";
import type { Members } from "@assay/base/internal";
import type { LimitOptions, Prices } from "@assay/inference-core";
import type { AreaName } from "../areas/area-names.ts";
import type { RetentionRules } from "../data/retention.ts";
import type { ServerData } from "../data/server-data.ts";
import type { TrainingConfig } from "../training/config.ts";
import type { ServerAccess, WhoMayAsk } from "./access.ts";

/** The settings of a server. */
export interface ServerSettings extends ServerAccess {
  /** The areas of the interface to serve. Default: all. */
  readonly areas?: readonly AreaName[] | undefined;
  /**
   * The engines for chats, as `readUpstreams` of `@assay/adapters-openai` returns them. Default: only the tiny model.
   */
  readonly upstreams?: readonly UpstreamConfig[] | undefined;
  /** The trainers. Default: tiny models, trained in this process. */
  readonly training?: TrainingConfig | undefined;
  /** The environment of training commands. Default: that of this process. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Token prices. Default: all prices are unknown. */
  readonly prices?: Prices | undefined;
  /** The limits of keys and projects. Default: unlimited. */
  readonly limits?: LimitOptions | undefined;
  /**
   * How long to keep evaluations. Older ones are permanently deleted at the start, then every day. Needs a data
   * directory. Default: forever.
   */
  readonly retention?: RetentionRules | undefined;
  /** The most streams that one key may have open. Default 64. */
  readonly streams?: number | undefined;
  /** The most bytes that the runs and artifacts of one project may take, after decompression. Default 100 GiB. */
  readonly projectBytes?: number | undefined;
  /** Origins of web pages that may use the server. Default: only its own. */
  readonly origins?: readonly string[] | undefined;
  /**
   * The public address of the server, if it differs from the address of the requests it gets, as behind a TLS proxy.
   */
  readonly publicUrl?: string | undefined;
  /** The folder of the built page, or `false` for no page. Default: the page of `@assay/web`. */
  readonly page?: URL | false | undefined;
  /** Once aborted, `GET /v1/health/ready` reports that the server is about to stop; it still answers requests. */
  readonly draining?: AbortSignal | undefined;
  /** Whether to serve `GET /metrics`, in the Prometheus text format. Default false. */
  readonly metrics?: boolean | undefined;
  /** Called with every failure that a client got a 5xx for, or that no client is waiting for. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called when a response starts, to log requests. Default: not called. */
  readonly onAnswer?: ((answered: AccessLogEntry) => void) | undefined;
  /** Called with a sentence about problems that can be fixed and files that were repaired. Default: ignored. */
  readonly tell?: ((message: string) => void) | undefined;
  /** Called if the data could not be reopened after a deletion or a disk failure. The server then stops answering. */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** The kinds of the settings. */
export const SERVER_SETTINGS: Members<ServerSettings> = {
  ...{ authenticate: "function?", apiKey: "text?", bootstrapAccess: "boolean?", areas: "list?" },
  ...{ upstreams: "list?", training: "object?", env: "object?", prices: "map?", limits: "object?" },
  ...{ retention: "object?", streams: "number?", projectBytes: "number?", origins: "list?" },
  ...{ publicUrl: "text?", page: "any?", draining: "object?", metrics: "boolean?", onError: "function?" },
  ...{ onAnswer: "function?", tell: "function?", onLost: "function?" },
};

/** An open server. It does not listen on a port by itself. */
export interface Server {
  /** Answers a request. Never rejects. */
  readonly handler: Handler;
  /** The routes it answers, in the syntax of Hono, for a server that forwards only these. `ALL` means every method. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** The data it serves. A deletion replaces it. */
  readonly data: ServerData;
  /**
   * Call it once with the server's address, such as `http://127.0.0.1:7777`. From then on it trains jobs, deletes
   * expired data, and commands find it by its directory.
   */
  listening(url: string): void;
  /** Who may currently send requests. */
  whoMayAsk(): Promise<WhoMayAsk>;
  /** Ends open streams and answers waiting requests, which would hold up the closing of a listener. */
  endStreams(): void;
  /**
   * Ends streams, waits up to ten seconds for other requests, ends background work, then closes the data. Further calls
   * wait for the same.
   */
  close(): Promise<void>;
}
