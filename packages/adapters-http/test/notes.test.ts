// Notes about unknown names in a question, sent only on request.

import { createHandler, evalResultsRoutes } from "@assay/adapters-http";
import { memoryCalls, memoryRows } from "@assay/calls";
import { evaluationCalls } from "@assay/calls/testing";
import { createEvalEngine } from "@assay/eval-engine";
import { expect, test } from "vitest";

const P = "acme/demo";
const IDS = ["first", "second"];
const engine = createEvalEngine({
  calls: memoryCalls(IDS.flatMap((id) => evaluationCalls(id, [true, false]))),
  rows: memoryRows(),
});
const handler = createHandler({
  routes: [
    evalResultsRoutes({
      engine,
      authenticate: async () => ({ id: "ann", allows: (entity) => entity === "acme" }),
      names: {
        projects: async () => [P, "acne/demo"],
        entries: async (project) => (project === P ? IDS.map((id) => ({ id, name: `run ${id}` })) : []),
        isThere: async (_, id) => IDS.includes(id),
      },
    }),
  ],
});

async function ask(body: object, { project = P, question = "query", prefer = "notes" } = {}) {
  const answer = await handler(
    new Request(`http://x/v2/${project}/eval_results/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(prefer !== "" && { Prefer: prefer }) },
      body: JSON.stringify(body),
    }),
  );
  const { notes, ...rest } = await answer.json();
  return { notes, rest, applied: answer.headers.get("preference-applied"), status: answer.status };
}

test("missing names are noted with the nearest ones, and the answer stays the same", async () => {
  const body = {
    evaluation_call_ids: ["first", "secnd"],
    sort_by: [{ field: "scores.match.corect", direction: "desc" }],
  };
  const noted = await ask(body);
  expect(noted.applied).toBe("notes");
  expect(noted.notes).toEqual([
    {
      about: "evaluation",
      name: "secnd",
      nearest: ["second"],
      message: 'acme/demo has no evaluation "secnd"; did you mean second (run second)?',
    },
    {
      about: "field",
      name: "scores.match.corect",
      nearest: ["scores.match.correct"],
      message: "no row has a value at scores.match.corect; did you mean scores.match.correct?",
    },
  ]);
  for (const prefer of ["", "return=minimal", "notes=false"]) {
    const plain = await ask(body, { prefer });
    expect([plain.notes, plain.applied, plain.rest]).toEqual([undefined, null, noted.rest]);
  }
  expect((await ask(body, { prefer: "return=minimal, notes" })).notes).toHaveLength(2);
});

test("a question whose names all exist has no notes, and neither does a statistics question", async () => {
  expect((await ask({ evaluation_call_ids: IDS })).notes).toEqual([]);
  const compared = { query: { evaluation_call_ids: IDS }, baseline: "first" };
  expect((await ask(compared, { question: "compare" })).notes).toEqual([]);
  const missing = { query: { evaluation_call_ids: ["first", "thrid"] }, baseline: "first" };
  expect((await ask(missing, { question: "compare" })).notes).toMatchObject([{ name: "thrid" }]);
});

test("an unknown project is noted, suggesting only those that the caller may see", async () => {
  const asked = await ask({ evaluation_call_ids: ["none"] }, { project: "acme/demos" });
  expect(asked.notes).toMatchObject([{ about: "project", name: "acme/demos", nearest: [P] }]);
  const other = await ask({ evaluation_call_ids: ["none"] }, { project: "acme/dem" });
  expect(other.notes).toMatchObject([{ about: "project", nearest: [P] }]);
});

test("an invalid body is refused as usual", async () => {
  expect(await ask({ limit: -1 })).toMatchObject({ status: 422, notes: undefined, applied: null });
});
