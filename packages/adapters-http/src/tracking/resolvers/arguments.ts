// Reads the arguments of a GraphQL field one by one, with a check of each type.

import { GraphQLError } from "graphql";

/** Reads arguments, or the members of an input. */
export interface Arguments {
  /** A text; absent if it is null or missing. */
  text(name: string): string | undefined;
  /** A required text. */
  needed(name: string): string;
  /** A list of texts; empty if it is null or missing. */
  texts(name: string): readonly string[];
  /** A non-negative whole number; absent if it is null or missing. */
  count(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  /** Whether it is present, and not null. */
  has(name: string): boolean;
  /** Inputs in a list; empty if it is null or missing. */
  list(name: string): readonly Arguments[];
}

/** Reads `raw`. Its methods throw a `GraphQLError` for invalid values. */
export function readArguments(raw: unknown, what: string): Arguments {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw new GraphQLError(`${what} must be an object`);
  const given = raw as { readonly [name: string]: unknown };
  const value = (name: string): unknown =>
    Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
  const checked = <T>(name: string, is: (one: unknown) => one is T, kind: string): T | undefined => {
    const one = value(name);
    if (one === undefined || is(one)) return one;
    throw new GraphQLError(`${what}.${name} must be ${kind}`);
  };
  const text = (name: string) => checked(name, isText, "a text");
  return {
    text,
    needed(name) {
      const one = text(name);
      if (one === undefined) throw new GraphQLError(`${what}.${name} is needed`);
      return one;
    },
    texts: (name) => checked(name, isTexts, "a list of texts") ?? [],
    count: (name) => checked(name, isCount, "a non-negative whole number"),
    has: (name) => value(name) !== undefined,
    flag: (name) => checked(name, isFlag, "true or false"),
    list: (name) =>
      (checked(name, Array.isArray, "a list") ?? []).map((one: unknown, i) =>
        readArguments(one, `${what}.${name}.${i}`),
      ),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** Whether a value changes nothing. In W&B, negative numbers mean a time to live that is inherited or unlimited. */
export function asksNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return (value ?? false) === false || (typeof value === "number" && value < 0);
}
