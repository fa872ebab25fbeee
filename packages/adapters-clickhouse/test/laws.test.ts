// The store runs the laws of the ports it implements.

import { testStoreLaws } from "./store-laws.ts";
import { freshStore } from "./support.ts";

testStoreLaws(freshStore);
