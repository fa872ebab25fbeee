import type { Json } from "@assay/base";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printQuery, querySchemas, readQuery } from "../src/index.ts";
import { condition, damaged, runs } from "./arbitrary.ts";

const validate = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false })
  .addVocabulary(["components"])
  .compile({ $ref: "#/components/schemas/Query", components: { schemas: querySchemas() } });

describe("querySchemas", () => {
  test("accept exactly what the reader accepts", () => {
    const query: fc.Arbitrary<Json> = fc.oneof(condition.map(printQuery), damaged(condition.map(printQuery)));
    fc.assert(
      fc.property(query, (wire) => {
        expect(validate(wire)).toBe(readQuery(wire, { at: [], field: () => undefined }).ok);
      }),
      runs,
    );
  });

  test("one for the query, one for operands and one for each operator, with the bounds of the language", () => {
    const schemas = querySchemas();
    expect(Object.keys(schemas)).toHaveLength(2 + 13);
    expect(schemas["NotOperation"]).toMatchObject({ properties: { $not: { minItems: 1, maxItems: 1 } } });
    expect(schemas["EqOperation"]).toMatchObject({ properties: { $eq: { minItems: 2, maxItems: 2 } } });
    expect(schemas["Query"]).toMatchObject({ required: ["$expr"], additionalProperties: false });
  });
});
