// Structured answers parse and fit their schema, according to an independent validator, whatever the model prefers.

import { cases } from "@assay/testing/cases";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choice, literal, matcherOf, repeat, sequence } from "../src/grammar/grammar.ts";
import { jsonObjectGrammar, schemaGrammar } from "../src/grammar/json-grammar.ts";
import { baseModel, createModel } from "../src/model/model.ts";
import { type SampleOptions, sampleTokens } from "../src/sample.ts";
import { promptOf } from "../src/tokens/chat-template.ts";

const small = createModel(3, { window: 8, context: 512, embedding: 4, hidden: 8 });
const prompt = promptOf([{ role: "user", content: "Fill in the form." }]);

function answer(options: SampleOptions, model = small) {
  const said = [...sampleTokens(model, prompt, { maxTokens: 100, ...options })];
  return { text: said.map(({ text }) => text).join(""), finish: said.at(-1)!.finish, tokens: said.length };
}

const grammarOf = (schema: object) => {
  const read = schemaGrammar(schema);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
};

/** Schemas like those of clients, small enough for an answer of 100 tokens. */
const leaf = fc.oneof(
  fc.constant({ type: "string" }),
  fc.record({ type: fc.constant("string"), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 6 }) }),
  fc.constantFrom({ type: "boolean" }, { type: "null" }, { type: ["string", "null"] }, {}),
  fc
    .tuple(fc.integer({ min: -1200, max: 1200 }), fc.nat(300))
    .map(([minimum, more]) => ({ type: "integer", minimum, maximum: minimum + more })),
  fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.nat(30))
    .map(([minimum, more]) => ({ type: "number", minimum, maximum: minimum + more })),
  fc.constantFrom({ type: "number" }, { type: "integer" }, { type: "integer", exclusiveMinimum: 0 }),
  fc
    .uniqueArray(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 4, comparator: "SameValue" })
    .map((values) => ({ enum: values.filter((value) => JSON.stringify(value).length < 30).concat('é\n"') })),
  fc.constant({ const: { a: [1, "two"] } }),
  fc.constant({ $ref: "#/$defs/node" }),
);
const schema = fc.letrec<{ any: object }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", maxDepth: 2 },
    leaf,
    fc.record({
      type: fc.constant("array"),
      items: tie("any"),
      minItems: fc.nat(1),
      maxItems: fc.constant(3),
    }),
    fc.dictionary(fc.constantFrom("a", "b", "naïve", 'q"'), tie("any"), { maxKeys: 3 }).chain((properties) =>
      fc.record({
        type: fc.constant("object"),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
        additionalProperties: fc.constantFrom(false, true),
      }),
    ),
    fc.record({ anyOf: fc.tuple(tie("any"), tie("any")) }),
    fc.record({
      prefixItems: fc.tuple(tie("any"), tie("any")),
      items: fc.constant(false),
      type: fc.constant("array"),
      minItems: fc.constant(2),
    }),
  ),
})).any;
const $defs = {
  node: {
    type: "object",
    properties: { value: { type: "integer", minimum: 0, maximum: 99 }, next: { $ref: "#/$defs/node" } },
    required: ["value"],
    additionalProperties: false,
  },
};

const FORMS = cases(1000);

describe("structured answers", () => {
  test(`${FORMS} of them parse and fit their schemas`, () => {
    const ajv = new Ajv2020({ strict: false });
    let fitted = 0;
    fc.assert(
      fc.property(schema, fc.nat(1000), fc.constantFrom(0, 1, 2), (any, seed, temperature) => {
        const whole = { ...any, $defs };
        const { text, finish } = answer({ seed, temperature, grammar: grammarOf(whole) });
        expect(finish).toBe("stop");
        const value: unknown = JSON.parse(text);
        expect({ text, errors: ajv.validate(whole, value) ? null : ajv.errorsText() }).toEqual({
          text,
          errors: null,
        });
        fitted++;
      }),
      { numRuns: FORMS },
    );
    expect(fitted).toBe(FORMS);
  });

  test("any object parses, even from the bundled model and with few tokens", () => {
    const base = baseModel("assay/tiny")!;
    for (let seed = 0; seed < 20; seed++) {
      const { text, tokens } = answer({ seed, grammar: jsonObjectGrammar(), maxTokens: 3 + 2 * seed }, base);
      expect(JSON.parse(text)).toBeTypeOf("object");
      expect(tokens).toBeLessThanOrEqual(3 + 2 * seed);
    }
  });

  test("with too few tokens for any value it starts and breaks off", () => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    expect(answer({ seed: 1, grammar: grammarOf(schema), maxTokens: 5 })).toEqual({
      text: '{"nam',
      finish: "length",
      tokens: 5,
    });
  });

  test.each([
    [{ type: "string", pattern: "a+" }, ["pattern"], /does not support pattern/],
    [
      { properties: { a: { type: "array", uniqueItems: true } } },
      ["properties", "a", "uniqueItems"],
      /uniqueItems/,
    ],
    [{ type: "date" }, ["type"], /must be a type of JSON/],
    [{ type: [{ toString: 1 }] }, ["type"], /must be a type of JSON/],
    [{ type: "object", required: [{}] }, ["required"], /must be a list of names/],
    [{ $ref: "https://example.com/schema" }, ["$ref"], /must point into the schema/],
    [{ $ref: "#" }, [], /no value .* fits/],
    [{ type: "integer", minimum: 3, maximum: 2 }, [], /no value .* fits/],
    [{ type: "object", required: ["a"], additionalProperties: false }, [], /no value .* fits/],
    [7, [], /must be a schema/],
  ])("an unsupported part of %j is refused with its path", (schema, path, message) => {
    expect(schemaGrammar(schema)).toMatchObject({
      ok: false,
      issues: [{ path, message: expect.stringMatching(message) }],
    });
  });

  test("a matcher allows exactly the bytes that can still be completed", () => {
    const matcher = matcherOf(choice(sequence(literal("ab"), repeat(literal("c"), 1, 3)), literal("ad")));
    const allowed = new Uint8Array(257);
    const next = (left: number) => {
      const ends = matcher.next(allowed, left);
      return [String.fromCharCode(...[...allowed.keys()].filter((byte) => allowed[byte] === 1)), ends];
    };
    expect(next(9)).toEqual(["a", false]);
    matcher.say(97);
    expect(next(9)).toEqual(["bd", false]);
    expect(next(1)).toEqual(["d", false]);
    matcher.say(98);
    matcher.say(99);
    expect(next(9)).toEqual(["c", true]);
    expect(() => matcher.say(100)).toThrow(/does not allow the byte 100/);
  });
});

describe("repetition", () => {
  const freest = { seed: 4, temperature: 1, maxTokens: 60 } as const;
  const counts = (options: Partial<SampleOptions>) => {
    const said = [...sampleTokens(small, prompt, { ...freest, ...options })].map(({ token }) => token);
    return { said, repeats: said.length - new Set(said).size };
  };

  test("a penalty on it makes it rarer, a negative one more frequent", () => {
    const never = { logitBias: new Map([[256, -100]]) };
    const plain = counts(never).repeats;
    expect(counts({ ...never, frequencyPenalty: 2, presencePenalty: 2 }).repeats).toBeLessThan(plain);
    expect(counts({ ...never, frequencyPenalty: -2 }).repeats).toBeGreaterThan(plain);
  });

  test("a large bias decides, and so does the likeliest token if it is the only one", () => {
    expect(counts({ logitBias: new Map([[120, 100]]) }).said).toEqual(Array(60).fill(120));
    expect(counts({ topK: 1 }).said).toEqual(counts({ temperature: 0 }).said);
  });
});
