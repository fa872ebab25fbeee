// The requests that `assay import` and `assay evaluations` send to a server.

import { gzipSync } from "node:zlib";
import { Fault } from "@assay/base";
import type { CountedEvaluation } from "@assay/eval-engine";
import { chooseEvaluations } from "@assay/eval-engine/internal";
import { describe, expect, test } from "vitest";
import { keyAuthentication, loopbackAuthentication } from "../src/auth/auth.ts";
import { createHandler } from "../src/handler.ts";
import type { ProjectData } from "../src/project-data/project-data.ts";
import { projectDataRoutes } from "../src/project-data/project-data-routes.ts";

const evaluation: CountedEvaluation = {
  id: "a",
  name: null,
  model: "weave:///acme/demo/object/m:v0",
  rows: 2,
  trials: 4,
  started_at: "2026-01-01T00:00:00Z",
  ended_at: null,
  evaluation_ref: null,
  dataset: null,
};

/** Project data that records the imported lines. */
function memoryData() {
  const written: [project: string, kind: string, lines: string[]][] = [];
  const data: ProjectData = {
    evaluations: async (project, choice = {}) =>
      chooseEvaluations(project === "acme/demo" ? [evaluation] : [], choice, (some) => some),
    async importLines(project, kind, bytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      const lines = Buffer.concat(pieces).toString().split("\n");
      written.push([project, kind, lines]);
      return { lines: lines.length, changed: lines.length, bad_lines: 0, bad: [], in_evaluations: false };
    },
    async *exportLines(project, kind, evaluations) {
      if (evaluations?.includes("nothing"))
        throw new Fault("missing", `${project} has no evaluation nothing`);
      yield Buffer.from(`${project} ${kind}\n`);
      yield Buffer.from(`${(evaluations ?? ["all"]).join(",")}\n`);
    },
  };
  return { data, written };
}

function ask(
  path: string,
  init: RequestInit = {},
  data = memoryData().data,
  authenticate = loopbackAuthentication(),
) {
  const handler = createHandler({ routes: [projectDataRoutes({ data, authenticate })] });
  return handler(new Request(`http://localhost/v2/${path}`, init));
}
const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-ndjson", ...headers },
  body,
});

describe("the evaluations of a project", () => {
  test("are listed", async () => {
    expect(await (await ask("acme/demo/eval_results/evaluations")).json()).toEqual({
      evaluations: [evaluation],
      next: null,
    });
    expect(await (await ask("acme/other/eval_results/evaluations")).json()).toEqual({
      evaluations: [],
      next: null,
    });
  });

  const many: readonly CountedEvaluation[] = Array.from({ length: 25 }, (_, i) => ({
    ...evaluation,
    id: `e${i}`,
    started_at: i < 20 ? `2026-01-${String(i + 1).padStart(2, "0")}T00:00:00Z` : null,
    ended_at: i % 3 === 0 ? null : "2026-02-01T00:00:00Z",
    evaluation_ref: `ref${i % 2}`,
    dataset: i % 5 === 0 ? null : `dataset${i % 5}`,
  }));

  /** The ids that a paged list returns, and the number of evaluations it counted. */
  async function listed(query: string) {
    let counted = 0;
    const data: ProjectData = {
      ...memoryData().data,
      evaluations: (_, choice = {}) =>
        chooseEvaluations(many, choice, (some) => {
          counted += some.length;
          return some;
        }),
    };
    const ids: string[] = [];
    let [pages, after] = [0, ""];
    for (; pages === 0 || after !== ""; pages++) {
      const response = await ask(`acme/demo/eval_results/evaluations?${query}${after}`, {}, data);
      const answer = (await response.json()) as {
        readonly evaluations: readonly CountedEvaluation[];
        readonly next: string | null;
      };
      ids.push(...answer.evaluations.map(({ id }) => id));
      after = answer.next === null ? "" : `&after=${answer.next}`;
    }
    return { ids, pages, counted };
  }
  const idsOf = (some: readonly CountedEvaluation[]) => some.map(({ id }) => id);

  test("are listed page by page in either order, those with an unknown start last, and only those shown are counted", async () => {
    const started = many.slice(0, 20);
    expect((await listed("limit=7")).ids).toEqual(idsOf(many));
    const newest = await listed("order=newest&limit=7");
    expect(newest.ids).toEqual(idsOf([...started.toReversed(), ...many.slice(20)]));
    expect([newest.pages, newest.counted]).toEqual([4, 25 + 3]);
    expect((await listed("limit=25")).pages).toBe(1);
  });

  test("can be chosen by state, evaluation object and dataset", async () => {
    const holds = async (query: string, keep: (one: CountedEvaluation) => boolean) =>
      expect([query, (await listed(`limit=3&${query}`)).ids]).toEqual([query, idsOf(many.filter(keep))]);
    await holds("running=true", ({ ended_at }) => ended_at === null);
    await holds("running=false", ({ ended_at }) => ended_at !== null);
    await holds("evaluation_ref=ref1", ({ evaluation_ref }) => evaluation_ref === "ref1");
    await holds("dataset=dataset2&evaluation_ref=ref0", ({ dataset, evaluation_ref }) => {
      return dataset === "dataset2" && evaluation_ref === "ref0";
    });
    expect((await listed("dataset=none")).ids).toEqual([]);
    await holds("named=e3&named=e21&named=none", ({ id }) => id === "e3" || id === "e21");
    const called = many.map((one, i) => ({ ...one, name: `run ${i % 4}` }));
    const twos = await chooseEvaluations(called, { named: ["run 2", "e3"] }, (some) => some);
    expect(idsOf(twos)).toEqual(idsOf(called.filter(({ id, name }) => name === "run 2" || id === "e3")));
  });

  test("with an invalid request are a 422 that names every fault, and after a deleted one a 404", async () => {
    const wrong = await ask("acme/demo/eval_results/evaluations?order=best&limit=0&running=yes");
    const { detail } = (await wrong.json()) as { detail: { loc: string[] }[] };
    expect([wrong.status, detail.map(({ loc }) => loc.join(".")).sort()]).toEqual([
      422,
      ["query.limit", "query.order", "query.running"],
    ]);
    const gone = await ask("acme/demo/eval_results/evaluations?after=gone");
    expect([gone.status, await gone.json()]).toEqual([404, { detail: expect.stringContaining("gone") }]);
  });

  test("need a valid key, a valid path and a project of your own", async () => {
    const { data } = memoryData();
    expect((await ask("acme/demo/eval_results/evaluations", {}, data, keyAuthentication("K"))).status).toBe(
      401,
    );
    const stranger = async () => ({ id: "x", allows: () => false });
    expect((await ask("acme/demo/eval_results/evaluations", {}, data, stranger)).status).toBe(404);
    const bad = await ask("acme/a%3Ab/eval_results/evaluations");
    expect([bad.status, await bad.json()]).toMatchObject([422, { detail: [{ loc: ["path", "project"] }] }]);
  });
});

