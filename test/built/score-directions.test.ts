// Directions of scores (whether higher or lower is better) are stored with the project: the command, HTTP, the page and
// an exported file give the same verdict. A number without a direction has no verdict and passes no gate.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assayClient } from "@assay/client";
import type { MeasureComparison } from "@assay/eval-engine";
import { othersSentence, verdictSentence } from "@assay/eval-engine/words";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf } from "../../packages/web/src/page/data/api.ts";
import { choose, pairOf } from "../../packages/web/src/page/data/choose.ts";
import { byVerdict, scoreFields } from "../../packages/web/src/page/data/measures.ts";
import { compareBody, copiedQuestion } from "../../packages/web/src/page/data/questions.ts";
import { comparisonOf } from "../../packages/web/src/page/state/page-route.ts";
import { readDropped } from "../../packages/web/src/worker/read-dropped.ts";

const P = "acme/demo";
const path = { entity: "acme", project: "demo" };
const home = mkdtempSync(join(tmpdir(), "assay-directions-"));
const data = join(home, "data");
const run = (...args: string[]) => assay([...args, "--data", data]);
const compare = async (...args: string[]) => {
  const { stdout } = await run("compare", P, "m2", "m3", "--format", "json", ...args);
  const { comparisons } = JSON.parse(stdout) as { comparisons: { measures: MeasureComparison[] }[] };
  return new Map(comparisons[0]!.measures.map((of) => [of.field, of]));
};

