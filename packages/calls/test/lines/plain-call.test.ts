// The fast reader of plain lines agrees with the parser, and accepts no line that the parser refuses.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readCallLine } from "../../src/index.ts";
import { readPlainCall, SPANS } from "../../src/lines/plain-call.ts";

const FIELDS = [
  ...(["id", "trace_id", "parent_id", "op_name"] as const),
  ...(["display_name", "started_at", "ended_at", "deleted_at"] as const),
] as const;

/** The fields of a plain line, or undefined for other lines. */
function plain(line: string): Readonly<Record<string, string | null>> | undefined {
  // The reader must ignore the bytes before and after the line.
  const bytes = Buffer.from(`{}\n${line}\n}"`);
  const spans = new Uint32Array(SPANS + 1);
  if (!readPlainCall(bytes, 3, spans, 1)) return undefined;
  const text = (f: number): string | null =>
    spans[2 * f + 1] === 0 ? null : bytes.toString("utf8", spans[2 * f + 1], spans[2 * f + 2]);
  return Object.fromEntries(FIELDS.map((field, f) => [field, text(f)]));
}

function parsed(line: string): Readonly<Record<string, string | null>> | undefined {
  const call = readCallLine(line);
  return call.ok ? Object.fromEntries(FIELDS.map((field) => [field, call.value[field]])) : undefined;
}

// Small pools, so that keys repeat, including near-JSON.
const key = fc.constantFrom(
  ...FIELDS,
  "inputs",
  "output",
  "exception",
  "attributes",
  "ID",
  "i\\u0064",
  "é",
  "",
);
const atom = fc.constantFrom(
  ...['"a"', '""', '"é"', '"\\n"', '"\\u00e9\\ud800"', '"\\x"', '"\\u12g4"', '"\u0001"', '"a', "null", "nul"],
  ...[
    "true",
    "falsey",
    "0",
    "-0.5e+3",
    "01",
    "1.",
    "-",
    "1e",
    ".5",
    "NaN",
    "[]",
    "{}",
    "[1,]",
    '{"a":1,}',
    "{1:2}",
  ],
);
const space = fc.constantFrom("", "", "", " ", "\t", "\r", "\u00a0", "\v");
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc
      .tuple(space, fc.array(tie("any"), { maxLength: 3 }))
      .map(([s, all]) => `[${s}${all.join(`${s},`)}${s}]`),
    fc
      .tuple(space, fc.array(fc.tuple(key, tie("any")), { maxLength: 3 }))
      .map(([s, all]) => `{${s}${all.map(([k, v]) => `"${k}"${s}:${s}${v}`).join(`,${s}`)}}`),
  ),
})).any as fc.Arbitrary<string>;
const line = fc
  .tuple(
    fc.array(
      fc.tuple(key, fc.oneof({ weight: 3, arbitrary: fc.constantFrom('"a"', '"b-1"', "null") }, value)),
      { maxLength: 8 },
    ),
    space,
  )
  .map(([members, s]) => `${s}{${s}"id":"x"${members.map(([k, v]) => `,${s}"${k}":${v}`).join("")}${s}}${s}`);

test("agrees with the parser whenever it accepts", () => {
  let answered = 0;
  fc.assert(
    fc.property(line, (text) => {
      const read = plain(text);
      if (read === undefined) return;
      answered++;
      // A missing `op_name` counts as empty.
      expect({ ...read, op_name: read["op_name"] ?? "" }).toEqual(parsed(text));
    }),
    { numRuns: 5000 },
  );
  // The reader must accept enough of the lines.
  expect(answered).toBeGreaterThan(500);
});

test("a call as clients write it is plain; lines that need the parser are not", () => {
  const call =
    '{"id":"c1","trace_id":"t","parent_id":null,"op_name":"f","started_at":"2026-01-01T00:00:00Z","inputs":{"text":"é\\n","n":[1,-2.5e3,{"a":null}]},"exception":null}';
  expect(plain(call)).toMatchObject({
    id: "c1",
    trace_id: "t",
    parent_id: null,
    op_name: "f",
    ended_at: null,
  });
  for (const other of [
    '{"id":"c\\u0031"}',
    '{"id":"é"}',
    '{"id":""}',
    '{"id":null}',
    '{"op_name":"f"}',
    '{"id":"a"} {}',
    '{"id":"a","exception":7}',
    `{"id":"a","inputs":${"[".repeat(200)}${"]".repeat(200)}}`,
  ])
    expect(plain(other)).toBeUndefined();
});
