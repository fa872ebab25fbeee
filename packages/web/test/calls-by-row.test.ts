import { expect, test } from "vitest";
import { callsByRow } from "../src/calls-by-row.ts";

const call = (id: string, parent: string | null, example?: unknown) =>
  JSON.stringify({ id, parent_id: parent, inputs: example === undefined ? {} : { example } });

const lines = [
  call("a", null),
  call("a1", "a", "ref 1"),
  call("a1-model", "a1"),
  call("a2", "a", { question: "é😀" }),
  "no call",
  call("b", null),
  call("b2", "b", { question: "é😀" }),
  call("b1", "b", "ref 1"),
  call("b1-model", "b1"),
  call("b1-tool", "b1-model"),
];

async function ordered(together?: number): Promise<readonly string[]> {
  // Pieces may end anywhere, even within a character.
  const bytes = Buffer.from(lines.join("\n"));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  let text = "";
  for await (const piece of callsByRow(pieces(), together)) text += Buffer.from(piece).toString();
  return text.trimEnd().split("\n");
}

test("calls of a row are contiguous, with all their descendants, parents first", async () => {
  const [a, a1, a1Model, a2, none, b, b2, b1, b1Model, b1Tool] = lines;
  expect(await ordered()).toEqual([a, none, b, a1, a1Model, b1, b1Model, b1Tool, a2, b2]);
});

test("no line is lost if there are too many to order together", async () => {
  const some = await ordered(200);
  expect(some.toSorted()).toEqual(lines.toSorted());
  expect(some).not.toEqual(await ordered());
});
