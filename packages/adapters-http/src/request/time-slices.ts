import type { Steps } from "@assay/base";
import { inTurns, timeSlice } from "@assay/base/internal";

/** The result of `steps`, run for a few milliseconds at a time. */
export const inTimeSlices = <T>(steps: Steps<T>): Promise<T> => inTurns(steps, timeSlice());