beforeAll(async () => {
  // Of the last two models, the newer has lower values of everything except latency.
  const lines = ["m1", "m2", "m3"].flatMap((model, m) =>
    Array.from({ length: 24 }, (_, row) => {
      const less = 10 - 2 * m + ((row * (m + 1)) % 7) / 10;
      return [model, `q${row}`, "a", row % 3 > 0, less, less, less, 1 + m + ((row * (m + 2)) % 5) / 10].join(
        ",",
      );
    }),
  );
  const file = join(home, "results.csv");
  writeFileSync(file, ["model,question,output,correct,zorp,steps_off,f1,wait_loss", ...lines, ""].join("\n"));
  const scores = "correct,zorp,steps_off,f1,wait_loss";
  expect(await run("import", P, file, "--score", scores)).toMatchObject({ exitCode: 0 });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("a name can imply a direction, which the answer reports; without a direction there is no verdict, and a gate fails", async () => {
  const measures = await compare();
  const reported = (field: string) => {
    const { verdict, direction, direction_source: source, difference } = measures.get(`scores.${field}`)!;
    return [verdict, direction, source, difference !== null];
  };
  expect(reported("steps_off")).toEqual(["improved", "lower", "name", true]);
  expect(reported("f1")).toEqual(["regressed", "higher", "name", true]);
  expect(reported("wait_loss")).toEqual(["regressed", "lower", "name", true]);
  expect(reported("zorp")).toEqual(["no_direction", null, null, true]);
  expect(measures.get("scores.zorp")).toMatchObject({ wins: null, losses: null });

  for (const gate of ["regressed", "inconclusive", "not_better"]) {
    const gated = await run(
      "compare",
      P,
      "m2",
      "m3",
      "--measure",
      "zorp",
      "--fail-on",
      gate,
      "--format",
      "table",
    );
    expect(gated.exitCode).toBe(1);
    expect(gated.stdout).toMatch(/against \S+ on zorp: −1.*No verdict: set/s);
    expect(gated.stdout).toContain("no direction");
    expect(gated.stderr).toMatch(
      new RegExp(`--fail-on ${gate}: .*nothing to judge by: zorp \\(no direction\\)`),
    );
  }
  const junit = await run("compare", P, "m2", "m3", "--measure", "zorp", "--format", "junit");
  expect(junit.stdout).toContain('failures="0" errors="0" skipped="1"');
  const ranked = await run("compare", P, "m2", "m3", "--measure", "zorp", "--ranking", "--format", "table");
  expect(ranked.stdout).toMatch(/no direction/);
  expect(ranked.stdout).not.toMatch(/^m\d is the best|is ahead/m);
  const { stdout } = await run(
    "compare",
    P,
    "m2",
    "m3",
    "--measure",
    "zorp",
    "--fail-on",
    "regressed",
    "--higher",
    "zorp",
  );
  expect(JSON.parse(stdout).comparisons[0].measures[0]).toMatchObject({
    verdict: "regressed",
    direction_source: "asked",
  });
});

test("the project's directions apply to every client until they are removed, and are deleted with the project", async () => {
  const server = await startAssay(data);
  const { ask } = assayClient({ url: server.url });
  const directions = "/v2/{entity}/{project}/eval_results/directions";
  try {
    expect(await run("scores", P, "zorp", "steps_off", "--lower")).toMatchObject({ exitCode: 0 });
    expect(await ask(`GET ${directions}` as const, { path })).toEqual({
      directions: [
        { field: "scores.steps_off", direction: "lower" },
        { field: "scores.zorp", direction: "lower" },
      ],
    });
    expect((await compare()).get("scores.zorp")).toMatchObject({
      verdict: "improved",
      direction_source: "project",
    });
    const body = {
      directions: [
        { field: "scores.zorp", direction: "none" as const },
        { field: "scores.steps_off", direction: null },
      ],
    };
    await ask(`POST ${directions}` as const, { path, body });
    const zorp = (await compare()).get("scores.zorp");
    expect(zorp).toMatchObject({ verdict: "no_direction", direction: null, direction_source: "project" });
    const wrong = ask(`POST ${directions}` as const, {
      path,
      body: { directions: [{ field: "zorp", direction: "lower" }] },
    });
    await expect(wrong).rejects.toThrow(/"zorp" is not a score; scores are scores\.<path>/);
    const unknown = await run("scores", P, "zrop", "--lower");
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("did you mean zorp?")]);
  } finally {
    await server.stop();
  }
  const listed = JSON.parse((await run("scores", P)).stdout) as { field: string }[];
  expect(listed.find(({ field }) => field === "scores.zorp")).toMatchObject({
    direction: null,
    source: "project",
  });

  const [backup, restored] = [join(home, "backup"), join(home, "restored")];
  expect(await run("backup", backup)).toMatchObject({ exitCode: 0 });
  expect(await assay(["restore", backup, "--data", restored])).toMatchObject({ exitCode: 0 });
  const again = await assay(["scores", P, "zorp", "--data", restored]);
  expect(JSON.parse(again.stdout)).toMatchObject([{ direction: null, source: "project" }]);

  expect(await assay(["delete", P, "--yes", "--data", restored])).toMatchObject({ exitCode: 0 });
  const file = join(home, "results.csv");
  await assay(["import", P, file, "--score", "zorp", "--data", restored]);
  const gone = await assay(["scores", P, "zorp", "--data", restored]);
  expect(JSON.parse(gone.stdout)).toMatchObject([{ direction: null, source: null }]);
  expect(await run("scores", P, "zorp", "--forget")).toMatchObject({ exitCode: 0 });
});

