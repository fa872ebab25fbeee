import * as aq from "arquero";
import { answers, MODELS } from "./answers.mjs";

const table = aq.from(answers());
const rows = table
  .groupby("question")
  .rollup({ spread: (d) => aq.op.max(d.quality) - aq.op.min(d.quality) })
  .orderby(aq.desc("spread"))
  .slice(0, 20)
  .array("question");
const rates = table.groupby("model").rollup({ rate: (d) => aq.op.mean(d.correct) });
const byModel = new Map(rates.objects().map(({ model, rate }) => [model, rate]));
console.log(JSON.stringify({ rows: [...rows], rates: MODELS.map((model) => byModel.get(model)) }));
