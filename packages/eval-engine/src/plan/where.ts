// The trials of which a filter is true. Conditions that must all hold are taken one after the other: what the row alone
// decides first, over the examples, and each further one only over the trials that are left. That is sound because
// false and unknown are alike to a filter.

import type { Expr } from "@assay/query-lang";
import { keepNumbers } from "../kernels/keep-numbers.ts";
import { andInto, TRUE, type Truths } from "../kernels/truth.ts";
import type { Segment } from "../segment.ts";
import { columnOf } from "../value-columns.ts";
import { combine, domainOfExpr, numericComparison, overTrials, say } from "./truths.ts";

/** The trials of a segment of which `expr` is true, in no particular order. The segment's columns must be prepared. */
export function trialsWhere(expr: Expr, segment: Segment): Uint32Array {
  const conditions = conjuncts(expr);
  const ofRow = conditions.filter((condition) => domainOfExpr(condition) === "examples");
  const ofTrial = conditions.filter((condition) => domainOfExpr(condition) === "trials");
  const said = ofRow.map((condition) => say(condition, segment));
  let left =
    said.length > 0
      ? trialsOfExamples(segment, combine(said, andInto, segment).truths)
      : trueTrials(segment, say(ofTrial.shift()!, segment).truths);
  for (const condition of ofTrial) left = keepWhere(condition, left, segment);
  return left;
}

/** The conditions that must all hold for `expr` to. Recurses as deep as `expr` nests, which its reader bounds. */
function conjuncts(expr: Expr): readonly Expr[] {
  return expr.kind === "and" ? expr.operands.flatMap(conjuncts) : [expr];
}

/** The trials whose example is true. */
function trialsOfExamples({ parts, trials }: Segment, truths: Truths): Uint32Array {
  const [rowOfExample, firstTrial] = [parts.rowOfExample.array, parts.firstTrial.array];
  const [exampleOf, next] = [parts.exampleOf.array, parts.next.array];
  const found = new Uint32Array(trials);
  let n = 0;
  for (let example = 0; example < truths.length; example++) {
    if (truths[example] !== TRUE) continue;
    for (let i = firstTrial[rowOfExample[example]!]!; i !== -1; i = next[i]!) {
      if (exampleOf[i] === example) found[n++] = i;
    }
  }
  return found.subarray(0, n);
}

function trueTrials({ parts }: Segment, truths: Truths): Uint32Array {
  const rowOf = parts.rowOf.array;
  const found = new Uint32Array(truths.length);
  let n = 0;
  // What was taken out has no row.
  for (let i = 0; i < truths.length; i++) if (truths[i] === TRUE && rowOf[i] !== -1) found[n++] = i;
  return found.subarray(0, n);
}

function keepWhere(expr: Expr, selection: Uint32Array, segment: Segment): Uint32Array {
  const numeric = numericComparison(expr);
  if (numeric !== undefined) {
    const { values } = columnOf(segment, numeric.path);
    return keepNumbers(selection, numeric.op, values.numbers.array, numeric.literal);
  }
  const truths = overTrials(say(expr, segment), segment);
  return selection.filter((i) => truths[i] === TRUE);
}
