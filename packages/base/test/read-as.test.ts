// Reading a value by a description: which values are allowed, and the messages for others.

import { describe, expect, test } from "vitest";
import { type Description, readAs, schemaOf } from "../src/schemas/read-as.ts";

const POINT: Description = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    at: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: 2 },
    kind: { enum: ["dot", "ring"] },
    note: { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }] },
    size: {
      anyOf: [
        { type: "string", const: "auto" },
        { type: "number", minimum: 1 },
      ],
    },
    extra: {},
    more: { type: "object" },
  },
  required: ["name"],
  additionalProperties: false,
};

describe("schemaOf", () => {
  const schema = schemaOf<{ readonly name: string }>(POINT);

  test.each([
    { name: "a" },
    { name: "a", at: [0, 3], kind: "ring", note: null, extra: [{ any: "thing" }] },
    { name: "a", note: "b" },
  ])("allows %j", (value) => {
    expect(readAs(schema, value)).toEqual({ ok: true, value });
  });

  test.each([
    [[], [["dict_type", "the value must be a JSON object"]]],
    [{}, [["missing", "name is required"]]],
    [{ name: "" }, [["string_too_short", "name must not be empty"]]],
    [
      { name: 1, kind: "square" },
      [
        ["string_type", "name must be a string"],
        ["literal_error", "kind must be 'dot' or 'ring'"],
      ],
    ],
    [
      { name: "a", at: [0.5, -1] },
      [
        ["int_type", "at[0] must be an integer"],
        ["greater_than_equal", "at[1] must be 0 or more"],
      ],
    ],
    [{ name: "a", at: [1, 2, 3] }, [["too_long", "at must have at most 2 items, not 3"]]],
    [{ name: "a", note: 5 }, [["string_type", "note must be a string"]]],
    [{ name: "a", note: "long" }, [["string_too_long", "note must have at most 3 characters, not 4"]]],
    [{ name: "a", size: "x" }, [["value_error", "size must be 'auto' or a number"]]],
    [{ name: "a", size: 1 / 0 }, [["value_error", "size must be 'auto' or a number"]]],
    [{ name: "a", more: [] }, [["dict_type", "more must be a JSON object"]]],
    [{ name: "a", size: 0 }, [["greater_than_equal", "size must be 1 or more"]]],
    [{ name: "a", other: 1 }, [["extra_forbidden", "other is not a property of this object"]]],
  ] as const)("reports what is wrong with %j", (value, wanted) => {
    const read = readAs(schema, value);
    expect(read.ok ? [] : read.issues.map(({ code, message }) => [code, message])).toEqual(wanted);
  });
});
