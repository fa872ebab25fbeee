// The names of the formats, separate from their importers: a command line shows them in its help and must not
// load all readers for that. A test compares the list with the importers.

/** The file formats that can be imported: the name for `--from`, and a description. */
export const IMPORT_KINDS: readonly { readonly name: string; readonly title: string }[] = [
  { name: "inspect", title: "Inspect AI log (.eval, .json)" },
  { name: "lm-eval", title: "lm-evaluation-harness samples and results" },
  { name: "lighteval", title: "lighteval details and results" },
  { name: "promptfoo", title: "promptfoo results (JSON, JSON lines, YAML, CSV)" },
  { name: "openai-evals", title: "OpenAI Evals output items" },
  { name: "oaieval", title: "oaieval log" },
  { name: "langsmith", title: "LangSmith experiment (CSV, JSON lines)" },
  { name: "braintrust", title: "Braintrust spans and downloads" },
  { name: "langfuse", title: "Langfuse experiment items and exports" },
  { name: "deepeval", title: "DeepEval test run" },
  { name: "mlflow", title: "MLflow traces and result tables" },
  { name: "helm", title: "HELM run folder" },
  { name: "evalite", title: "evalite results" },
  { name: "alpaca-eval", title: "AlpacaEval annotations" },
  { name: "swe-bench", title: "SWE-bench report" },
  { name: "evalplus", title: "EvalPlus results" },
  { name: "opencompass", title: "OpenCompass results" },
  { name: "evalscope", title: "EvalScope reviews, predictions and reports" },
  { name: "verifiers", title: "verifiers results" },
  { name: "garak", title: "garak report" },
  { name: "vitest-evals", title: "vitest-evals (Vitest JSON reporter)" },
  { name: "mastra", title: "Mastra results (JSON, JSON lines)" },
  { name: "pydantic-evals", title: "Pydantic Evals report" },
  { name: "ragas", title: "Ragas table" },
  { name: "trulens", title: "TruLens records and feedback" },
  { name: "table", title: "table (CSV, TSV, XLSX, Parquet, JSON, JSON lines, YAML)" },
  { name: "weave", title: "Weave calls (JSON lines)" },
];
