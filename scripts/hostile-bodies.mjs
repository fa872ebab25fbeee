// The bodies of `npm run hostile`, derived from the server's OpenAPI document: for every route that takes a body, one
// valid body for each list, open object and text in it, which it fills with adversarial values. New lists in the
// document are covered automatically.

import { gzipSync } from "node:zlib";

const MIB = 2 ** 20;

/** The fillings of a list; `i` is the index of an item. */
const FILLINGS = {
  "{}": () => "{}",
  "[]": () => "[]",
  0: () => "0",
  "1.0": () => "1.0",
  '""': () => '""',
  "unique keys": (i) => `{"k${i}":0}`,
};
const VALUES_OF = { "{}": 1, "[]": 1, 0: 1, "1.0": 1, '""': 1, "unique keys": 2 };

const [FEW, MANY] = [20_000, 50_000];

/**
 * The limits of the routes in bytes, values and distinct names, by a pattern for their paths: the first match applies.
 * A route without a match is an error, so that a new route cannot be left out or get the wrong limits.
 */
const LIMITS = [
  [/\/eval_results\//, 4 * MIB, 250_000, FEW],
  [/^\/v1\/(?:chat\/completions|completions|responses|embeddings)$/, 32 * MIB, 250_000, FEW],
  [/^\/v1\/files$/, 256 * MIB, 0, 0],
  [/^\/v1\/fine_tuning\//, MIB / 4, 250_000, FEW],
  [/^\/v1\/keys$/, MIB / 16, 250_000, FEW],
  [
    /^\/v1\/preview\/(?:models$|sft-training-jobs|worker\/claim|models\/[^/]*\/(?:checkpoints|aliases\/))/,
    MIB,
    250_000,
    FEW,
  ],
  [/^\/v1\/preview\//, 128 * MIB, 3_000_000, MANY],
  [/^\/otel\/v1\//, 16 * MIB, 1_000_000, FEW],
  [/^\/graphql$/, 16 * MIB, 250_000, FEW],
  [/^\/files\/.*\/file_stream$/, 64 * MIB, 250_000, FEW],
  [/^\/wandb\/upload\//, 64 * MIB, 0, 0],
  [/\/import$|^\/(?:v2\/.*\/)?call\/(?:start|end|update)$/, 64 * MIB, 400_000, MANY],
  [
    /^\/v2\/[^/]*\/[^/]*\/(?:datasets|evaluations|evaluation_runs|models|predictions|scorers|scores)(?:\/|$)/,
    64 * MIB,
    400_000,
    MANY,
  ],
  [/^\/(?:obj\/(?:create|delete)|feedback\/(?:create|replace|purge)|cost\/purge)$/, 64 * MIB, 400_000, MANY],
  [
    /^\/(?:calls\/(?:stream_query|query_stats)|call\/read|objs?\/(?:read|query)|table\/query|refs\/|feedback\/query|cost\/query|file\/content)/,
    64 * MIB,
    250_000,
    MANY,
  ],
  [/^\/(?:call|calls|obj|objs|table|refs|feedback|cost|file)\//, 64 * MIB, 2_000_000, MANY],
  [/^\/v2\/[^/]*\/[^/]*\/calls\/complete$/, 64 * MIB, 2_000_000, MANY],
];
/** Bodies with many records: the depth of a record in lists and objects, and the maximum number of its values. */
const RECORDS = [
  [/\/(?:upsert_batch|complete|batch\/create|delete|update|create_from_digests)$|^\/cost\/create$/, 2],
  [/\/table\/create$/, 3],
];
const RECORD_VALUES = 400_000;

/** Lines and forms have no schema in the document: the schema of a line, by the path that takes it. */
const LINES = [
  [
    /\/calls\/import$/,
    { type: "object", properties: { id: {}, inputs: { type: "object" } }, required: ["id"] },
  ],
  [
    /\/rows\/import$/,
    { type: "object", properties: { digest: {}, val: { type: "object" } }, required: ["digest", "val"] },
  ],
  [
    /\/training-data$/,
    {
      type: "object",
      properties: { messages: { type: "array", items: {} }, tools: { type: "array", items: {} } },
    },
  ],
];

/** Routes that only workers use, which the document omits. */
const json = (schema) => ({ post: { requestBody: { content: { "application/json": { schema } } } } });
const listOf = (items) => ({ type: "array", items });
const WORKERS = {
  "/v1/preview/worker/claim": json({
    type: "object",
    required: ["worker"],
    properties: {
      worker: { type: "string" },
      kinds: listOf({ type: "string" }),
      base_models: listOf({ type: "string" }),
    },
  }),
  "/v1/preview/training-jobs/{training_job_id}/messages": json({
    type: "object",
    required: ["attempt", "messages"],
    properties: { attempt: { type: "integer" }, messages: listOf({}) },
  }),
  "/v1/preview/training-jobs/{training_job_id}/files": {
    post: { requestBody: { content: { "application/octet-stream": { schema: {} } } } },
  },
};

/** Placeholders for fillings in a body's text: items of a list, members of an object, the inside of a text. */
const [ITEMS, MEMBERS, TEXT] = ["\u0001items", "\u0001members", "\u0001text"];

/**
 * All bodies, each built on demand. `known` has values of properties that must exist for a body to pass the checks;
 * `parameters` has those of path parameters.
 */
export function bodies(document, { known, parameters, mostBytes }) {
  const [all, unlimited] = [[], []];
  const described = new Description(document, known);
  for (const [template, item] of Object.entries({ ...document.paths, ...WORKERS })) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation?.requestBody === undefined) continue;
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name] ?? "x").replace(/\/$/, "");
      const found = LIMITS.find(([begins]) => begins.test(path));
      if (found === undefined) {
        unlimited.push(`${method.toUpperCase()} ${template}`);
        continue;
      }
      const [, limit, values, names] = found;
      const most = Math.min(limit, mostBytes);
      for (const [type, { schema }] of Object.entries(operation.requestBody.content))
        for (const place of placesOf(described, { path, type, schema }))
          all.push(...filledIn(place, { path, method: method.toUpperCase(), type, most, values, names }));
    }
  }
  if (unlimited.length > 0)
    throw new Error(
      `no limits for ${unlimited.join(", ")}: add them to LIMITS in scripts/hostile-bodies.mjs`,
    );
  return all;
}

/** The places to fill in the bodies of a route: a name, the text around it, and the separator between fillings. */
function placesOf(described, { path, type, schema }) {
  if (type === "multipart/form-data") return [formPlace(described, schema)];
  if (/json$/.test(type) && !/ndjson/.test(type)) return [...rootPlaces(","), ...described.places(schema)];
  if (!/ndjson/.test(type)) return [{ name: "(bytes)", text: TEXT, separator: "" }];
  const [, line] = LINES.find(([ends]) => ends.test(path)) ?? [undefined, {}];
  const inside = [...rootPlaces(","), ...described.places(line)].map((place) => ({
    ...place,
    name: `line ${place.name}`,
  }));
  // The server streams lines, whatever their number: a part of the limit tests as much as the whole.
  const lines = {
    name: "lines",
    text: ITEMS,
    separator: "\n",
    sample: described.sample(line),
    most: 4 * MIB,
  };
  return [lines, ...inside];
}

function rootPlaces(separator) {
  return [
    { name: "(a list)", text: `[${ITEMS}]`, separator },
    { name: "(an object)", text: `{${MEMBERS}}`, separator },
    { name: "(a text)", text: `"${TEXT}"`, separator },
  ];
}

const BOUNDARY = "hostile";
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function formPlace(described, schema) {
  const part = (name, value, more = "") =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const fields = schema.required
    .filter((name) => name !== "file")
    .map((name) =>
      part(name, JSON.parse(described.known[name] ?? described.sample(schema.properties[name]))),
    );
  const text = `${fields.join("")}${part("file", TEXT, '; filename="f"')}--${BOUNDARY}--\r\n`;
  return { name: "file", text, separator: "" };
}

/** JSON Schema as far as the document uses it: minimal valid values, and the places in them that can be filled. */
class Description {
  constructor(document, known) {
    this.document = document;
    this.known = known;
    this.seen = new Set();
  }

  resolved(schema) {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? "")?.[1];
    return name === undefined ? (schema ?? {}) : this.document.components.schemas[name];
  }

  /** The text of a minimal valid value. */
  sample(given, depth = 0) {
    const schema = this.resolved(given);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return JSON.stringify(schema.enum[0]);
    const [choice] = schema.anyOf ?? schema.oneOf ?? [];
    if (choice !== undefined) return this.sample(choice, depth + 1);
    if (depth > 12) return "null";
    switch (typeOf(schema)) {
      case "array":
        return `[${Array.from({ length: schema.minItems ?? 0 }, () => this.sample(schema.items, depth + 1)).join(",")}]`;
      case "object":
        return this.objectText(schema, {}, depth);
      case "string":
        return JSON.stringify("x".repeat(Math.max(1, schema.minLength ?? 1)));
      case "integer":
      case "number":
        return String(schema.minimum ?? 1);
      case "boolean":
        return "true";
      case "null":
        return "null";
      default:
        return '"x"';
    }
  }

  /** An object with its required properties, and the given texts for some properties. */
  objectText(schema, given, depth) {
    const names = new Set([...(schema.required ?? []), ...Object.keys(given)]);
    const members = [...names].map((name) => {
      const text = given[name] ?? this.known[name] ?? this.sample(schema.properties?.[name], depth + 1);
      return `${JSON.stringify(name)}:${text}`;
    });
    return `{${members.join(",")}}`;
  }

  *places(given, name = "", wrap = (text) => text) {
    const schema = this.resolved(given);
    // A schema that several bodies share, or that contains itself, is visited once.
    if (given?.$ref !== undefined && this.seen.has(given.$ref)) return;
    this.seen.add(given?.$ref);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      for (const [i, choice] of choices.entries())
        yield* this.places(choice, choices.length > 2 && name !== "" ? `${name}|${i}` : name, wrap);
      return;
    }
    const type = typeOf(schema);
    if (type === "array" || type === undefined)
      yield {
        name: name || "(whole)",
        text: wrap(`[${ITEMS}]`),
        separator: ",",
        sample: this.sample(schema.items),
      };
    if (type === "array") {
      yield* this.places(schema.items, `${name}[]`, (text) => wrap(`[${text}]`));
    } else if (type === "object") {
      for (const [key, property] of Object.entries(schema.properties ?? {})) {
        const within = (text) => wrap(this.objectText(schema, { [key]: text }, 0));
        yield* this.places(property, name === "" ? key : `${name}.${key}`, within);
      }
      const members = this.objectText(schema, {}, 0)
        .replace(/\}$/, (end) => `,${MEMBERS}${end}`)
        .replace("{,", "{");
      yield { name: `${name}{}`, text: wrap(members), separator: "," };
    } else if (type === "string") yield { name, text: wrap(`"${TEXT}"`), separator: "," };
  }
}