describe("an import", () => {
  test("of lines, gzipped or not, is answered with a report", async () => {
    const { data, written } = memoryData();
    const answer = await ask("acme/demo/calls/import", post("1\n2\n3"), data);
    expect(await answer.json()).toEqual({
      lines: 3,
      changed: 3,
      bad_lines: 0,
      bad: [],
      in_evaluations: false,
    });
    await ask(
      "acme/demo/rows/import",
      post(new Uint8Array(gzipSync("4\n5")), { "Content-Encoding": "gzip" }),
      data,
    );
    expect(written).toEqual([
      ["acme/demo", "calls", ["1", "2", "3"]],
      ["acme/demo", "rows", ["4", "5"]],
    ]);
  });

  test("of anything else is refused before anything is written", async () => {
    const { data, written } = memoryData();
    expect(
      (await ask("acme/demo/calls/import", post("{}", { "Content-Type": "application/json" }), data)).status,
    ).toBe(415);
    expect((await ask("acme/demo/calls/import", post("{}", { "Content-Encoding": "br" }), data)).status).toBe(
      415,
    );
    expect(
      (await ask("acme/demo/calls/import", post("{}", { "Content-Encoding": "gzip" }), data)).status,
    ).toBe(400);
    expect(written).toEqual([]);
  });

  test("that does not fit on the disk is a 507 with the reason", async () => {
    const data: ProjectData = {
      ...memoryData().data,
      importLines: async () => {
        throw new Fault("exhausted", "no space left to write calls.jsonl", { cause: new Error("ENOSPC") });
      },
    };
    const answer = await ask("acme/demo/calls/import", post("1"), data);
    expect([answer.status, await answer.json()]).toEqual([
      507,
      { detail: "no space left to write calls.jsonl" },
    ]);
  });
});

describe("an export", () => {
  test("returns lines as it finds them, of the project or of some evaluations", async () => {
    const answer = await ask("acme/demo/calls/export");
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    expect(await answer.text()).toBe("acme/demo calls\nall\n");
    const some = await ask("acme/demo/rows/export?evaluation=a&evaluation=b%26c");
    expect(await some.text()).toBe("acme/demo rows\na,b&c\n");
  });

  test("of an unknown evaluation is a 404 that names it, of too many a 422", async () => {
    const missing = await ask("acme/demo/calls/export?evaluation=nothing");
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { detail: "acme/demo has no evaluation nothing" },
    ]);
    const many = `?${"evaluation=x&".repeat(257)}`;
    expect((await ask(`acme/demo/calls/export${many}`)).status).toBe(422);
  });
});