test("an import keeps a log's directions unless the project sets them; files dropped on the page keep them too", {
  tags: ["long"],
}, async () => {
  const logs = join(home, "lm-eval");
  const turned = join(home, "turned");
  const better = { zorp: false, calls_made: false, perplexity: false, dud: true };
  for (const [m, model] of ["m1", "m2"].entries()) writeLmEval(join(logs, model), { model, m, better });
  writeLmEval(turned, { model: "m3", m: 2, better: { ...better, zorp: true } });
  const project = "acme/logs";
  expect(await run("scores", P, "correct", "--forget")).toMatchObject({ exitCode: 0 });
  const imported = await run("import", project, logs);
  expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
  expect(imported.stdout).toMatch(/zorp +mean \S+ of 24 trials, lower is better, .*--pass "zorp<=0.5"/);
  const verdicts = async () => {
    const { stdout } = await run("compare", project, "--format", "json");
    const [{ measures }] = JSON.parse(stdout).comparisons as [{ measures: MeasureComparison[] }];
    return Object.fromEntries(measures.map(({ field, ...of }) => [field, [of.verdict, of.direction_source]]));
  };
  // All values decreased. The perplexity in samples of lm-evaluation-harness is a log-likelihood, for which higher is
  // better.
  expect(await verdicts()).toEqual({
    "scores.zorp": ["improved", "project"],
    "scores.calls_made": ["improved", "project"],
    "scores.perplexity": ["regressed", "project"],
    "scores.dud": ["regressed", "project"],
    "scores.unsaid": ["no_direction", null],
  });
  const table = await run("compare", project, "--measure", "zorp", "--format", "table");
  expect(table.stdout).toMatch(/improved/i);

  await run("scores", project, "zorp", "--higher");
  await run("scores", project, "dud", "--forget");
  const again = await run("import", project, logs);
  expect(again.stderr).toBe(
    "assay: zorp: the log says that lower is better, but the project says that higher is better, which takes precedence\n",
  );
  expect(await verdicts()).toMatchObject({
    "scores.zorp": ["regressed", "project"],
    "scores.dud": ["regressed", "project"],
  });
  const both = await run("import", "acme/both", logs, turned);
  expect(both.stderr).toMatch(/^assay: zorp: some files say that higher is better, others that lower is/m);
  const listed = JSON.parse((await run("scores", "acme/both")).stdout) as { field: string; source: string }[];
  expect(listed.find(({ field }) => field === "scores.zorp")).toMatchObject({ source: null });

  const served = join(home, "served");
  const server = await startAssay(served);
  try {
    const over = await assay(["import", project, logs, "--data", served]);
    expect(over).toMatchObject({ exitCode: 0 });
    const kept = await assayClient({ url: server.url }).ask(
      "GET /v2/{entity}/{project}/eval_results/directions",
      { path: { entity: "acme", project: "logs" } },
    );
    expect(kept.directions).toContainEqual({ field: "scores.zorp", direction: "lower" });
  } finally {
    await server.stop();
  }

  const names = ["m1", "m2"].flatMap((model) =>
    readdirSync(join(logs, model)).map((name) => join(logs, model, name)),
  );
  const files = names.map((name) => new File([readFileSync(name)], name));
  const dropped = await readDropped({ files, project });
  expect(dropped).toMatchObject({
    data: { directions: expect.arrayContaining([["scores.zorp", "lower"]]) as unknown },
  });
  const page = join(home, "dropped.html");
  await run("export", project, "--format", "html", "--output", page);
  const html = new File([readFileSync(page)], "page.html");
  expect(await readDropped({ files: [html], project })).toMatchObject({
    data: { directions: expect.arrayContaining([["scores.zorp", "higher"]]) as unknown },
  });
});

