import type { Steps } from "@assay/base";
import { givingWay, inTurns } from "@assay/base/internal";

/** The value that `steps` end with, a few milliseconds of them at a time. */
export const inSteps = <T>(steps: Steps<T>): Promise<T> => inTurns(steps, givingWay());
