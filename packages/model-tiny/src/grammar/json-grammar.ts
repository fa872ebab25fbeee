// JSON as grammars: any value, and the values of a JSON Schema. Parts of a schema that a grammar cannot express are
// issues and never ignored: an answer that claims to fit a schema fits all of it.
import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import {
  byteBetween,
  byteWhere,
  choice,
  type Grammar,
  type GrammarRule,
  leastBytes,
  literal,
  newRule,
  optional,
  repeat,
  sequence,
  settle,
} from "./grammar.ts";
import { integerBetween, numberBetween } from "./number-grammar.ts";

const quote = literal('"');
const tail = byteBetween(0x80, 0xbf);
/** One character of a text: plain, escaped, or several bytes of well-formed UTF-8. */
const character: Grammar = choice(
  byteWhere((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c),
  sequence(
    literal("\\"),
    byteWhere((byte) => '"\\/bfnrt'.includes(String.fromCharCode(byte))),
  ),
  sequence(byteBetween(0xc2, 0xdf), tail),
  sequence(literalByte(0xe0), byteBetween(0xa0, 0xbf), tail),
  sequence(
    byteWhere((byte) => byte >= 0xe1 && byte <= 0xef && byte !== 0xed),
    tail,
    tail,
  ),
  sequence(literalByte(0xed), byteBetween(0x80, 0x9f), tail),
  sequence(literalByte(0xf0), byteBetween(0x90, 0xbf), tail, tail),
  sequence(byteBetween(0xf1, 0xf3), tail, tail, tail),
  sequence(literalByte(0xf4), byteBetween(0x80, 0x8f), tail, tail),
);

function literalByte(byte: number): Grammar {
  return byteBetween(byte, byte);
}

function text(least = 0, most: number = Number.POSITIVE_INFINITY): Grammar {
  return sequence(quote, repeat(character, least, most), quote);
}

/** From `least` to `most` `item`s, separated by commas. */
function listed(item: Grammar, least: number, most: number): Grammar {
  if (most < least) return choice();
  if (most === 0) return sequence();
  const some = sequence(item, repeat(sequence(literal(","), item), Math.max(0, least - 1), most - 1));
  return least === 0 ? optional(some) : some;
}

function arrayOf(items: Grammar): Grammar {
  return sequence(literal("["), items, literal("]"));
}

function objectOf(members: Grammar): Grammar {
  return sequence(literal("{"), members, literal("}"));
}

/** Any value. Numbers have at most 15 digits, so that they survive a round trip. */
const anyValue: GrammarRule = newRule();
const any: Grammar = { kind: "rule", rule: anyValue };
const anyMember = (value: Grammar) => sequence(text(), literal(":"), value);
const anyObject: Grammar = objectOf(listed(anyMember(any), 0, Number.POSITIVE_INFINITY));
anyValue.grammar = choice(
  literal("null"),
  literal("true"),
  literal("false"),
  numberBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  text(),
  arrayOf(listed(any, 0, Number.POSITIVE_INFINITY)),
  anyObject,
);
settle([anyValue]);

/** Any JSON object. */
export function jsonObjectGrammar(): Grammar {
  return anyObject;
}

/** Keywords of a schema that are ignored, because they do not restrict values. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "$anchor",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "additionalProperties",
  "unevaluatedProperties",
]);

type Schema = { readonly [keyword: string]: unknown };

/**
 * The values that match a JSON Schema: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`,
 * `items`, `prefixItems`, lengths of texts and lists, bounds of numbers, `anyOf`, `oneOf` (read as `anyOf`: its
 * options should exclude each other), `allOf` with one option, and `$ref` within the schema. Members come in the order
 * of `properties`, without white space. Issues `unsupported` and `invalid`, with the path in the schema.
 */
export function schemaGrammar(schema: unknown): Result<Grammar> {
  const issues: Issue[] = [];
  const rules = new Map<string, GrammarRule>();
  const refuse = (path: Issue["path"], message: string, code = "unsupported"): Grammar => {
    issues.push({ code, path, message });
    return choice();
  };

  const read = (raw: unknown, path: Issue["path"]): Grammar => {
    if (raw === true) return any;
    if (raw === false) return choice();
    if (!isSchema(raw)) return refuse(path, "must be a schema", "invalid");
    if (typeof raw["$ref"] === "string") return referred(raw["$ref"], [...path, "$ref"]);
    if (Array.isArray(raw["enum"]))
      return choice(...raw["enum"].map((value) => literal(JSON.stringify(value))));
    if (Object.hasOwn(raw, "const")) return literal(JSON.stringify(raw["const"]));
    for (const name of ["anyOf", "oneOf"]) {
      const options = raw[name];
      if (!Array.isArray(options)) continue;
      known(raw, [name], path);
      return choice(...options.map((option, i) => read(option, [...path, name, i])));
    }
    if (Array.isArray(raw["allOf"]) && raw["allOf"].length === 1) {
      known(raw, ["allOf"], path);
      return read(raw["allOf"][0], [...path, "allOf", 0]);
    }
    const types = typesOf(raw);
    known(raw, ["type", ...types.flatMap((type) => KEYWORDS[type] ?? [])], path);
    return types.length === 0 ? any : choice(...types.map((type) => ofType(type, raw, path)));
  };

  /** Reports keywords that are not among `names`. */
  const known = (raw: Schema, names: readonly string[], path: Issue["path"]): void => {
    for (const keyword of Object.keys(raw)) {
      if (names.includes(keyword) || SAYS_NOTHING.has(keyword)) continue;
      refuse([...path, keyword], `the tiny model does not support ${keyword.slice(0, 40)} here in a schema`);
    }
  };

  /** One rule for each referenced place, so that a schema may contain itself. */
  const referred = (ref: string, path: Issue["path"]): Grammar => {
    const found = rules.get(ref);
    if (found !== undefined) return { kind: "rule", rule: found };
    const target = pointed(schema, ref);
    if (target === undefined) return refuse(path, "must point into the schema, as #/$defs/name", "invalid");
    const rule = newRule();
    rules.set(ref, rule);
    rule.grammar = read(target.value, target.path);
    return { kind: "rule", rule };
  };

  const ofType = (type: string, raw: Schema, path: Issue["path"]): Grammar => {
    switch (type) {
      case "null":
        return literal("null");
      case "boolean":
        return choice(literal("true"), literal("false"));
      case "string":
        return text(count(raw["minLength"], 0), count(raw["maxLength"], Number.POSITIVE_INFINITY));
      case "integer":
        return integerBetween(...boundsOf(raw, true));
      case "number":
        return numberBetween(...boundsOf(raw, false));
      case "array":
        return ofArray(raw, path);
      case "object":
        return ofObject(raw, path);
      default:
        return refuse([...path, "type"], "must be a type of JSON", "invalid");
    }
  };

  const ofArray = (raw: Schema, path: Issue["path"]): Grammar => {
    const least = count(raw["minItems"], 0);
    const most = count(raw["maxItems"], Number.POSITIVE_INFINITY);
    const item = raw["items"] === undefined ? any : read(raw["items"], [...path, "items"]);
    const first = raw["prefixItems"];
    if (!Array.isArray(first)) return arrayOf(listed(item, least, most));
    const fixed = first.map((one, i) => read(one, [...path, "prefixItems", i]));
    if (fixed.length > most) return refuse([...path, "prefixItems"], "must be at most maxItems");
    const further = raw["items"] === false ? 0 : Math.max(0, least - fixed.length);
    const rest = repeat(
      sequence(literal(","), item),
      further,
      raw["items"] === false ? 0 : most - fixed.length,
    );
    return arrayOf(sequence(...withCommas(fixed), rest));
  };

  const ofObject = (raw: Schema, path: Issue["path"]): Grammar => {
    const properties = isSchema(raw["properties"]) ? raw["properties"] : {};
    const required: readonly unknown[] = Array.isArray(raw["required"]) ? raw["required"] : [];
    if (!required.every((name) => typeof name === "string"))
      return refuse([...path, "required"], "must be a list of names", "invalid");
    const names = [...new Set([...Object.keys(properties), ...required])];
    const others = raw["additionalProperties"];
    if (names.length === 0) {
      if (others === false) return objectOf(sequence());
      const value = isSchema(others) ? read(others, [...path, "additionalProperties"]) : any;
      return objectOf(listed(anyMember(value), 0, Number.POSITIVE_INFINITY));
    }
    const otherValue = () => (others === false ? choice() : read(others, [...path, "additionalProperties"]));
    const members = names.map((name) => {
      const value = Object.hasOwn(properties, name)
        ? read(properties[name], [...path, "properties", name])
        : isSchema(others) || others === false
          ? otherValue()
          : any;
      return {
        member: sequence(literal(`${JSON.stringify(name)}:`), value),
        needed: required.includes(name),
      };
    });
    return objectOf(membersOf(members));
  };

  const grammar = read(schema, []);
  settle([...rules.values()]);
  if (issues.length === 0 && leastBytes(grammar) === Number.POSITIVE_INFINITY)
    refuse([], "no value that the tiny model can make fits this schema", "invalid");
  return issues.length === 0 ? ok(grammar) : bad(issues.slice(0, 20));
}

/** The supported keywords of each type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties", "propertyOrdering"],
};

/** The types that `raw` allows; without `type`, the type that its keywords imply, if any. */
function typesOf(raw: Schema): readonly string[] {
  const { type } = raw;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.map((one) => (typeof one === "string" ? one : ""));
  const about = Object.keys(KEYWORDS).find((name) =>
    KEYWORDS[name]!.some((keyword) => raw[keyword] !== undefined),
  );
  return about === undefined ? [] : [about];
}

function withCommas(items: readonly Grammar[]): readonly Grammar[] {
  return items.flatMap((item, i) => (i === 0 ? [item] : [literal(","), item]));
}

/** Members in order, separated by commas; optional ones may be left out. */
function membersOf(members: readonly { readonly member: Grammar; readonly needed: boolean }[]): Grammar {
  // Built from the last to the first: what may follow after a member, and after none.
  let after: Grammar = sequence();
  let begun: Grammar = sequence();
  for (const { member, needed } of members.toReversed()) {
    const more = sequence(literal(","), member, after);
    const first = sequence(member, after);
    begun = needed ? first : choice(first, begun);
    after = needed ? more : choice(more, after);
  }
  return begun;
}

function boundsOf(raw: Schema, whole: boolean): readonly [number, number] {
  const number = (name: string, otherwise: number) =>
    typeof raw[name] === "number" ? (raw[name] as number) : otherwise;
  // For integers, an exclusive bound moves by one; for other numbers, by a small distance.
  const least = number("exclusiveMinimum", Number.NEGATIVE_INFINITY);
  const most = number("exclusiveMaximum", Number.POSITIVE_INFINITY);
  const step = (bound: number) =>
    Number.isFinite(bound) ? Math.abs(bound) * Number.EPSILON + Number.MIN_VALUE : 0;
  const above = whole ? Math.floor(least) + 1 : least + step(least);
  const below = whole ? Math.ceil(most) - 1 : most - step(most);
  return [
    Math.max(number("minimum", Number.NEGATIVE_INFINITY), above),
    Math.min(number("maximum", Number.POSITIVE_INFINITY), below),
  ];
}

function count(value: unknown, otherwise: number): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
}

/** The target of `#/$defs/name` in `schema`. */
function pointed(schema: unknown, ref: string): { value: unknown; path: Issue["path"] } | undefined {
  if (ref === "#") return { value: schema, path: [] };
  if (!ref.startsWith("#/")) return undefined;
  const path = ref
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  let value = schema;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Schema)[part];
  }
  return { value, path };
}

function isSchema(raw: unknown): raw is Schema {
  return isJsonObject(raw);
}
