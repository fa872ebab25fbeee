// An example of the OpenAPI document.

import type { Json } from "@assay/base";

/** An operation's example request and answer. */
export interface Example {
  /** Path and query parameters. */
  readonly parameters?: { readonly [name: string]: Json };
  /** The body; lines as one text. */
  readonly body?: Json;
  /** The answer; lines, events and tables as one text. */
  readonly answer?: Json;
  /** The media type of the answer. */
  readonly type?: string;
}
