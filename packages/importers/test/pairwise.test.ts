// Judgements of two answers in the files of several benchmarks.

import { textFile } from "@assay/testing/text-file";
import { expect, test } from "vitest";
import { imported } from "./support.ts";

const battles = ["model_a", "tie", "model_b"].map((winner, i) => ({
  ...{ question_id: i, model_a: "m", model_b: "n", winner, turn: 1 },
  conversation_a: [
    { role: "user", content: `Q${i}` },
    { role: "assistant", content: "from m" },
  ],
}));
const games = ["A>B", "A=B", "B>>A"].map((score, i) => ({
  ...{ uid: `u${i}`, model: "m", baseline: "n" },
  games: [{ score, judgment: "…" }, { score: ["A>>B", "A=B", "nothing"][i] }],
}));
const marked =
  "id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\n" +
  "1,m,n,Q?,a,b,1,0,0\n2,n,m,R?,a,b,0,0,1\n";

test.each([
  ["battles", battles, { m: 0.5, n: 0.5 }],
  ["games against a baseline, which is A in the first and B in the second", games, { m: 0.6 }],
  ["a column for each result", marked, { m: 0.75, n: 0.25 }],
  [
    "a model by its name",
    marked
      .replace(/winner_.*/, "winner")
      .replace(/,1,0,0/, ",m")
      .replace(/,0,0,1/, ",n"),
    { m: 0.5, n: 0.5 },
  ],
])("%s", async (_, content, expected) => {
  const text =
    typeof content === "string" ? content : content.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { plan, engine } = await imported([textFile("t", text)]);
  expect(plan.refused).toEqual([]);
  expect(Object.fromEntries(plan.evaluations.map(({ name, scores }) => [name, scores[0]!.mean]))).toEqual(
    expected,
  );
  const ids = plan.evaluations.map(({ id }) => id);
  const { rows } = await engine.query("me/demo", { evaluation_call_ids: ids, require_intersection: true });
  expect(rows).toHaveLength(plan.evaluations[0]!.rows);
});

test("chosen and rejected answers without models are refused with a remedy", async () => {
  const pair = { prompt: "Q?", chosen: "a", rejected: "b" };
  const { plan } = await imported([textFile("t.jsonl", `${JSON.stringify(pair)}\n`.repeat(2))]);
  expect(plan.refused[0]!.reason).toMatch(/write a record for each answer/);
});
