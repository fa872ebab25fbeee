// What a log says of a request: its route, and the ids in its path. Never a header, a query, a body, a key, or what stands
// behind a wildcard: workers find their runs by a secret there.

import type { MetRoute } from "./route-table.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  /** Its id, which the answer carries as `X-Request-Id`. */
  readonly id: string;
  /** Its method. */
  readonly method: string;
  /** The pattern of its route, as in `/v2/:entity/:project`; absent when it met none. */
  readonly route?: string | undefined;
  /** The parameters of its path by name, at most 128 characters of each, and `…` in the place of what may be a key. */
  readonly ids: { readonly [name: string]: string };
  /** The status of the answer. */
  readonly status: number;
  /** Milliseconds until the answer began. */
  readonly milliseconds: number;
}

const LONGEST_ID = 128;

/** The parameters of the path of a request, to be logged. `mayBeKey` says of which texts nothing is. */
export function loggedIds(ids: MetRoute["ids"], mayBeKey: (text: string) => boolean): AnsweredRequest["ids"] {
  const shown = (id: string) => {
    if (mayBeKey(id)) return "…";
    return id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
  };
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, shown(id)]));
}
