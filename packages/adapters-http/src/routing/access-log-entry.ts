// An entry of the access log: a request's route, and the IDs in its path. Never a header, a query string, a body, a
// key, or a wildcard parameter, which contains the secrets of worker runs.

import type { MetRoute } from "./route-table.ts";

/** An answered request. */
export interface AccessLogEntry {
  /** Its ID, which the answer has as `X-Request-Id`. */
  readonly id: string;
  /** Its method. */
  readonly method: string;
  /** The pattern of its route, such as `/v2/:entity/:project`; absent if it matched none. */
  readonly route?: string | undefined;
  /** The parameters of its path by name, cut to 128 characters each, with `…` in place of what may be a key. */
  readonly ids: { readonly [name: string]: string };
  /** The status of the answer. */
  readonly status: number;
  /** Milliseconds until the answer started. */
  readonly milliseconds: number;
}

const LONGEST_ID = 128;

/** The parameters of a request's path, for logs. `mayBeKey` tells which texts to hide. */
export function loggedIds(ids: MetRoute["ids"], mayBeKey: (text: string) => boolean): AccessLogEntry["ids"] {
  const shown = (id: string) => {
    if (mayBeKey(id)) return "…";
    return id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
  };
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, shown(id)]));
}
