// Generates random requests to every operation of an OpenAPI document: valid requests from its schemas, with names of
// existing resources, and mutations of them. Also checks whether the document describes a response.

import { Ajv, type ValidateFunction } from "ajv";
import fc from "fast-check";
import { type Change, change, mutatedBytes } from "./mutated-bytes.ts";

/** The subset of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: boolean | Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

/** The subset of an OpenAPI document that this file uses. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A request to one operation. */
export interface DescribedRequest {
  /** The method and the path template. */
  readonly operation: string;
  readonly method: string;
  /** The path with its parameters filled in, and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Values for parameters and properties by name, so that requests refer to existing resources. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

const METHODS = ["get", "post", "put", "delete", "patch"];
const texts = fc.constantFrom(
  "",
  "x",
  "0",
  "-1",
  "1e999",
  "null",
  "é😀",
  "a/b",
  "..",
  "__proto__",
  "\u0000",
  "%",
  "x".repeat(300),
);
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 60, "", "x", [], {}, { toString: 1, valueOf: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const plain = fc.constantFrom<unknown>({}, "x", 1);

/**
 * Requests to every operation of the document with equal weight; two of three are valid according to the document.
 * Deletions use the names in `dispensable`, so that the resources of other requests stay.
 */
export function describedRequests(
  document: OpenApi,
  known: KnownValues,
  dispensable: KnownValues,
): fc.Arbitrary<DescribedRequest> {
  const both = (names: KnownValues) => [false, true].map((may) => valuesOf(document, names, may));
  const [ofAll, ofDispensable] = [both(known), both(dispensable)];
  const requests = Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const asked = { template, method, operation };
      const [right, wrong] = method === "delete" || /delete|purge/.test(template) ? ofDispensable : ofAll;
      return [
        { weight: 2, arbitrary: requestTo({ ...asked, values: right!, changes: fc.constant([]) }) },
        {
          weight: 1,
          arbitrary: requestTo({ ...asked, values: wrong!, changes: fc.array(change, { maxLength: 3 }) }),
        },
      ];
    }),
  );
  return fc.oneof(...requests);
}

/** Values of a schema, for a parameter or property of this name. */
type Values = (schema: Schema | undefined, name?: string) => fc.Arbitrary<unknown>;

interface Asked {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
  readonly values: Values;
  readonly changes: fc.Arbitrary<readonly Change[]>;
}

