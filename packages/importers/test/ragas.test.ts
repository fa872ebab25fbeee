// Ragas: conversations, and tables with the index of pandas.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const read = async (...files: readonly (readonly [name: string, text: string])[]) => {
  const { plan, lines } = await imported(files.map(([name, text]) => textFile(name, text)));
  const trials = lines.map((line) => JSON.parse(line)).filter((call) => call.parent_id);
  const [first] = plan.evaluations;
  return { plan, trials, scores: first?.scores.map(({ path, mean }) => [path, mean]), kind: first?.kind };
};

const talk = (reply: string) => [
  { content: "Capital of Peru?", type: "human" },
  { content: reply, type: "ai" },
];

test("in a conversation, the question is the human's turns, and the answer is all of it", async () => {
  const asked = (reply: string) => [talk(reply), talk(`${reply}!`)];
  const lines = (reply: string) =>
    asked(reply)
      .map((user_input) => JSON.stringify({ user_input, reference: "Lima", polite: 1 }))
      .join("\n");
  const python = (turns: object) =>
    JSON.stringify(turns).replaceAll('"', "'").replaceAll(":", ": ").replaceAll(",", ", ");
  const cells = (reply: string) =>
    ["user_input,reference,polite", ...asked(reply).map((turns) => `"${python(turns)}",Lima,1`)].join("\n");
  for (const text of [lines, cells]) {
    const { plan, trials, kind } = await read(["a.out", text("Lima")], ["b.out", text("Quito")]);
    expect([plan.refused, kind, plan.closest({ project: "me/demo" })?.length]).toEqual([[], "ragas", 2]);
    expect(trials.map(({ output }) => output.output)).toEqual([...asked("Lima"), ...asked("Quito")]);
  }
});

test.each(["", "Unnamed: 0"])("the index of pandas is not a metric, named %j", async (name) => {
  const csv = `${name},user_input,response,reference,faithfulness\n0,a,x,x,1.0\n1,b,y,x,0.5\n`;
  expect((await read(["a.csv", csv])).scores).toEqual([["faithfulness", 0.75]]);
});

test("a question that looks like a list stays a text", async () => {
  const { trials } = await read(["a.csv", 'user_input,response,f1\n"[1, 2]",3,1.0\n']);
  expect(trials[0].output.output).toBe("3");
});
