// The HTTP interface of a data directory as commands see it, local or remote.

import type { AssayClient } from "@assay/client";
import type { Prices } from "@assay/inference-core";
import type { OpenOptions } from "./open-data.ts";

/** The data, and what to serve with it. */
export interface ServiceOptions extends OpenOptions {
  /** The file of the upstreams, used if no server has the directory open. */
  readonly upstreams?: string | undefined;
  /** Token prices, if no server has the directory open. */
  readonly prices?: Prices | undefined;
}

/** The HTTP interface, local or on a server. */
export interface Service {
  /** Its location as shown to people: a directory or an address. */
  readonly where: string;
  /** Sends a request. */
  readonly client: AssayClient;
  /** Releases the data. */
  close(): Promise<void>;
}
