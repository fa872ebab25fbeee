// The page served by `assay serve`.

import { mountPage } from "./main.tsx";
import { httpTransport, keptKey, keyInAddress } from "./transport/http-transport.ts";
import { startWorker } from "./transport/trusted-worker.ts";

/** Addresses of the workers, filled in by the build. */
declare const WORKER_ADDRESSES: { readonly worker: string; readonly reader: string };

const key = keptKey();
const given = keyInAddress(location, history);
if (given !== undefined) key.set(given, false);
mountPage(document.querySelector("#page")!, httpTransport(key), {
  setKey: key.set,
  titled: true,
  startPageWorker: async (which) => startWorker(WORKER_ADDRESSES[which], "module"),
});
