// The evaluations of a model over HTTP: found by name, listed page by page, in projects that the caller may see.

import type { EvaluationEntry } from "@assay/eval-engine";
import { expect, test } from "vitest";
import { openFixture } from "./fixture.ts";

function evaluation(id: string, version: string): EvaluationEntry {
  const model = `wandb-artifact:///team-a/p/agent${version}`;
  return { id, name: null, model, started_at: null, ended_at: null, evaluation_ref: null, trials: 1 };
}

test("a model's evaluations, and no others, are listed by step and page by page", async () => {
  const own = [":step1", "", ":step2", ":v1", ":live"].map((version, i) => evaluation(`e${i}`, version));
  const evaluations = { "team-a/p": own, "team-a/q": [evaluation("q", ":step1")], "team-b/p": own };
  const { call, model } = openFixture({ evaluations });
  const id = await model("agent");
  const ask = async (query: string, key = "key-a", of = id) => {
    const path = `/v1/preview/models/${of}/evaluations${query}`;
    const { status, body } = await call("GET", path, undefined, { authorization: `Bearer ${key}` });
    return status === 200 ? [body.data.map((one: { id: string }) => one.id), body.has_more] : [status, body];
  };
  expect(await ask("")).toEqual([["e0", "e1", "e2", "e3", "e4"], false]);
  expect(await ask("?step=1")).toEqual([["e0", "e3"], false]);
  expect(await ask("?limit=2&after=e1")).toEqual([["e2", "e3"], true]);
  expect(await ask("?order=desc&limit=1")).toEqual([["e4"], true]);
  expect(await ask("?project=team-a/q")).toEqual([["q"], false]);
  expect(await ask("?after=none&step=x")).toMatchObject([422, { error: { param: "step" } }]);
  expect(await ask("?project=q")).toMatchObject([422, { error: { param: "project" } }]);
  expect(await ask("?after=none")).toMatchObject([422, { error: { code: "after" } }]);
  // Evaluations in a foreign project look like those of a project that does not exist.
  expect(await ask("?project=team-b/p")).toEqual(await ask("?project=team-a/none"));
  expect(await ask("", "key-b")).toEqual(await ask("", "key-b", "00000000-0000-4000-8000-000000000000"));
  const shown = await call("GET", `/v1/preview/models/${id}/evaluations`);
  expect(shown.body.data.map(({ step, alias }: { step: number; alias: string }) => [step, alias])).toEqual([
    [1, null],
    [null, "latest"],
    [2, null],
    [1, null],
    [null, "live"],
  ]);
});