test("the command, the page, its file and the demo show the same sentence for a pair", {
  tags: ["long"],
}, async () => {
  const served = join(home, "demo");
  const demo = await startAssay(served, { command: "demo", args: ["--no-open"] });
  const project = "examples/units-parser";
  const lines = (text: string) => text.replaceAll(/\s+/g, " ");
  try {
    const api = apiOf(fetch as never, demo.url);
    const page = async () => {
      const all = await api.evaluations(project);
      const place = comparisonOf(project);
      const chosen = choose(place, all, await pairOf(api, project, all))!;
      const query = { evaluation_call_ids: chosen.evaluations, include_rows: false, include_summary: true };
      const fields = scoreFields((await api.query(project, query)).summary);
      const compared = await api.compare(project, compareBody(chosen, fields));
      const measures = byVerdict(compared.comparisons[0]!.measures, fields[0]);
      const name = (id: string) => all.find((one) => one.id === id)!.name!;
      const names = { baseline: name(chosen.baseline!), candidate: name(chosen.candidate) };
      const verdicts = new Map(measures.map(({ field, verdict }) => [field, verdict]));
      return { chosen, compared, verdicts, sentence: verdictSentence(names, measures[0]!, compared.level) };
    };
    const first = await page();
    expect(first.verdicts.get("scores.magnitudes_off")).toBe("regressed");
    const command = await assay(["compare", project, "--format", "table", "--data", served]);
    expect(lines(command.stdout)).toContain(first.sentence);
    expect(lines(demo.output())).toContain(first.sentence);
    const others = first.compared.comparisons[0]!.measures.filter(({ field }) => field !== "scores.correct");
    for (const { stdout } of [command, { stdout: demo.output() }])
      expect(lines(stdout)).toContain(othersSentence(others)!);

    await api.sayDirection(project, "scores.magnitudes_off", "higher");
    const turned = await page();
    expect(turned.verdicts.get("scores.magnitudes_off")).toBe("improved");
    // The copied command contains the direction, so that it works without stored ones.
    const copied = copiedQuestion(turned.chosen, turned.compared);
    expect(copied.command).toMatch(/^assay compare examples\/units-parser \S+ \S+ --higher magnitudes_off$/);
    await api.sayDirection(project, "scores.magnitudes_off", "none");
    const args = copied.command.split(" ").slice(1);
    const byCopy = await assay([...args, "--format", "json", "--data", served]);
    const verdictOf = (text: string) =>
      (JSON.parse(text).comparisons[0].measures as MeasureComparison[]).find(
        ({ field }) => field === "scores.magnitudes_off",
      );
    expect(verdictOf(byCopy.stdout)).toMatchObject({ verdict: "improved", direction_source: "asked" });
    expect(verdictOf(JSON.stringify(await api.compare(project, copied.body)))?.verdict).toBe("improved");

    const file = join(home, "page.html");
    expect(
      await assay(["export", project, "--format", "html", "--output", file, "--data", served]),
    ).toMatchObject({ exitCode: 0 });
    const [, facts] = /data-holds="facts">([A-Za-z0-9+/=]*)</.exec(readFileSync(file, "utf8"))!;
    const embedded = JSON.parse(Buffer.from(facts!, "base64").toString()) as { directions: unknown };
    expect(embedded.directions).toEqual([["scores.magnitudes_off", "none"]]);
  } finally {
    await demo.stop();
  }
});

/** Writes the files of a run of lm-evaluation-harness, whose scores decrease with `m`. */
function writeLmEval(
  folder: string,
  { model, m, better }: { readonly model: string; readonly m: number; readonly better: object },
): void {
  mkdirSync(folder, { recursive: true });
  const time = `2026-11-2${m + 1}T10-38-38.752950`;
  const metrics = ["zorp", "calls_made", "perplexity", "dud", "unsaid"];
  const results = {
    results: { words: { alias: "words" } },
    configs: {
      words: {
        metric_list: metrics.map((metric) => ({
          metric,
          aggregation: metric === "perplexity" ? metric : "mean",
        })),
      },
    },
    versions: { words: 1 },
    higher_is_better: { words: better },
    config: { model_args: `pretrained=${model}` },
    date: Date.UTC(2026, 10, 21 + m) / 1000,
  };
  writeFileSync(join(folder, `results_${time}.json`), JSON.stringify(results));
  const samples = Array.from({ length: 24 }, (_, row) => {
    const less = 9 - 2 * m + ((row * (m + 2)) % 7) / 10;
    const scores = Object.fromEntries(
      metrics.map((metric) => [metric, metric === "perplexity" ? less - 9 : less]),
    );
    const doc = { question: `q${row}` };
    return JSON.stringify({
      doc_id: row,
      doc,
      target: "a",
      resps: [["a"]],
      filter: "none",
      metrics,
      ...scores,
    });
  });
  writeFileSync(join(folder, `samples_words_${time}.jsonl`), `${samples.join("\n")}\n`);
}
