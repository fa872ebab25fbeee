// What a server is made of: one file here per area, each of which opens its stores and gives its faces.

import type { Deletion, Store } from "@assay/adapters-duckdb";
import type { Authenticate, Face, RemovalReport, Room } from "@assay/adapters-http";
import type { KeyStore, LimitOptions, Prices } from "@assay/inference-core";
import type { LocalData } from "../local-data.ts";
import type { World } from "../world.ts";

/** What an area is opened with. */
export interface ServerContext {
  readonly world: World;
  /** The open data directory: what evaluation queries ask. */
  readonly data: LocalData;
  /** Its stores. */
  readonly store: Store;
  /** Its path. */
  readonly directory: string;
  /** Its API keys. */
  readonly keys: KeyStore;
  /** The file that says which engines there are; absent for none. */
  readonly upstreams: string | undefined;
  readonly authenticate: Authenticate;
  /** What tokens cost. Absent: no price is known. */
  readonly prices?: Prices | undefined;
  /** What keys and projects may use. */
  readonly limits?: LimitOptions | undefined;
  /** What everything that is under way shares. Absent: each area has its own bounds. */
  readonly memory?: Room | undefined;
  /** Whether no key is asked for, as things are now. Default: never. */
  readonly keyless?: (() => Promise<boolean>) | undefined;
  /** Where clients reach the server when that is not where their requests go, as behind a proxy that speaks TLS. */
  readonly publicUrl?: string | undefined;
  /** Deletes an evaluation or a project for ever. Absent where that cannot be done while a server runs. */
  readonly remove?: ((deletion: Deletion) => Promise<RemovalReport>) | undefined;
  /** The file that says what trains, when there is one. */
  readonly trainingFile: string | undefined;
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
