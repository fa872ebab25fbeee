import { jsonText } from "@assay/base";
import type { EvalEngine, EvalResultsQueryBody } from "../src/index.ts";

/**
 * Puts a request to the columns and to the specification. Whole answers, byte for byte: the order of keys counts too.
 * Compared as text, because shrinking compares thousands of times.
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
