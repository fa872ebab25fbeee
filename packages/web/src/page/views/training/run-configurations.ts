// How the configurations of runs differ.

import type { Json } from "@assay/base";

/** The settings of several runs. */
export interface Configurations {
  /** Names of settings, as paths with dots, and their value in each run as text; undefined where a run lacks it. */
  readonly differing: readonly (readonly [string, readonly (string | undefined)[]])[];
  /** The number of settings with the same value in all runs. */
  readonly same: number;
}

/** Compares configurations; one that is not known yet is left out. */
export function configurationsOf(configurations: readonly (Json | undefined)[]): Configurations {
  const settings = configurations.map((one) => (one === undefined ? undefined : new Map(settingsOf(one))));
  const names = new Set(settings.flatMap((one) => [...(one?.keys() ?? [])]));
  const rows = [...names].map((name) => [name, settings.map((one) => one?.get(name))] as const);
  const differing = rows.filter(
    ([, values]) => new Set(values.filter((_, at) => settings[at] !== undefined)).size > 1,
  );
  return { differing, same: rows.length - differing.length };
}

/** The settings in a value, each with its path. W&B's own, which start with `_`, are left out. */
function settingsOf(value: Json, path = ""): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return [[path, typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value)
    .filter(([name]) => !name.startsWith("_"))
    .flatMap(([name, inner]) => settingsOf(inner, path === "" ? name : `${path}.${name}`));
}
