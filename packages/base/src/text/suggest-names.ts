// Suggests existing names for an unknown one.

import leven from "leven";

/** The most names to suggest. */
const SHOWN = 3;

/**
 * The characters of a name that are compared: the edit distance takes time in proportion to the product of the
 * lengths.
 */
const COMPARED = 200;

/** Up to three of `candidates` with a spelling similar to `name`, most similar first. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  // A third of the letters may differ: two random IDs differ in nearly all of theirs.
  const most = Math.max(2, Math.floor(Math.min(name.length, COMPARED) / 3));
  const alike = [...new Set(candidates)]
    .map((candidate) => [candidate, distanceOf(name, candidate, most + 1)] as const)
    .filter(([, distance]) => distance <= most)
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  // If the given name is a candidate, there is nothing to suggest.
  const exact = alike.filter(([, distance]) => distance === 0);
  return (exact.length > 0 ? exact : alike).slice(0, SHOWN).map(([candidate]) => candidate);
}

/**
 * The number of edits from one name to the other, ignoring case. Leaving out some segments of a path counts as one
 * edit.
 */
function distanceOf(name: string, candidate: string, maxDistance: number): number {
  const [a, b] = [name, candidate].map((text) => text.slice(0, COMPARED).toLowerCase()) as [string, string];
  const [first, ...rest] = a.split(".");
  const shortened = rest.length > 0 && b.startsWith(`${first}.`) && b.endsWith(`.${rest.join(".")}`);
  return shortened && a !== b ? 1 : leven(a, b, { maxDistance });
}

/** The end of a sentence about an unknown name. */
export function didYouMean(names: readonly string[]): string {
  return `; did you mean ${names.join(" or ")}?`;
}
