// All known kinds of files, in the order in which they are tried: specific before general.

import type { FileHead } from "./file-head.ts";
import type { Importer } from "./importer.ts";
import { alpacaEval } from "./kinds/alpaca-eval.ts";
import { braintrust } from "./kinds/braintrust.ts";
import { deepeval } from "./kinds/deepeval.ts";
import { evalite } from "./kinds/evalite.ts";
import { evalplus } from "./kinds/evalplus.ts";
import { helm } from "./kinds/helm.ts";
import { inspect } from "./kinds/inspect.ts";
import { langfuse } from "./kinds/langfuse.ts";
import { langsmith } from "./kinds/langsmith.ts";
import { lmEval } from "./kinds/lm-eval.ts";
import { mlflow } from "./kinds/mlflow.ts";
import { oaieval } from "./kinds/oaieval.ts";
import { openaiEvals } from "./kinds/openai-evals.ts";
import { opencompass } from "./kinds/opencompass.ts";
import { promptfoo } from "./kinds/promptfoo.ts";
import { ragas } from "./kinds/ragas.ts";
import { sweBench } from "./kinds/swe-bench.ts";
import { table } from "./kinds/table.ts";
import { vitestEvals } from "./kinds/vitest-evals.ts";
import { NotExported } from "./unreadable.ts";

/** The kinds of files that become evaluations. */
export const IMPORTERS: readonly Importer[] = [
  inspect,
  lmEval,
  promptfoo,
  openaiEvals,
  oaieval,
  langsmith,
  braintrust,
  langfuse,
  deepeval,
  mlflow,
  helm,
  evalite,
  alpacaEval,
  sweBench,
  evalplus,
  opencompass,
  vitestEvals,
  ragas,
  table,
];

/** The kind of a file, judging by its beginning; undefined if unknown. */
export function recognised(head: FileHead): Importer | "weave" | undefined {
  if (head.keys.has("op_name") && head.keys.has("id")) return "weave";
  return IMPORTERS.find((one) => one.recognises(head));
}

/** Throws if a file is a database in which a tool keeps its runs, whatever kind the user named. */
export function refuseDatabase({ format }: FileHead): void {
  if (format !== "sqlite") return;
  throw new NotExported(
    "a SQLite database, which may lack its latest rows; export the results from the tool, with evalite run " +
      "--outputPath results.json, promptfoo export eval ID -o results.json or mlflow.search_traces()",
  );
}
