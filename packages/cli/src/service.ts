// The HTTP interface of a data directory as a command sees it, wherever it is.

import type { AssayClient } from "@assay/client";
import type { Prices } from "@assay/inference-core";
import type { OpenOptions } from "./open-data.ts";

/** Which data, and what to serve with it. */
export interface ServiceOptions extends OpenOptions {
  /** File of the upstreams, used when no server has the directory open. */
  readonly upstreams: string | undefined;
  /** What tokens cost, where no server has the directory open. */
  readonly prices?: Prices | undefined;
}

/** The interface, wherever it is. */
export interface Service {
  /** Where it is, for a person: a directory or an address. */
  readonly where: string;
  /** Asks it. */
  readonly client: AssayClient;
  /** Lets go of the data. */
  close(): Promise<void>;
}
