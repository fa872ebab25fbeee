// Tables with a record for each question, model and metric: the records of one answer are one trial, with a score from
// each.

import { Dictionary } from "../collections/digest-table.ts";
import { PagedArray } from "../collections/paged-array.ts";
import type { TableLayout } from "./columns/table-layout.ts";
import { differing, paired } from "./encoded-column.ts";
import { codesOf, type EncodedTable } from "./encoded-table.ts";

/** Of the columns with names of metrics, those that tell the records of a row in an evaluation apart. */
export function metricsWithinRows(table: EncodedTable, layout: TableLayout): readonly string[] {
  let groups = repetitionsOf(table, layout);
  return layout.metrics.filter((name) => {
    const codes = codesOf(table, name, "name");
    const isOther = differing(groups, codes).count > 0;
    if (isOther) groups = paired(groups, codes);
    return isOther;
  });
}

/** The number of each record's trial, in order of first appearance. */
export function trialsOfRecords(table: EncodedTable, layout: TableLayout): Uint32Array {
  const outputs = layout.answers.flatMap(({ columns: { output } }) => output ?? []);
  const answers = outputs.map((name) => codesOf(table, name, "value"));
  const answered = [repetitionsOf(table, layout), ...answers].reduce(paired);
  const metrics = layout.metrics.map((name) => codesOf(table, name, "name")).reduce(paired);
  // A repeated metric belongs to the next repetition.
  const [lines, trials, times] = [new Dictionary(), new Dictionary(), new PagedArray()];
  const numbers = new Uint32Array(table.records);
  for (let record = 0; record < numbers.length; record++) {
    const line = lines.ofPair(answered[record]!, metrics[record]!);
    times.extend(line + 1);
    const before = times.get(line);
    times.set(line, before + 1);
    numbers[record] = trials.ofPair(answered[record]!, before);
  }
  return numbers;
}

/** A code for each row, evaluation and stated repetition. */
function repetitionsOf(table: EncodedTable, { key, evaluation, trial }: TableLayout): Uint32Array {
  return [
    ...key.map((name) => codesOf(table, name, "key")),
    ...evaluation.map((name) => codesOf(table, name, "name")),
    ...(trial === undefined ? [] : [codesOf(table, trial, "value")]),
  ].reduce(paired);
}