function typeOf({ type, properties, items }) {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  return type ?? (properties === undefined ? (items === undefined ? undefined : "array") : "object");
}

/**
 * The bodies that fill one place: one up to the route's byte limit, and one up to the number of values that the route
 * accepts.
 */
function filledIn(
  { name, text, separator, sample, ...place },
  { path, method, type, most: limit, values, names },
) {
  const most = Math.min(limit, place.most ?? limit);
  const [before, after] = [ITEMS, MEMBERS, TEXT].flatMap((mark) =>
    text.includes(mark) ? [text.split(mark)] : [],
  )[0];
  const [, recordDepth = Number.POSITIVE_INFINITY] = RECORDS.find(([ends]) => ends.test(path)) ?? [];
  const recordValues = depthOf(before) > recordDepth ? RECORD_VALUES : values;
  const one = (filling, inside, whole) => ({
    path,
    method,
    type,
    place: name,
    filling,
    /** The parts of the body in order; gzipped, each is a separate member. */
    make: (gzip) => [partOf(before, gzip), inside(gzip), partOf(after, gzip)],
    whole,
  });
  const around = before.length + after.length;
  // The same for all places of a route whose surrounding text is short, so that `madeOnce` can reuse bodies.
  const room = Math.max(0, around < AROUND && most > 2 * AROUND ? most - AROUND : most - around);
  if (text.includes(TEXT))
    return [one("long text", (gzip) => madeOnce(`text ${room}`, gzip, () => Buffer.alloc(room, "a")), true)];
  const fillings = text.includes(MEMBERS)
    ? { "unique keys": (i) => `"k${i}":0` }
    : { ...FILLINGS, ...(sample !== undefined && { valid: (i) => sample.replace('"x"', `"x${i}"`) }) };
  return Object.entries(fillings).flatMap(([filling, item]) => {
    const unique = item(1) !== item(2);
    const each = filling === "valid" ? countOf(sample) : text.includes(MEMBERS) ? 1 : VALUES_OF[filling];
    // A little below the count that the server refuses.
    const countable = Math.floor((Math.min(values, recordValues) * 0.99 - 1000) / each);
    const most = filling === "unique keys" ? Math.min(countable, names - 1000) : countable;
    const inside = (count) => (gzip) =>
      madeOnce(`${count} of ${item(0)}${separator}${item(1)} in ${room}`, gzip, () =>
        listed(item, { unique, separator, room, count }),
      );
    const read = one(`${filling}, fewer`, inside(most), false);
    const refused = one(filling, inside(Number.POSITIVE_INFINITY), true);
    return most * (item(1).length + separator.length) < room ? [refused, read] : [read];
  });
}

