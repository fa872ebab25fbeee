// The areas of a server: each file here opens the stores of one area and returns its faces.

import type { Deletion } from "@assay/adapters-duckdb";
import type { Authenticate, Face } from "@assay/adapters-http";
import type { RemovalReport, Room } from "@assay/adapters-http/internal";
import type { UpstreamConfig } from "@assay/adapters-openai";
import type { KeyStore, LimitOptions, Prices, UsageRecord } from "@assay/inference-core";
import type { ServerData } from "../server-data.ts";
import type { TrainingConfig } from "../training/config.ts";

/** What an area is opened with. */
export interface ServerContext {
  /** What evaluation queries ask, over the stores of everything. */
  readonly data: ServerData;
  /** Where files may lie that others read: adapters of checkpoints for engines, folders and logs of workers. */
  readonly folder: string;
  /** Its API keys. */
  readonly keys: KeyStore;
  /** The engines that answer chats. */
  readonly upstreams: readonly UpstreamConfig[];
  /** What trains. */
  readonly training: TrainingConfig;
  /** The environment of commands that train. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly authenticate: Authenticate;
  /**
   * Called with the usage of each request to a model; `isListed` tells whether the model is in the catalogue.
   * Default: not reported.
   */
  readonly onUsage?: ((record: UsageRecord, isListed: (model: string) => boolean) => void) | undefined;
  /** What tokens cost. Absent: no price is known. */
  readonly prices?: Prices | undefined;
  /** What keys and projects may use. */
  readonly limits?: LimitOptions | undefined;
  /** What everything that is under way shares. Absent: each area has its own bounds. */
  readonly memory?: Room | undefined;
  /** Whether no key is asked for, as things are now. Default: never. */
  readonly keyless?: (() => Promise<boolean>) | undefined;
  /** Bytes that the files of one project may have. Absent: as `trackingService` says. */
  readonly projectBytes?: number | undefined;
  /** Where clients reach the server when that is not where their requests go, as behind a proxy that speaks TLS. */
  readonly publicUrl?: string | undefined;
  /** Permanently deletes an evaluation or a project. Absent when that is impossible while a server runs. */
  readonly remove?: ((deletion: Deletion) => Promise<RemovalReport>) | undefined;
  /** Writes the files of the directory anew: nothing of what was deleted is in them then. Absent: never. */
  readonly erase?: (() => Promise<void>) | undefined;
  /** The folder of the built page. Absent: where `@assay/web` has built it. */
  readonly page?: URL | undefined;
  /** Aborted when the server closes: streams end then. */
  readonly closing: AbortSignal;
  /** Is told, in a sentence, what can still be mended. */
  readonly tell: (message: string) => void;
  /** Told of every failure that a client was answered with a 5xx for, or that no client waits for. */
  readonly onError: (error: unknown) => void;
}

/** An area that is open. */
export interface Area {
  readonly faces: readonly Face[];
  /** Told once where the server answers. */
  started?(url: string): void;
  /** Ends what runs in the background. */
  close?(): Promise<void>;
}
