// Gives property tests the same random cases in every run, so that a failure is caused by the change, and assertions on
// counts of cases hold. `ASSAY_SEED` selects other cases; `npm run test:deep` uses new ones in each round.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["ASSAY_SEED"] ?? 20_261_101) });
