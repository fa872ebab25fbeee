// The page as `assay serve` serves it.

import { keptKey, keyInAddress, servedAsk } from "./ask/served.ts";
import { mountPage } from "./main.tsx";

const key = keptKey();
const given = keyInAddress(location, history);
if (given !== undefined) key.set(given, false);
mountPage(document.querySelector("#page")!, servedAsk(key), { setKey: key.set });
