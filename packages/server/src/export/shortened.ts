// How much of what models gave a file keeps. Scores, times and tokens stay: they are what a comparison is made of.

import type { PageFileOptions } from "@assay/adapters-http/internal";
import type { Json } from "@assay/base";
import { mapTexts, withAt } from "./map-texts.ts";
import type { LoggedCall } from "./redaction.ts";

/** A trial's own call. */
export function shortenedTrial(call: LoggedCall, outputs: PageFileOptions["outputs"]): LoggedCall {
  if (outputs === "full") return call;
  const output = call["output"] ?? null;
  if (typeof output !== "object" || output === null || Array.isArray(output))
    return { ...call, output: null };
  const given = (output as LoggedCall)["output"] ?? null;
  return { ...call, output: withAt(output, ["output"], shortened(given, outputs)) };
}

/** A call below a trial. Whose it is stays, because that tells the model's from a scorer's. */
export function shortenedCall(call: LoggedCall, outputs: PageFileOptions["outputs"]): LoggedCall {
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
