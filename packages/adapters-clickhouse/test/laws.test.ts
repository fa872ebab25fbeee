// The store runs the laws of the ports it implements.

import { testStoreLaws } from "./store-laws.ts";
import { emptyStore } from "./support.ts";

testStoreLaws(emptyStore);
