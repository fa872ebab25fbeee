// Typical user code: evaluations with the weave package, unmodified. npm-client.test.ts runs it.
import * as weave from "weave";

const client = await weave.init("acme/demo");

const dataset = new weave.Dataset({
  name: "capitals",
  rows: [
    { country: "France", capital: "Paris", population: 68.5 },
    { country: "Perú", capital: "Lima", tags: ["süd", "☃"] },
    { country: "Japan", capital: "Tokyo", small: 1e-7 },
  ],
});

const answers = { France: "Paris", Perú: "Quito", Japan: "Tokyo" };
let paused = false;
const model = weave.op(
  async function predictCapital({ datasetRow }) {
    // Pauses in the first trial of the second row, until a line arrives on standard input.
    if (datasetRow.country === "Perú" && !paused) {
      paused = true;
      await client.waitForBatchProcessing();
      process.stdout.write("PAUSED\n");
      await new Promise((resolve) => process.stdin.once("data", resolve));
      process.stdin.unref();
    }
    if (datasetRow.country === "Japan") throw new Error("the model broke");
    return { text: answers[datasetRow.country], length: answers[datasetRow.country].length };
  },
  { summarize: () => ({ usage: { tiny: { total_tokens: 7 } } }) },
);

const exact = weave.op(function exact({ datasetRow, modelOutput }) {
  return modelOutput.text === datasetRow.capital;
});
const details = weave.op(function details({ modelOutput }) {
  return { shape: { length: modelOutput.length, long: modelOutput.length > 4 }, note: "ok" };
});
const broken = weave.op(function broken() {
  throw new Error("the scorer broke");
});
const verdict = weave.op(function verdict({ modelOutput }) {
  return `it says ${modelOutput.text}`;
});

const evaluation = new weave.Evaluation({
  name: "capitals",
  dataset,
  scorers: [exact, details, broken, verdict],
});
const summary = await evaluation.evaluate({ model, nTrials: 2, maxConcurrency: 1 });

const logger = new weave.EvaluationLogger({ name: "by-hand", model: { name: "hand" }, dataset: "streamed" });
for (const [i, row] of dataset.rows.rows.entries()) {
  const prediction = logger.logPrediction({ country: row.country, i }, { text: row.capital });
  void prediction.logScore("exact", i > 0);
  void prediction.logScore("quality", { length: row.capital.length, letters: { first: row.capital[0] } });
  void prediction.finish();
}
await logger.logSummary({ note: "done" });
await client.waitForBatchProcessing();

const calls = await client.getCalls({ trace_roots_only: true });
const read = await weave.ObjectRef.fromUri((await dataset.save()).uri()).get();
process.stdout.write(
  `RESULT ${JSON.stringify({ summary, roots: calls.map((call) => call.id), rows: read.rows.rows })}\n`,
);
