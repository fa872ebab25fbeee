// The areas of a server: each file here opens the stores of one area and returns its routes.

import type { Deletion } from "@assay/adapters-duckdb";
import type { Authenticate, RouteGroup } from "@assay/adapters-http";
import type { MemoryBudget, RemovalReport } from "@assay/adapters-http/internal";
import type { UpstreamConfig } from "@assay/adapters-openai";
import type { KeyStore, LimitOptions, Prices, UsageRecord } from "@assay/inference-core";
import type { ServerData } from "../data/server-data.ts";
import type { TrainingConfig } from "../training/config.ts";

/** The context for opening an area. */
export interface ServerContext {
  /** Answers evaluation queries over all stores. */
  readonly data: ServerData;
  /** The folder for files that others read: adapters of checkpoints for engines, folders and logs of workers. */
  readonly folder: string;
  /** The API keys. */
  readonly keys: KeyStore;
  /** The engines that answer chats. */
  readonly upstreams: readonly UpstreamConfig[];
  /** The trainers. */
  readonly training: TrainingConfig;
  /** The environment of training commands. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly authenticate: Authenticate;
  /**
   * Called with the usage of each model request; `isListed` tells whether a model is in the catalogue. Default: not
   * reported.
   */
  readonly onUsage?: ((record: UsageRecord, isListed: (model: string) => boolean) => void) | undefined;
  /** Token prices. Absent: all prices are unknown. */
  readonly prices?: Prices | undefined;
  /** The limits of keys and projects. */
  readonly limits?: LimitOptions | undefined;
  /** The memory budget that all areas share. Absent: each area has its own limits. */
  readonly memory?: MemoryBudget | undefined;
  /** Whether requests currently need no key. Default: they always do. */
  readonly keyless?: (() => Promise<boolean>) | undefined;
  /** The most bytes that the files of one project may take. Absent: the default of `trackingService`. */
  readonly projectBytes?: number | undefined;
  /**
   * The public address of the server, if it differs from the address of the requests it gets, as behind a TLS proxy.
   */
  readonly publicUrl?: string | undefined;
  /** Permanently deletes an evaluation or a project. Absent if that is impossible while the server runs. */
  readonly remove?: ((deletion: Deletion) => Promise<RemovalReport>) | undefined;
  /** Rewrites the files of the directory without deleted data. Absent: deleted data stays in them. */
  readonly erase?: (() => Promise<void>) | undefined;
  /** The folder of the built page. Default: the one that `@assay/web` built. */
  readonly page?: URL | undefined;
  /** When the server started, in milliseconds since 1970: areas are opened again after a permanent deletion. */
  readonly since: number;
  /** Aborted when the server closes, to end streams. */
  readonly closing: AbortSignal;
  /** Called with a sentence about each problem that can still be fixed. */
  readonly tell: (message: string) => void;
  /** Called with every failure that a client got a 5xx for, or that no client is waiting for. */
  readonly onError: (error: unknown) => void;
}

/** An open area. */
export interface Area {
  readonly routes: readonly RouteGroup[];
  /** Called once with the server's address. */
  started?(url: string): void;
  /** Ends its background work. */
  close?(): Promise<void>;
}
