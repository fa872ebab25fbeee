import fc from "fast-check";
import { expect, test } from "vitest";
import { memberText } from "../src/json/member-text.ts";

const key = fc.constantFrom("a", "b", 'a"', "a\\", "é", "", "__proto__");
const value = fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.stringify(one));
const space = fc.constantFrom("", " ", "\n\t");
const escaped = (name: string) =>
  `"${Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;

test("the text of a member is that of the value in JSON.parse", () => {
  const member = fc.tuple(key, value, space, fc.boolean()).map(([name, text, gap, hidden]) => ({
    name,
    text,
    json: `${gap}${hidden ? escaped(name) : JSON.stringify(name)}${gap}:${gap}${text}${gap}`,
  }));
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), (members) => {
      const json = `{${members.map((one) => one.json).join(",")}}`;
      for (const name of ["a", 'a"', "a\\", "é", "", "__proto__"])
        expect(memberText(json, name)).toBe(members.findLast((one) => one.name === name)?.text);
    }),
    { numRuns: 2000 },
  );
});

test("only objects have members", () => {
  for (const json of ["[]", '"a"', "1", "null", "", " {}"]) expect(memberText(json, "a")).toBeUndefined();
});
