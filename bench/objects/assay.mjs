import { fromTable } from "@assay/eval-engine";
import { answers } from "./answers.mjs";

const table = fromTable(answers(), {
  evaluation: "model",
  row: "question",
  output: "answer",
  scores: ["quality", "correct"],
});
const { rows, summary } = await table.query({ sort: "Δquality", limit: 20 });
const rate = ({ scorer_stats }) => scorer_stats.find(({ scorer_key }) => scorer_key === "correct").pass_rate;
console.log(
  JSON.stringify({
    rows: rows.map(({ raw_data_row }) => raw_data_row.question),
    rates: summary.evaluations.map(rate),
  }),
);
