// How long until a query returns a trial that was added to a running evaluation, compared with the same query when
// nothing was added?

import { createEvalEngine, type EvalResultsQueryBody, memoryCalls, memoryRows } from "@assay/eval-engine";
import { interleave } from "./interleave.ts";
import { program, progress, sizeName } from "./program.ts";
import { synthetic } from "./synthetic.ts";
import { ASSAY } from "./targets.ts";

const BATCH = 4096;

await program(async ({ rows, effort }) => {
  const dataset = synthetic({ rows, evaluations: 1, trials: 1 });
  const { project } = dataset;
  const [evaluation] = dataset.evaluations as readonly [string];
  progress(`loading ${dataset.name}`);
  const lines = Array.from(dataset.lines(0));
  const calls = memoryCalls();
  for (let i = 0; i < lines.length; i += BATCH) calls.putLines(project, lines.slice(i, i + BATCH));
  const engine = createEvalEngine({ calls, rows: memoryRows() });

  const question: EvalResultsQueryBody = {
    evaluation_call_ids: [evaluation],
    sort_by: [{ field: "scores.quality", direction: "desc" }],
    limit: 50,
  };
  // One query that reads the trials, and one that uses what the engine caches about the whole evaluation.
  const questions: readonly (readonly [string, EvalResultsQueryBody])[] = [
    ["query", question],
    ["query with summary", { ...question, include_summary: true }],
  ];

  const template = lines[1]!;
  const id = (JSON.parse(template) as { readonly id: string }).id;
  const digest = /\/attr\/rows\/id\/(\w+)/.exec(template)![1]!;
  let added = 0;
  const append = () => {
    added++;
    const name = `added${added}`;
    calls.putLines(project, [
      template.replaceAll(id, name).replaceAll(digest, name.padEnd(digest.length, "x")),
    ]);
  };
  const before = (await engine.query(project, question)).total_rows;

  const measurements = [];
  for (const [name, body] of questions) {
    progress(`measuring ${name}`);
    const whileRead = async () => {
      // A client has read the first part of an answer and not yet requested the next.
      const held = await engine.answerInParts(project, body);
      if (!held.ok) throw new Error("the question is refused");
      append();
      await engine.query(project, body);
      await held.value.rows.return([]);
    };
    const timings = await interleave(
      {
        [`append and ${name}`]: async () => {
          append();
          const { total_rows } = await engine.query(project, body);
          if (total_rows !== before + added)
            throw new Error(`${total_rows} rows, expected ${before + added}`);
        },
        [`${name} by itself`]: () => engine.query(project, body),
      },
      effort,
    );
    // Measured separately: a held answer in each turn would change the state that the other tasks find.
    const read = await interleave({ [`append while it is read, and ${name}`]: whileRead }, effort);
    for (const [workload, timing] of Object.entries({ ...timings, ...read }))
      measurements.push({ data: sizeName(rows), workload, contender: ASSAY, unit: "ms" as const, ...timing });
  }
  return measurements;
});
