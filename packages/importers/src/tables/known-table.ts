// What the values of a table say of its columns: what tells its rows and its evaluations apart.

import type { ReadOptions } from "../importer.ts";
import { differing, paired } from "./coded-column.ts";
import { type CodedTable, codesOf } from "./coded-table.ts";
import { roleOf } from "./column-roles.ts";
import type { TableLayout } from "./table-layout.ts";

/** A layout of which it is known what tells the rows and the evaluations apart. */
interface KeyedLayout extends TableLayout {
  /** Columns that could tell rows apart by their names, and do not. */
  readonly dropped: readonly string[];
}

/** What the columns of a table are, and what their values say of them. */
export interface KnownTable extends KeyedLayout {
  /** Columns that say something of the answer, and not of the row. */
  readonly varying: ReadonlySet<string>;
}

/** The layout with what its values say. */
export function knownTable(table: CodedTable, layout: TableLayout, options: ReadOptions): KnownTable {
  const settled = keyed(table, layout, options);
  const rows = settled.key.map((name) => codesOf(table, name, "key")).reduce(paired);
  // In the order in which they show it, which the ids of evaluations keep.
  const varying = settled.others
    .map((name) => ({ name, ...differing(rows, codesOf(table, name, "value")) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.first - b.first);
  return { ...settled, varying: new Set(varying.map(({ name }) => name)) };
}

/**
 * What tells rows and evaluations apart, by the values: a column that differs between evaluations for the same id is
 * not part of the row, an id that is another for each answer is not a row's, and what differs within an evaluation and
 * is named like a model makes two evaluations of it.
 */
function keyed(table: CodedTable, layout: TableLayout, { rowKey }: ReadOptions): KeyedLayout {
  const [identity, ...content] =
    rowKey === undefined ? layout.key : [rowKey, ...layout.key.filter((name) => name !== rowKey)];
  const [evaluation, ...runs] = layout.evaluation;
  const own = [...content, ...runs];
  const settled = { ...layout, evaluation: evaluation === undefined ? [] : [evaluation], dropped: [] };
  if (identity === undefined || own.length === 0) return settled;
  const ids = codesOf(table, identity, "key");
  const has = (record: number) => ids[record] !== 0;
  const names =
    evaluation === undefined ? new Uint32Array(table.records) : codesOf(table, evaluation, "name");
  const within = paired(names, ids);
  const differs = (groups: Uint32Array, name: string) =>
    differing(groups, codesOf(table, name, "key"), has).count > 0;
  const inside = new Set(own.filter((name) => differs(within, name)));
  const [first] = content;
  const isIdless =
    rowKey === undefined &&
    first !== undefined &&
    roleOf(first)?.role === "input" &&
    isOfAnswers(ids, codesOf(table, first, "key"), names);
  const areSeveral = new Set(names.filter((_, record) => has(record))).size > 1;
  const dropped = [
    ...(isIdless ? [identity] : []),
    ...(areSeveral ? content.filter((name) => !inside.has(name) && differs(ids, name)) : []),
  ];
  const apart = runs.filter((column) => inside.has(column));
  const used = new Set([...apart, ...dropped]);
  return {
    ...settled,
    key: layout.key.filter((name) => !used.has(name)),
    evaluation: [...settled.evaluation, ...apart],
    dropped,
    others: [...layout.others, ...dropped, ...runs.filter((name) => !apart.includes(name))],
  };
}

/** Whether ids never meet, of questions that do: they are those of answers. */
function isOfAnswers(ids: Uint32Array, inputs: Uint32Array, evaluations: Uint32Array): boolean {
  const has = (record: number) => ids[record] !== 0;
  const met = differing(inputs, evaluations, has).count;
  const size = new Set(inputs.filter((_, record) => has(record))).size;
  return met > 0 && met * 2 >= size && differing(ids, evaluations, has).count === 0;
}
