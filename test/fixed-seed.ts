// Property tests try the same random cases on every run: a red run is then the doing of the change, and counts of how
// often a case came up hold. `ASSAY_SEED` gives other cases, and `npm run test:deep` takes new ones each round.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["ASSAY_SEED"] ?? 20_261_101) });
