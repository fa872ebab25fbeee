// The scores of tables with a record for each metric.

import type { Json } from "@assay/base";
import { setMember } from "@assay/base/internal";
import type { JsonObject } from "../json/json-text.ts";
import type { ReadOptions } from "../options/import-options.ts";
import { PendingScores } from "../scores/pending-scores.ts";
import type { CellRows } from "./cells/cell-rows.ts";
import type { AnswerColumns, NamedAnswer } from "./columns/table-layout.ts";
import type { EncodedTable } from "./encoded-table.ts";
import type { RefinedLayout } from "./refined-layout.ts";
import { type CellMember, TableCursor } from "./table-cursor.ts";
import { scoreIn, textOf } from "./table-values.ts";

/** The scores of a table with a record for each metric, by trial. */
export class MetricScores {
  private readonly trials: Uint32Array;
  /** How many trials have had their first record. */
  private begun = 0;
  private readonly cursor: TableCursor;
  private readonly metrics: readonly CellMember[];
  private readonly values: readonly CellMember[];
  private readonly columns: AnswerColumns;
  private readonly areTexts: boolean;
  /** Whether scores have the names of their column and metric, or only of the metric. */
  private readonly hasColumn: boolean;
  private readonly pending = new PendingScores();

  constructor(
    { columns, form }: EncodedTable,
    { metrics, answers, trials }: RefinedLayout & { readonly trials: Uint32Array },
    { scores = [] }: ReadOptions,
  ) {
    const [answer] = answers as [NamedAnswer];
    const names = [...answer.columns.scores.keys()];
    this.cursor = new TableCursor(columns);
    this.metrics = metrics.map((name) => this.cursor.member(name));
    this.values = this.cursor.membersOf(names);
    [this.trials, this.columns, this.areTexts] = [trials, answer.columns, form.areTexts];
    this.hasColumn = names.length > 1 || names.some((name) => scores.includes(name));
  }

  /** Adds the scores of these records. */
  add(rows: CellRows): void {
    const { cursor, columns, areTexts, pending } = this;
    cursor.begin(rows);
    for (let row = rows.first; row < rows.count; row++) {
      cursor.moveTo(row);
      const trial = String(this.trials[cursor.record]);
      const metrics = this.metrics.map((member) => textOf(cursor.valueOf(member)));
      const metric = metrics.filter(Boolean).join(" · ");
      const record = cursor.objectOf(this.values);
      for (const [column, name] of columns.scores) {
        const keys = [...(this.hasColumn ? [name] : []), metric || name];
        pending.put(trial, JSON.stringify(keys), scoreIn(record, column, areTexts));
      }
    }
  }

  /** Whether a record is the first of its trial; asked once for each record, in order. */
  isFirst(record: number): boolean {
    const isFirst = this.trials[record] === this.begun;
    if (isFirst) this.begun++;
    return isFirst;
  }

  /** The scores of a record's trial. */
  of(record: number): JsonObject {
    const found: { [name: string]: Json } = {};
    for (const [keys, value] of Object.entries(this.pending.of(String(this.trials[record])))) {
      const [name, metric] = JSON.parse(keys) as [string, string?];
      if (metric === undefined) setMember(found, name, value);
      else {
        const inner = Object.hasOwn(found, name) ? (found[name] as JsonObject) : {};
        setMember(inner, metric, value);
        setMember(found, name, inner);
      }
    }
    return found;
  }
}