/** The limit for the size of the text around a filling, unless the text itself is longer. */
const AROUND = 4096;

/** The most recent fillings: writing and compressing a hundred MiB takes longer than the server's response. */
const made = new Map();
/** Enough for every filling of a place, plain and gzipped, which the next place of the route reuses. */
const MOST_MADE = 16;

function madeOnce(key, gzip, make) {
  const name = `${key}${gzip ? ", gzipped" : ""}`;
  const bytes = made.get(name) ?? (gzip ? gzipSync(madeOnce(key, false, make), { level: 1 }) : make());
  made.delete(name);
  made.set(name, bytes);
  if (made.size > MOST_MADE) made.delete(made.keys().next().value);
  return bytes;
}

function partOf(text, gzip) {
  return gzip ? gzipSync(text) : Buffer.from(text);
}

/** The number of lists and objects open at the end of a text whose strings have no brackets. */
function depthOf(text) {
  return [...text.matchAll(/[[{]/g)].length - [...text.matchAll(/[\]}]/g)].length;
}

/** The approximate number of values in a JSON text. */
function countOf(text) {
  return 1 + [...text.matchAll(/[,:[]/g)].length;
}

function listed(item, { unique, separator, room, count = Number.POSITIVE_INFINITY }) {
  const step = separator.length;
  if (!unique) {
    const one = item(0) + separator;
    const fits = Math.max(0, Math.min(count, Math.floor((room + step) / one.length)));
    return Buffer.alloc(fits * one.length, one).subarray(0, Math.max(0, fits * one.length - step));
  }
  const parts = [];
  let length = 0;
  for (let i = 0; i < count; ) {
    let text = "";
    for (const end = Math.min(count, i + 10_000); i < end; i++) text += item(i) + separator;
    if (length + text.length > room) {
      parts.push(Buffer.from(text.slice(0, text.lastIndexOf(separator, room - length - 1) + step)));
      break;
    }
    length += text.length;
    parts.push(Buffer.from(text));
  }
  const all = Buffer.concat(parts);
  return all.subarray(0, Math.max(0, all.length - step));
}
