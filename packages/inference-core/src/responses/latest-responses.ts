// The latest responses, in memory, so that a request can continue one or refer to its items, as clients do by default.

import { type Fields, isJsonObject, lruCache } from "@assay/base/internal";

/** How many characters of JSON are kept, of all callers. */
const KEPT = 16 * 1024 * 1024;

/** A request with the items that it refers to. */
export interface ResolvedRequest {
  /** The request, with found references replaced by their items. */
  readonly request: unknown;
  /** The items of the conversation that it continues. */
  readonly before: readonly unknown[];
}

/** The latest responses of all callers. A caller finds only its own. */
export interface LatestResponses {
  /** Finds the items that a request refers to. */
  resolve(caller: string, request: unknown): ResolvedRequest;
  /** Keeps a response to a resolved request. */
  keep(caller: string, { request, before }: ResolvedRequest, response: KeptResponse): void;
  /** A response that is still kept. */
  find(caller: string, id: string): KeptResponse | undefined;
  /** Forgets a response with its items; returns whether it was kept. */
  forget(caller: string, id: string): boolean;
}

/** A response. */
interface KeptResponse {
  readonly id: string;
  readonly output: readonly Fields[];
}

interface Kept {
  /** Of a response, the whole conversation up to its end; otherwise only the item. */
  readonly items: readonly unknown[];
  readonly response?: KeptResponse;
}

/** No responses yet. */
export function latestResponses(): LatestResponses {
  const kept = lruCache<string, Kept>(KEPT, (value) => JSON.stringify(value).length);
  const nameOf = (caller: string, id: unknown): string => JSON.stringify([caller, id]);

  const find = (caller: string, id: string) => kept.get(nameOf(caller, id))?.response;
  return {
    find,
    resolve(caller, request) {
      if (!isJsonObject(request)) return { request, before: [] };
      const { previous_response_id: previous, ...rest } = request;
      const before = previous == null ? [] : kept.get(nameOf(caller, previous))?.items;
      const { input } = request;
      const items = Array.isArray(input)
        ? input.map((item: unknown) => {
            const isReference = isJsonObject(item) && item["type"] === "item_reference";
            return (isReference && kept.get(nameOf(caller, item["id"]))?.items[0]) || item;
          })
        : input;
      return { request: { ...(before === undefined ? request : rest), input: items }, before: before ?? [] };
    },
    keep(caller, { request, before }, response) {
      const { id, output } = response;
      const { input } = request as Fields;
      const asked = Array.isArray(input) ? input : [{ role: "user", content: input }];
      kept.set(nameOf(caller, id), { items: [...before, ...asked, ...output], response });
      for (const item of output) kept.set(nameOf(caller, item["id"]), { items: [item] });
    },
    forget(caller, id) {
      const response = find(caller, id);
      if (response === undefined) return false;
      for (const one of [id, ...response.output.map((item) => item["id"])]) kept.delete(nameOf(caller, one));
      return true;
    },
  };
}
