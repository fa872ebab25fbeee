import { jsonText } from "@assay/base";
import type { EvalEngine, EvalResultsQueryBody } from "../src/index.ts";

/**
 * Compares the columns with the specification, as whole answers, byte for byte: the order of keys counts too. The
 * comparison is on text because shrinking compares thousands of times.
 */
export async function expectSame(engine: EvalEngine, body: EvalResultsQueryBody): Promise<void> {
  const columns = jsonText(await engine.query("acme/demo", body));
  const naive = jsonText(await engine.query("acme/demo", body, { plan: "naive" }));
  if (columns === naive) return;
  let at = 0;
  while (columns[at] === naive[at]) at++;
  const part = (text: string) => text.slice(Math.max(0, at - 200), at + 2000);
  throw new Error(`they differ at character ${at}\ncolumns: ${part(columns)}\nnaive:   ${part(naive)}`);
}
