// Evaluates the three versions of the parser with the Weave SDK and writes the logged calls to data/.
//
// npm install && npm run make
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as weave from "weave";
import { type Example, examples } from "./dataset.ts";
import { parseV1 } from "./parse-v1.ts";
import { parseV2 } from "./parse-v2.ts";
import { parseV3 } from "./parse-v3.ts";
import type { Parse, Quantity } from "./quantity.ts";
import { seededRandom, seedOf } from "./random.ts";
import { startRecorder } from "./recorder.ts";
import { correct, magnitudesOff, parts } from "./scorers.ts";

const TRIALS = 3;
const VERSIONS: Readonly<Record<string, Parse>> = { v1: parseV1, v2: parseV2, v3: parseV3 };

/** A version of the parser, as a model that the SDK can call. */
class UnitsParser extends weave.WeaveObject {
  readonly id: string;
  readonly version: string;
  readonly invoke: (input: { datasetRow: Example }) => Promise<Quantity | null>;

  constructor(version: string, parse: Parse) {
    super({ name: "units-parser" });
    this.id = version;
    this.version = version;
    // Each trial of a text has its own seed, the same in every run of this script.
    const trials = new Map<string, number>();
    const predict = ({ datasetRow: { text } }: { datasetRow: Example }) => {
      const trial = trials.get(text) ?? 0;
      trials.set(text, trial + 1);
      return parse(text, seededRandom(seedOf(`${version}/${trial}/${text}`)));
    };
    this.invoke = weave.op(this, predict, { name: "UnitsParser.predict", parameterNames: "useParam0Object" });
  }
}

type Score = (answer: Quantity | null, expected: Quantity) => unknown;

/** A score, as a scorer that the SDK can call and name. */
class Scorer extends weave.WeaveObject {
  readonly id: string;
  readonly invoke: (input: { datasetRow: Example; modelOutput: Quantity | null }) => Promise<unknown>;

  constructor(name: string, score: Score) {
    super({ name });
    this.id = name;
    const invoke = ({ datasetRow, modelOutput }: { datasetRow: Example; modelOutput: Quantity | null }) =>
      score(modelOutput, datasetRow.expected);
    this.invoke = weave.op(this, invoke, { name: `${name}.score`, parameterNames: "useParam0Object" });
  }
}

const { recording, url, close } = await startRecorder();
process.env["WF_TRACE_SERVER_URL"] = url;
process.env["WANDB_API_KEY"] = "local";
process.env["WEAVE_PRINT_CALL_LINK"] = "false";
console.error = () => {}; // the SDK prints a stack trace for every input that version 1 cannot read
console.log = () => {}; // the SDK prints a line for every trial

const client = await weave.init("examples/units-parser");
const dataset = new weave.Dataset({ name: "units", rows: [...examples()] });
const scorers = [
  new Scorer("correct", correct),
  new Scorer("magnitudes_off", magnitudesOff),
  new Scorer("parts", parts),
];
for (const [version, parse] of Object.entries(VERSIONS)) {
  const evaluation = new weave.Evaluation({ name: "units", dataset, scorers } as never);
  await evaluation.evaluate({ model: new UnitsParser(version, parse) as never, nTrials: TRIALS });
}
await client.waitForBatchProcessing();
await close();

const calls = [...recording.calls.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
const rows = [...recording.rows].map(([digest, val]) => ({ digest, val }));
write("calls.jsonl.gz", calls);
write("rows.jsonl.gz", rows);
process.stdout.write(`${calls.length} calls, ${rows.length} rows\n`);
process.exit(0);

function key(call: Readonly<Record<string, unknown>>): string {
  return `${call["started_at"]} ${call["id"]}`;
}

function write(name: string, lines: readonly unknown[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(new URL(`data/${name}`, import.meta.url), gzipSync(text, { level: 9 }));
}
