// The areas of the interface.

import { hintedName } from "@assay/base/internal";

/**
 * A part of the HTTP interface: `results` also includes the traces that clients log, `training` includes runs and
 * artifacts, and `inference` includes keys and usage.
 */
export type AreaName = "results" | "training" | "inference";

/** All areas. */
export const AREAS: readonly AreaName[] = ["results", "training", "inference"];

/** Throws a TypeError for an unknown area. */
export function checkAreas(names: readonly string[] = AREAS): void {
  const unknown = names.find((name) => !AREAS.some((area) => area === name));
  if (unknown !== undefined) throw new TypeError(`areas: unknown ${hintedName(unknown, AREAS)}`);
}
