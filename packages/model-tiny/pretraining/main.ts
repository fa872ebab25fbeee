// Makes the weights of the base model: node --import tsx --conditions=@assay/source packages/model-tiny/pretraining/main.ts
// It takes some minutes on one core, reads only this repository, and gives the same file on any machine.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createModel } from "../src/model/model.ts";
import { printQuantised } from "../src/model/quantised.ts";
import { planSft } from "../src/training/sft.ts";
import { corpus } from "./corpus.ts";
import { BATCH, corpusDigest, PASSES, rateAt, SEED } from "./recipe.ts";

const rows = corpus(PASSES, SEED);
const steps = Math.ceil(rows.length / BATCH);
const learningRate = Array.from({ length: steps }, (_, step) => rateAt(step / steps));
const model = createModel(0);
const plan = planSft(rows, { batchSize: BATCH, learningRate, assistantTurns: "last" });
let step = 0;
let loss = 0;
for (const metrics of plan.run(model)) {
  if (metrics === undefined) continue;
  loss += metrics["loss"]! / 200;
  if (++step % 200 > 0) continue;
  console.log(`step ${step} of ${steps}: loss ${loss.toFixed(3)}`);
  loss = 0;
}

const file = fileURLToPath(new URL("../src/model/pretrained-weights.ts", import.meta.url));
const text = `// The weights of the base model, made by pretraining/main.ts. Not to be edited: see quantised.ts for the form.

/** The SHA-256 of what they were made from: \`corpusDigest\` of pretraining/recipe.ts. */
export const CORPUS_DIGEST: string = "${corpusDigest()}";

/** All weights, in the order of the layout. */
export const PRETRAINED_WEIGHTS: string =
  "${printQuantised(model.weights)}";
`;
writeFileSync(file, text);
console.log(`${text.length} bytes in ${file}`);
