// Which of the names that exist someone may have meant by one that does not.

import leven from "leven";

/** Names that are shown together. */
const SHOWN = 3;

/** Characters of a name that are looked at: the distance of two texts takes as long as the product of their lengths. */
const COMPARED = 200;

/** Up to three of `candidates` that are spelled like `name`, the most alike first. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  // A third of the letters may be wrong: two random ids differ in nearly all of theirs.
  const most = Math.max(2, Math.floor(Math.min(name.length, COMPARED) / 3));
  const alike = [...new Set(candidates)]
    .map((candidate) => [candidate, distanceOf(name, candidate, most + 1)] as const)
    .filter(([, distance]) => distance <= most)
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  // What was given is a name of something: then it is nothing else.
  const exact = alike.filter(([, distance]) => distance === 0);
  return (exact.length > 0 ? exact : alike).slice(0, SHOWN).map(([candidate]) => candidate);
}

/** Edits from one name to the other, whatever the case; a path without some of its segments is one edit away. */
function distanceOf(name: string, candidate: string, maxDistance: number): number {
  const [a, b] = [name, candidate].map((text) => text.slice(0, COMPARED).toLowerCase()) as [string, string];
  const [first, ...rest] = a.split(".");
  const shortened = rest.length > 0 && b.startsWith(`${first}.`) && b.endsWith(`.${rest.join(".")}`);
  return shortened && a !== b ? 1 : leven(a, b, { maxDistance });
}

/** The end of a sentence about a name that nothing has. */
export function didYouMean(names: readonly string[]): string {
  return `; did you mean ${names.join(" or ")}?`;
}
