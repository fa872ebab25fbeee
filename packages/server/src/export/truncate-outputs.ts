// Truncates the outputs of models in a file. Scores, times and tokens stay, because comparisons need them.

import type { PageFileOptions } from "@assay/adapters-http/internal";
import type { Json } from "@assay/base";
import { mapTexts, withAt } from "./map-texts.ts";
import type { LoggedCall } from "./redaction.ts";

/** Shortens the predict-and-score call of a trial. */
export function truncatedTrial(call: LoggedCall, outputs: PageFileOptions["outputs"]): LoggedCall {
  if (outputs === "full") return call;
  const output = call["output"] ?? null;
  if (typeof output !== "object" || output === null || Array.isArray(output))
    return { ...call, output: null };
  const given = (output as LoggedCall)["output"] ?? null;
  return { ...call, output: withAt(output, ["output"], shortened(given, outputs)) };
}

/** Shortens a call below a trial. It keeps `self`, which distinguishes the model from a scorer. */
export function truncatedCall(call: LoggedCall, outputs: PageFileOptions["outputs"]): LoggedCall {
  if (outputs === "full") return call;
  const inputs = call["inputs"] as LoggedCall | null;
  if (outputs !== "none")
    return {
      ...call,
      inputs: shortened(inputs, outputs),
      output: shortened(call["output"] ?? null, outputs),
    };
  const self = inputs?.["self"];
  return { ...call, inputs: self === undefined ? {} : { self }, output: null };
}

function shortened(value: Json, outputs: Exclude<PageFileOptions["outputs"], "full">): Json {
  if (outputs === "none") return null;
  return mapTexts(value, (text) => (text.length <= outputs ? text : `${text.slice(0, outputs)}…`));
}
