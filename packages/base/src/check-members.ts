// Refuses unknown members of objects: if it were ignored, a misspelt option would change the result.

import { didYouMean, nearest } from "./text/suggest-names.ts";

type Kind = "any" | "text" | "number" | "boolean" | "function" | "list" | "map" | "object";

/** For each kind of member, which values are allowed, and the message for others. */
const KINDS: Readonly<Record<Kind, { readonly allows: (value: unknown) => boolean; readonly name: string }>> =
  {
    any: { allows: () => true, name: "a value" },
    text: { allows: (value) => typeof value === "string", name: "a text" },
    number: { allows: (value) => typeof value === "number", name: "a number" },
    boolean: { allows: (value) => typeof value === "boolean", name: "true or false" },
    function: { allows: (value) => typeof value === "function", name: "a function" },
    list: { allows: Array.isArray, name: "a list" },
    map: { allows: (value) => value instanceof Map, name: "a Map" },
    object: { allows: (value) => typeof value === "object" && value !== null, name: "an object" },
  };

/** The members of an object, and the kind of each; with `?` if it may be missing. */
export type Members<Of extends object> = {
  readonly [name in keyof Required<Of>]: Kind | `${Kind}?`;
};

/**
 * Throws a TypeError that begins with `what` if the value is not an object, misses a required member, or has an unknown
 * one or one of another kind.
 */
export function checkMembers<Of extends object>(what: string, value: Of, members: Members<Of>): void {
  if (typeof value !== "object" || value === null) throw new TypeError(`${what} must be an object`);
  for (const name in value)
    if (!Object.hasOwn(members, name))
      throw new TypeError(`${what}: unknown ${hintedName(name, Object.keys(members))}`);
  for (const name in members) {
    const kind: Kind | `${Kind}?` = members[name];
    // First, because trials are checked one by one and most members may be anything.
    if (kind === "any?") continue;
    const member: unknown = value[name];
    const isOptional = kind.endsWith("?");
    if (member === undefined && !isOptional) throw new TypeError(`${what}: ${name} is missing`);
    if (member === undefined || kind === "any") continue;
    const { allows, name: allowed } = KINDS[(isOptional ? kind.slice(0, -1) : kind) as Kind];
    if (!allows(member)) throw new TypeError(`${what}: ${name} must be ${allowed}`);
  }
}

/** An unknown name, with similar known ones. */
export function hintedName(name: string, known: readonly string[]): string {
  const suggestions = nearest(name, known);
  const hint =
    suggestions.length > 0 ? didYouMean(suggestions) : `; available: ${known.join(", ") || "none"}`;
  return `${JSON.stringify(name)}${hint}`;
}
