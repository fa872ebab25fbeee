// Sends requests to the server of the page. A key is sent as Bearer, and stored for this tab or, if the user chooses,
// for this browser. There are no cookies: requests of other sites never carry the key.

import type { Ask } from "./ask.ts";

const NAME = "assay.key";

/** The key sent with requests. */
export interface KeptKey {
  get(): string | undefined;
  /** Stores it for this tab, or also for this browser. */
  set(key: string, remember: boolean): void;
  forget(): void;
}

/** The key in storage. Without access to storage it is kept while the page is open. */
export function keptKey(): KeptKey {
  let open: string | undefined;
  const stores = (): Storage[] => {
    try {
      return [sessionStorage, localStorage];
    } catch {
      return [];
    }
  };
  return {
    get: () =>
      open ??
      stores().reduce<string | null>((found, store) => found ?? store.getItem(NAME), null) ??
      undefined,
    set(key, remember) {
      open = key;
      const [session, local] = stores();
      session?.setItem(NAME, key);
      if (remember) local?.setItem(NAME, key);
    },
    forget() {
      open = undefined;
      for (const store of stores()) store.removeItem(NAME);
    },
  };
}

/** Requests with the key, sent with `send`. Default: `fetch`. */
export function httpTransport(key: KeptKey, send: Ask = (request) => fetch(request)): Ask {
  return (request) => {
    const value = key.get();
    if (value !== undefined) request.headers.set("Authorization", `Bearer ${value}`);
    return send(request);
  };
}

/** Takes a key out of an address that `assay serve` printed (`#key=…`), before anything else sees the address. */
export function keyInAddress(location: Location, history: History): string | undefined {
  const [, key] = /^#key=([^&]*)$/.exec(location.hash) ?? [];
  if (key === undefined) return undefined;
  history.replaceState(null, "", `${location.pathname}#/`);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
