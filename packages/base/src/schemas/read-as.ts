// Reads a value by a schema and reports each issue at its own path, also inside unions and lists. Uses the schema's own
// JSON Schema, so that issues are the same whether the schema library compiles or interprets its schemas. Never repeats
// a value, and never reports more issues than requested.

import { bad, type Issue, ok, type Result } from "../errors/result.ts";
import type { Fields } from "../json/json-object.ts";
import { shownName } from "../text/excerpt.ts";

/** A schema that checks values of type `T` and has a JSON Schema (draft 2020-12), such as arktype's. */
export interface Schema<T> {
  /** Whether the value is valid. */
  allows(value: unknown): value is T;
  /** Its JSON Schema. Types, properties, items, bounds, enumerations and `anyOf` are supported. */
  toJsonSchema(options?: {
    readonly fallback: { readonly predicate: (part: { readonly base: object }) => object };
  }): object;
}

/** A schema as JSON Schema, without checks by functions, which JSON Schema cannot express. */
export function jsonSchemaOf(schema: Pick<Schema<unknown>, "toJsonSchema">): object {
  return schema.toJsonSchema({ fallback: { predicate: ({ base }) => base } });
}

/** The path of a value, and how many issues to report. */
export interface ReadAsOptions {
  /** The start of every path. Default: empty. */
  readonly at?: Issue["path"];
  /** The most issues. Default 100. */
  readonly most?: number;
}

/**
 * `value` if `schema` allows it, otherwise its issues, at least one. Codes are pydantic's error types: `missing`,
 * `extra_forbidden`, `list_type`, `dict_type`, `string_type`, `bool_type`, `int_type`, `float_type`, `none_required`,
 * `literal_error`, `greater_than_equal`, `less_than_equal`, `string_too_short`, `string_too_long`, `too_short`,
 * `too_long`, and `value_error` for the rest.
 */
export function readAs<T>(
  schema: Schema<T>,
  value: unknown,
  { at = [], most = 100 }: ReadAsOptions = {},
): Result<T> {
  if (schema.allows(value)) return ok(value);
  const issues = [];
  for (const issue of faults(descriptionOf(schema), value, at)) if (issues.push(issue) >= most) break;
  if (issues.length > 0) return bad(issues);
  return bad([fault("value_error", at, "does not have the expected form")]);
}

/**
 * The schema for a JSON Schema. Reading with it requires no schema library: a core that other programs bundle stays
 * small and needs no code generation, which a content security policy may forbid.
 */
export function schemaOf<T>(description: Description): Schema<T> {
  return {
    allows: (value): value is T => faults(description, value, []).next().done === true,
    toJsonSchema: () => description,
  };
}

const descriptions = new WeakMap<object, Description>();

function descriptionOf(schema: Schema<unknown>): Description {
  const known = descriptions.get(schema);
  if (known !== undefined) return known;
  const made = jsonSchemaOf(schema) as Description;
  descriptions.set(schema, made);
  return made;
}

/**
 * The part of JSON Schema that request bodies use. A schema without keywords allows any value. In messages,
 * `description` names what is valid: "must be {description}".
 */
export interface Description {
  /** The type of a value other than a union, constant or choice. */
  readonly type?: keyof typeof TYPES;
  /** What is valid, as the end of a sentence "must be …". */
  readonly description?: string;
  /** The only allowed value. */
  readonly const?: unknown;
  /** The only allowed values. */
  readonly enum?: readonly unknown[];
  /** A union: one of these must allow the value. */
  readonly anyOf?: readonly Description[];
  /** The known members of an object. */
  readonly properties?: { readonly [name: string]: Description };
  /** The required members of an object. */
  readonly required?: readonly string[];
  /** The schema of further members of an object; `false` forbids them. */
  readonly additionalProperties?: Description | false;
  /** The schema of every item of a list. */
  readonly items?: Description;
  /** The least length of a list. */
  readonly minItems?: number;
  /** The greatest length of a list. */
  readonly maxItems?: number;
  /** The least length of a string in UTF-16 units. */
  readonly minLength?: number;
  /** The greatest length of a string in UTF-16 units. */
  readonly maxLength?: number;
  /** A regular expression that must match somewhere in a string. */
  readonly pattern?: string;
  /** The least number. */
  readonly minimum?: number;
  /** The greatest number. */
  readonly maximum?: number;
}

