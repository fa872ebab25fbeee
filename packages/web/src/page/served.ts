// The page as `assay serve` serves it.

import { keptKey, keyInAddress, servedAsk } from "./ask/served.ts";
import { startWorker } from "./ask/trusted-worker.ts";
import { mountPage } from "./main.tsx";

/** Addresses of the workers, filled in by the build. */
declare const WORKER_ADDRESSES: { readonly worker: string; readonly reader: string };

const key = keptKey();
const given = keyInAddress(location, history);
if (given !== undefined) key.set(given, false);
mountPage(document.querySelector("#page")!, servedAsk(key), {
  setKey: key.set,
  startPageWorker: async (which) => startWorker(WORKER_ADDRESSES[which], "module"),
});
