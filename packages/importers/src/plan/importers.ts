// All known file formats, in the order in which they are tried: specific before general.

import { aider } from "../formats/aider.ts";
import { alpacaEval } from "../formats/alpaca-eval.ts";
import { bfcl } from "../formats/bfcl.ts";
import { braintrust } from "../formats/braintrust.ts";
import { deepeval } from "../formats/deepeval.ts";
import { evalite } from "../formats/evalite.ts";
import { evalplus } from "../formats/evalplus.ts";
import { evalscope } from "../formats/evalscope.ts";
import { garak } from "../formats/garak.ts";
import { harbor } from "../formats/harbor.ts";
import { helm } from "../formats/helm.ts";
import type { Importer } from "../formats/importer.ts";
import { inspect } from "../formats/inspect.ts";
import { langfuse } from "../formats/langfuse.ts";
import { langsmith } from "../formats/langsmith.ts";
import { lighteval } from "../formats/lighteval.ts";
import { llmComparator } from "../formats/llm-comparator.ts";
import { lmEval } from "../formats/lm-eval.ts";
import { mastra } from "../formats/mastra.ts";
import { mlflow } from "../formats/mlflow.ts";
import { mteb } from "../formats/mteb.ts";
import { oaieval } from "../formats/oaieval.ts";
import { openaiEvals } from "../formats/openai-evals.ts";
import { opencompass } from "../formats/opencompass.ts";
import { pairwise } from "../formats/pairwise.ts";
import { promptfoo } from "../formats/promptfoo.ts";
import { pydanticEvals } from "../formats/pydantic-evals.ts";
import { ragas } from "../formats/ragas.ts";
import { sweBench } from "../formats/swe-bench.ts";
import { table } from "../formats/table.ts";
import { tau2 } from "../formats/tau2.ts";
import { trulens } from "../formats/trulens.ts";
import { verifiers } from "../formats/verifiers.ts";
import { vitestEvals } from "../formats/vitest-evals.ts";

/** The formats of files that become evaluations. */
export const IMPORTERS: readonly Importer[] = [
  inspect,
  lmEval,
  lighteval,
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
  llmComparator,
  pairwise,
  sweBench,
  evalplus,
  bfcl,
  harbor,
  aider,
  tau2,
  mteb,
  opencompass,
  evalscope,
  verifiers,
  garak,
  vitestEvals,
  mastra,
  pydanticEvals,
  ragas,
  trulens,
  table,
];