const TYPES = {
  array: ["list_type", "a list"],
  object: ["dict_type", "a JSON object"],
  string: ["string_type", "a string"],
  boolean: ["bool_type", "true or false"],
  integer: ["int_type", "an integer"],
  number: ["float_type", "a number"],
  null: ["none_required", "null"],
} as const;

/** The issues of `value`, found lazily: the search ends when the caller stops reading. */
function* faults(schema: Description, value: unknown, at: Issue["path"]): Generator<Issue> {
  if (schema.anyOf !== undefined) yield* faultsInUnion(schema, schema.anyOf, value, at);
  else if (schema.const !== undefined || schema.enum !== undefined) {
    const allowed = schema.enum ?? [schema.const];
    if (!allowed.includes(value)) yield fault("literal_error", at, `must be ${expectation(schema)}`);
  } else if (schema.type !== undefined && !isOfType(schema, value)) {
    yield fault(TYPES[schema.type][0], at, `must be ${expectation(schema)}`);
  } else if (typeof value === "string") yield* faultsOfText(schema, value, at);
  else if (typeof value === "number") yield* faultsOfNumber(schema, value, at);
  else if (Array.isArray(value)) yield* faultsInList(schema, value, at);
  else if (typeof value === "object" && value !== null) yield* faultsInObject(schema, value, at);
}

function* faultsOfText(schema: Description, text: string, at: Issue["path"]): Generator<Issue> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (text.length < minLength) {
    const wrong = minLength === 1 ? "must not be empty" : `must have ${minLength} characters or more`;
    yield fault("string_too_short", at, wrong);
  }
  if (text.length > maxLength) {
    const wrong = `must have at most ${maxLength} characters, not ${text.length}`;
    yield fault("string_too_long", at, wrong);
  }
  if (pattern !== undefined && !new RegExp(pattern).test(text))
    yield fault("value_error", at, `must be ${expectation(schema)}`);
}

function* faultsOfNumber(schema: Description, value: number, at: Issue["path"]): Generator<Issue> {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum) yield fault("greater_than_equal", at, `must be ${minimum} or more`);
  if (value > maximum) yield fault("less_than_equal", at, `must be ${maximum} or less`);
}

function* faultsInList(schema: Description, list: readonly unknown[], at: Issue["path"]): Generator<Issue> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (list.length < minItems) {
    const wrong = `must have at least ${minItems} ${minItems === 1 ? "item" : "items"}`;
    yield fault("too_short", at, wrong);
  }
  if (list.length > maxItems) {
    yield fault("too_long", at, `must have at most ${maxItems} items, not ${list.length}`);
  } else if (items !== undefined) {
    for (const [i, item] of list.entries()) yield* faults(items, item, [...at, i]);
  }
}

function* faultsInObject(schema: Description, value: object, at: Issue["path"]): Generator<Issue> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = value as Fields;
  // As in JSON, a member that is undefined is absent.
  for (const name of required)
    if (members[name] === undefined)
      yield { code: "missing", path: [...at, name], message: `${name} is required` };
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    const inside = [...at, shownName(name)];
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known === false) yield fault("extra_forbidden", inside, "is not a property of this object");
    else if (known !== undefined) yield* faults(known, member, inside);
  }
}

