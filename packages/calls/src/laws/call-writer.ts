// Laws of `CallWriter`, tested through its store's `CallSource`.

import type { Json, Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { Call } from "../call/call.ts";
import type { CallSource } from "../ports/call-source.ts";
import type { CallText, CallWriter, JoinCalls, KeptCall } from "../ports/call-writer.ts";
import { callOf, textOf } from "../testing/calls.ts";

/** The laws of a `CallWriter`. `open` creates a new, empty store each time. */
export function callWriterLaws(open: Open<CallSource & CallWriter>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("the very same call again changes nothing", async (calls) => {
      const item = textOf(callOf("a", "root", { output: "o" }));
      expectSame(await calls.put(P, [item]), 1);
      const version = await calls.version(P);
      expectSame(await calls.put(P, [item, item]), 0);
      expectSame(await calls.put(P, [{ ...item, text: bytesOf(item.text) }]), 0);
      expectSame(await calls.version(P), version);
    }),

    law("of one id twice in a put, the last counts", async (calls) => {
      await calls.put(P, [textOf(callOf("a", "one")), textOf(callOf("a", "two"))]);
      expectSame(await idsBelow(calls, "one"), []);
      expectSame(await idsBelow(calls, "two"), ["a"]);
    }),

    law("puts at the same time are all kept", async (calls) => {
      const puts = Array.from({ length: 100 }, (_, i) => calls.put(P, [textOf(callOf(`c${i}`, "root"))]));
      expectSame(
        await Promise.all(puts),
        puts.map(() => 1),
      );
      expectSame((await idsBelow(calls, "root")).length, 100);
    }),

    law("pieces are joined with what is stored, in the order they came", async (calls) => {
      await calls.put(P, piece(1), joinOutputs);
      await Promise.all([
        calls.put(P, piece(2), joinOutputs),
        calls.put(P, [...piece(3), ...piece(4)], joinOutputs),
      ]);
      expectSame((await calls.calls(P, ["a"]))[0]?.output, [1, 2, 3, 4]);
    }),

    law("what is joined is given as a text, whatever it was put as", async (calls) => {
      await calls.put(P, [asBytes(callOf("a", "root", { output: [1] }))]);
      const texts: string[] = [];
      const join: JoinCalls = (known, piece) => {
        texts.push(known.text);
        return joinOutputs(known, piece);
      };
      await calls.put(P, [...piece(2), asBytes(callOf("b", "root", { output: [] })), ...piece(3, "b")], join);
      // A store may call `join` again with what it already joined.
      expectSame(texts.slice(0, 2), [
        textOf(callOf("a", "root", { output: [1] })).text,
        textOf(callOf("b", "root", { output: [] })).text,
      ]);
      expectSame(
        texts.filter((text) => typeof text !== "string"),
        [],
      );
    }),

    law("calls of several projects are put at once, each into its own", async (calls) => {
      const parts = [P, "acme/other"].map((project) => ({
        project,
        calls: [textOf(callOf("a", "root", { output: project }))],
      }));
      expectSame(await calls.putTogether(parts), 2);
      expectSame(await calls.putTogether(parts), 0);
      for (const { project } of parts) expectSame((await calls.calls(project, ["a"]))[0]?.output, project);
    }),

    law("a deleted call is gone until it is put again", async (calls) => {
      await calls.put(P, [
        textOf(callOf("a", "root")),
        textOf(callOf("a1", "a")),
        textOf(callOf("b", "root")),
      ]);
      expectSame(await calls.delete(P, ["a", "none", "a"], "2026-02-02T00:00:00Z"), 1);
      expectSame(await calls.delete(P, ["a"], "2026-03-03T00:00:00Z"), 0);
      expectSame(await idsBelow(calls, "root"), ["b"]);
      expectSame(await calls.calls(P, ["a", "b"]), [undefined, callOf("b", "root")]);
      expectSame(await calls.put(P, [textOf(callOf("a", "root"))]), 1);
      expectSame(await idsBelow(calls, "root"), ["a", "b"]);
      expectSame(await idsBelow(calls, "a"), ["a1"]);
    }),
  ];
}

const P = "acme/demo";

/** Adds outputs that the call does not have yet. */
const joinOutputs = (known: KeptCall, piece: CallText): CallText => {
  const [a, b] = [outputsOf(known.call), outputsOf(piece.call)];
  return textOf({ ...known.call, output: [...a, ...b.filter((one) => !a.includes(one))] });
};

function outputsOf({ output }: Call): readonly Json[] {
  return Array.isArray(output) ? output : [];
}

function piece(output: number, id = "a"): readonly CallText[] {
  return [textOf(callOf(id, "root", { output: [output] }))];
}

function asBytes(call: Call): CallText {
  return { call, text: bytesOf(JSON.stringify(call)) };
}

// There is no encoder here, and these laws only have ASCII texts.
function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (letter) => letter.charCodeAt(0));
}

async function idsBelow(source: CallSource, root: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of source.trees(P, root)) ids.push(...batch.map(({ call }) => call.id));
  return ids.sort();
}