function requestTo({ template, method, operation, values, changes }: Asked): fc.Arbitrary<DescribedRequest> {
  const parameters = operation.parameters ?? [];
  const ofKind = (kind: string) => {
    const some = parameters.filter((one) => one.in === kind);
    return someOf(Object.fromEntries(some.map(({ name, schema }) => [name, values(schema, name)])), []);
  };
  const places = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const inPath = fc.record(
    Object.fromEntries(places.map((name) => [name, values({ type: "string" }, name)])),
  );
  const [[type, content] = [undefined, undefined]] = Object.entries(operation.requestBody?.content ?? {});
  const body = type === undefined ? fc.constant(undefined) : bodyOf(type, values(content?.schema), changes);
  return fc
    .record({ inPath, query: ofKind("query"), headers: ofKind("header"), body })
    .map(({ inPath: there, query, headers, body: made }) => {
      const asked = Object.entries(query).map(
        ([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`,
      );
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(segmentOf(there[name])),
      );
      return {
        operation: `${method} ${template}`,
        method: method.toUpperCase(),
        path: asked.length === 0 ? path : `${path}?${asked.join("&")}`,
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerOf(value)])),
          ...(made !== undefined && { "content-type": made.type }),
        },
        body: made?.bytes,
      };
    });
}

/** An object with all required members, and each optional member in one of four cases. */
function someOf(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  required: readonly string[],
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(members).map(([key, value]) => [
    key,
    required.includes(key)
      ? value.map((one) => ({ one }))
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: value.map((one) => ({ one })) },
        ),
  ]);
  return fc
    .record(
      Object.fromEntries(entries) as Readonly<
        Record<string, fc.Arbitrary<{ readonly one: unknown } | undefined>>
      >,
    )
    .map((made) =>
      Object.fromEntries(
        Object.entries(made).flatMap(([key, kept]) => (kept === undefined ? [] : [[key, kept.one]])),
      ),
    );
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  // Lone surrogates cannot be sent.
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** A path segment. An empty segment or one that consists of dots would change the path. */
function segmentOf(value: unknown): string {
  const text = textOf(value);
  return /^\.{0,2}$/.test(text) ? "x" : text;
}

/** A header value, with only the characters that clients can send. */
function headerOf(value: unknown): string {
  return textOf(value)
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .trim();
}

/** A body of a media type: a value of its schema, with mutations. */
function bodyOf(
  type: string,
  value: fc.Arbitrary<unknown>,
  changes: fc.Arbitrary<readonly Change[]>,
): fc.Arbitrary<{ readonly type: string; readonly bytes: Uint8Array }> {
  const isForm = type.startsWith("multipart");
  const isLines = type.includes("ndjson");
  const one = isForm ? fc.constant(undefined) : isLines ? fc.array(value, { maxLength: 3 }) : value;
  return fc.tuple(one, changes).map(([made, some]) => {
    const lines = isLines
      ? (made as readonly unknown[]).map((line) => JSON.stringify(line)).join("\n")
      : undefined;
    const text = isForm ? FORM : (lines ?? JSON.stringify(made) ?? "");
    const bytes = mutatedBytes(new TextEncoder().encode(text), some);
    return { type: isForm ? "multipart/form-data; boundary=fuzz" : type, bytes };
  });
}

const FORM = ['name="project_id"\r\n\r\nacme/demo', 'name="file"; filename="f"\r\n\r\nsome bytes']
  .map((part) => `--fuzz\r\nContent-Disposition: form-data; ${part}\r\n`)
  .concat("--fuzz--\r\n")
  .join("");

/** Values of a schema: valid ones, or, if `wrong`, occasionally something else in some places. */
function valuesOf(document: OpenApi, known: KnownValues, wrong: boolean): Values {
  const made = new Map<string, fc.Arbitrary<unknown>>();
  const resolve = ($ref: string): fc.Arbitrary<unknown> => {
    const name = /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] ?? "";
    let arbitrary = made.get(name);
    if (arbitrary === undefined) {
      // Schemas are recursive, so each arbitrary is created on first use.
      let real: fc.Arbitrary<unknown> | undefined;
      arbitrary = fc.constant(undefined).chain(() => {
        real ??= of(document.components.schemas[name], undefined, 0);
        return real;
      });
      made.set(name, arbitrary);
    }
    return arbitrary;
  };
  const of = (schema: Schema | undefined, name: string | undefined, depth: number): fc.Arbitrary<unknown> => {
    const meets = name === undefined ? undefined : known[name];
    const there = meets === undefined ? [] : [{ weight: 12, arbitrary: fc.constantFrom(...meets) }];
    if (!wrong) return there[0]?.arbitrary ?? rightOf(schema ?? {}, depth);
    const right = { weight: 12, arbitrary: rightOf(schema ?? {}, depth) };
    return fc.oneof(...there, right, { weight: 1, arbitrary: anything });
  };
  const rightOf = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) return depth > 6 ? plain : resolve(schema.$ref);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => of(choice, undefined, depth + 1)));
    const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    if (type === "object" || schema.properties !== undefined) return objectOf(schema, depth);
    if (type === "array")
      return fc.array(of(schema.items, undefined, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    if (type === "string") return wrong ? texts : fc.constantFrom("x", "y");
    if (type === "boolean") return fc.boolean();
    if (type === "null") return fc.constant(null);
    if (type === "integer" || type === "number") {
      const [min, max] = [schema.minimum ?? 0, schema.maximum ?? 20];
      if (type === "number") return fc.double({ min, max, noNaN: true });
      return fc.integer({ min: Math.ceil(min), max: Math.floor(Math.max(min, Math.min(max, min + 20))) });
    }
    return wrong ? anything : plain;
  };
  const objectOf = ({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> =>
    someOf(
      Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, of(inner, key, depth + 1)])),
      required,
    );
  return (schema, name) => of(schema, name, 0);
}

/**
 * The reason why a response violates the document: an undocumented status, or a body that does not match its schema.
 */
export function answerChecker(
  document: OpenApi,
): (operation: string, status: number, type: string, text: string) => string | undefined {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  return (name, status, type, text) => {
    const [method, template] = name.split(" ") as [string, string];
    const responses = document.paths[template]![method]!.responses;
    const described = responses[status];
    if (described === undefined) return `${status} is not among ${Object.keys(responses).join(", ")}`;
    const media = Object.keys(described.content ?? {}).find((one) => type.startsWith(one));
    if (
      media === undefined ||
      !/^application\/(?:problem\+)?json$/.test(media) ||
      described.content![media]!.schema === undefined
    )
      return undefined;
    const pointer = ["paths", template, method, "responses", String(status), "content", media, "schema"]
      .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
      .join("/");
    let validate = compiled.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `document#/${encodeURI(pointer)}` });
      compiled.set(pointer, validate);
    }
    if (validate(JSON.parse(text))) return undefined;
    return `${status} has an invalid body: ${ajv.errorsText(validate.errors)}`;
  };
}