/** For a union, the issues of the intended alternative: the one with the value's type. */
function* faultsInUnion(
  union: Description,
  alternatives: readonly Description[],
  value: unknown,
  at: Issue["path"],
): Generator<Issue> {
  const alike = alternatives.filter((one) => isOfType(one, value));
  const [only] = alike;
  const container = typeof value === "object" && value !== null;
  const tag = tagOf(alike);
  // For a constant or a choice, the message lists the values of all alternatives.
  const isFree = only?.const === undefined && only?.enum === undefined;
  if (only !== undefined && alike.length === 1 && (isFree || typeof value === "number")) {
    yield* faults(only, value, at);
  } else if (container && tag !== undefined) {
    yield* faultsByTag(tag, alike, value, at);
  } else if (container && alike.length > 1) {
    const closest = alike.find(({ required = [] }) => required.every((name) => Object.hasOwn(value, name)));
    const names = alike.map(({ required = [] }) => required.join(" and "));
    if (closest !== undefined) yield* faults(closest, value, at);
    else yield fault("value_error", at, `must be an object with ${listed(names)}`);
  } else if (alike.every((one) => !faults(one, value, at).next().done)) {
    yield fault(codeOf(alternatives), at, `must be ${expectation(union)}`);
  }
}

/** The property that distinguishes several object schemas: it is a constant in each. */
function tagOf(alternatives: readonly Description[]): string | undefined {
  const [first, ...others] = alternatives;
  const isTag = (name: string, { properties = {} }: Description): boolean =>
    properties[name]?.const !== undefined;
  const names = Object.keys(first?.properties ?? {}).filter((name) => isTag(name, first!));
  return others.length === 0 ? undefined : names.find((name) => others.every((one) => isTag(name, one)));
}

function* faultsByTag(
  tag: string,
  alternatives: readonly Description[],
  value: object,
  at: Issue["path"],
): Generator<Issue> {
  const given = (value as { readonly [name: string]: unknown })[tag];
  const constantOf = (one: Description): unknown => one.properties?.[tag]?.const;
  const tagged = alternatives.find((one) => constantOf(one) === given);
  if (tagged !== undefined) yield* faults(tagged, value, at);
  else if (given === undefined) yield { code: "missing", path: [...at, tag], message: `${tag} is required` };
  else {
    const names = listed(alternatives.map((one) => `'${constantOf(one)}'`));
    yield fault("literal_error", [...at, tag], `must be ${names}`);
  }
}

function fault(code: string, path: Issue["path"], wrong: string): Issue {
  return { code, path, message: `${subject(path)} ${wrong}` };
}

/** Whether `value` has the type of `schema`, regardless of other constraints. */
function isOfType({ type, const: only, enum: some }: Description, value: unknown): boolean {
  if (some !== undefined) return some.some((one) => typeof one === typeof value);
  if (only !== undefined) return typeof only === typeof value;
  switch (type) {
    case undefined:
      return true;
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      // A number beyond the largest double reads as infinite.
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** Pydantic's error type for a value that matches none of these: that of their common type, ignoring null. */
function codeOf(alternatives: readonly Description[]): string {
  const codes = new Set(
    alternatives
      .filter(({ type }) => type !== "null")
      .map(({ type, const: only }) =>
        only !== undefined ? "literal_error" : type ? TYPES[type][0] : "value_error",
      ),
  );
  const [code = "none_required"] = codes;
  return codes.size > 1 ? "value_error" : code;
}

/** The valid values, in words. Null is mentioned only if nothing else is valid. */
function expectation(schema: Description): string {
  if (schema.anyOf !== undefined) {
    if (schema.description !== undefined) return schema.description;
    const others = schema.anyOf.filter(({ type }) => type !== "null");
    return listed([...new Set(others.map(expectation))]);
  }
  if (schema.enum !== undefined) return listed(schema.enum.map((one) => `'${one}'`));
  if (schema.const !== undefined) return `'${schema.const}'`;
  return schema.description ?? (schema.type === undefined ? "something else" : TYPES[schema.type][1]);
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The subject of an issue at `path`: `sort_by[0]`. */
function subject(path: Issue["path"]): string {
  const from = path.findLastIndex((part) => typeof part === "string");
  const name = from < 0 ? "the value" : path[from];
  return `${name === "body" ? "the body" : name}${path
    .slice(from + 1)
    .map((index) => `[${index}]`)
    .join("")}`;
}
