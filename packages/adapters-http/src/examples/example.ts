// An example of the OpenAPI document.

import type { Json } from "@assay/base";

/** What an operation was asked, and how it answered. */
export interface Example {
  /** Parameters in the path and the query. */
  readonly parameters?: { readonly [name: string]: Json };
  /** The body: lines as one text. */
  readonly body?: Json;
  /** The answer: lines, events and tables as one text. */
  readonly answer?: Json;
  /** The media type of the answer. */
  readonly type?: string;
}
