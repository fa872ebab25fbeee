// What a server is opened with, and what it is then.

import type { Handler } from "@assay/adapters-http";
import type { AnsweredRequest } from "@assay/adapters-http/internal";
import type { UpstreamConfig } from "@assay/adapters-openai";
import type { LimitOptions, Prices } from "@assay/inference-core";
import type { ServerAccess, WhoMayAsk } from "./access.ts";
import type { AreaName } from "./areas/areas.ts";
import type { RetentionRules } from "./retention.ts";
import type { ServerData } from "./server-data.ts";
import type { TrainingConfig } from "./training/config.ts";

/** How to serve. */
export interface ServerSettings extends ServerAccess {
  /** What of the interface is served. Default: everything. */
  readonly areas?: readonly AreaName[] | undefined;
  /**
   * The engines that answer chats: what `readUpstreams` of `@assay/adapters-openai` gives. Default: only the tiny
   * model.
   */
  readonly upstreams?: readonly UpstreamConfig[] | undefined;
  /** What trains. Default: tiny models, in this process. */
  readonly training?: TrainingConfig | undefined;
  /** The environment of commands that train. Default: that of this process. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** What tokens cost. Default: no price is known. */
  readonly prices?: Prices | undefined;
  /** What keys and projects may use. Default: as much as there is. */
  readonly limits?: LimitOptions | undefined;
  /**
   * How long evaluations are kept: older ones are permanently deleted, at the start and then every day. It needs a
   * data directory. Default: forever.
   */
  readonly retention?: RetentionRules | undefined;
  /** Streams that one key may have open at once. Default 64. */
  readonly streams?: number | undefined;
  /** Bytes that the files of one project may have: of its runs and artifacts, after decompression. Default 100 GiB. */
  readonly projectBytes?: number | undefined;
  /** Origins of web pages that may use the server. Default: none but its own. */
  readonly origins?: readonly string[] | undefined;
  /** Where clients reach the server when that is not where their requests go, as behind a proxy that speaks TLS. */
  readonly publicUrl?: string | undefined;
  /** The folder of the page for people, or `false` for none. Default: where `@assay/web` has built it. */
  readonly page?: URL | false | undefined;
  /** Once aborted, `GET /v1/health/ready` says that the server is about to end; it still answers. */
  readonly draining?: AbortSignal | undefined;
  /** Whether `GET /metrics` says how it is doing, in the text format of Prometheus. Default false. */
  readonly metrics?: boolean | undefined;
  /** Called with every failure that a client got a 5xx for, or that no client waits for. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Called with every answer as it begins, for a log of requests. Default: not called. */
  readonly onAnswer?: ((answered: AnsweredRequest) => void) | undefined;
  /** Called, with a sentence, about what can be repaired, and files that had to be. Default: ignored. */
  readonly tell?: ((message: string) => void) | undefined;
  /**
   * Told when the data could not be opened again, after something was deleted or the disk had failed: nothing is answered
   * from then on.
   */
  readonly onLost?: ((error: unknown) => void) | undefined;
}

/** A server that is open: it listens nowhere by itself. */
export interface Server {
  /** Answers a request. Never rejects. */
  readonly handler: Handler;
  /** What it answers, in the syntax of Hono's routes: for a server that passes on no more. `ALL` is every method. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** The data it serves, as it is open now: after a deletion it is another. */
  readonly data: ServerData;
  /**
   * To be told once where the handler answers, as in `http://127.0.0.1:7777`: jobs are trained from then on, what is too old
   * is deleted, and commands find the server by its directory.
   */
  listening(url: string): void;
  /** Who may ask, as things are now. */
  whoMayAsk(): Promise<WhoMayAsk>;
  /** Ends streams, waits for other requests, ten seconds at most, ends what runs in the background, then closes the data. */
  close(): Promise<void>;
}
