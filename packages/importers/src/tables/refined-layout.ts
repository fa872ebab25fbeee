// Refines the layout of a table by its values: which columns identify its rows and its evaluations.

import { Unreadable } from "../files/errors.ts";
import type { ReadOptions } from "../options/import-options.ts";
import { roleOf } from "./columns/column-roles.ts";
import type { DerivedScore } from "./columns/derived-score.ts";
import {
  checkComplete,
  metricColumns,
  type NamedAnswer,
  type TableLayout,
  tableLayout,
} from "./columns/table-layout.ts";
import { countDifferent, differing, paired } from "./encoded-column.ts";
import { codesOf, type EncodedTable } from "./encoded-table.ts";
import { metricsWithinRows, trialsOfRecords } from "./metric-records.ts";

/** A layout with known keys for rows and evaluations. */
interface KeyedLayout extends TableLayout {
  /** Columns whose names suggest a row key, but whose values do not fit. */
  readonly dropped: readonly string[];
}

/** The roles of a table's columns, as far as names and values show. */
export interface RefinedLayout extends KeyedLayout {
  /** Columns that describe the answer rather than the row. */
  readonly varying: ReadonlySet<string>;
  /** In a table with a record for each metric, the number of each record's trial. */
  readonly trials?: Uint32Array;
  /** The score of answers that no column scores. */
  readonly derived?: DerivedScore;
  /** Columns that describe a metric rather than the answer, and are left out. */
  readonly ofMetrics: readonly string[];
}

/** The roles of a table's columns. Throws if no column can be the answer or the row. */
export function refinedLayout(table: EncodedTable, options: ReadOptions): RefinedLayout {
  const { profiles, records } = table;
  const layoutWith = (metrics: readonly string[]) => tableLayout(profiles, records, options, metrics);
  for (let metrics = metricColumns(profiles, records); metrics.length > 0; ) {
    const layout = layoutWith(metrics);
    if (layout.key.length === 0 || layout.answers.every(({ columns }) => columns.scores.size === 0)) break;
    const refined = refineLayout(table, layout, options);
    const found = metricsWithinRows(table, refined);
    if (found.length === metrics.length) return layoutOfMetrics(table, refined);
    metrics = found;
  }
  const layout = layoutWith([]);
  checkComplete(profiles, layout);
  return refineLayout(table, layout, options);
}

/** The layout of a table with a record for each metric. */
function layoutOfMetrics(table: EncodedTable, layout: RefinedLayout): RefinedLayout {
  const { metrics, answers, varying } = layout;
  const [{ columns, ...answer }] = answers as [NamedAnswer];
  if (answers.length > 1) {
    const ends = answers.map(({ model, repetition }) => model ?? repetition).join(", ");
    const way = "write a record for each of them too, or columns for each metric";
    throw new Unreadable(
      `each record has a metric in ${metrics[0]}, and columns for each of ${ends}; ${way}`,
      "asked",
    );
  }
  const trials = trialsOfRecords(table, layout);
  const { latency, tokens, error, facts } = columns;
  const described = [latency, ...tokens, error, ...facts, ...varying].filter((name) => name !== undefined);
  const ofMetrics = described.filter((name) => differing(trials, codesOf(table, name, "value")).count > 0);
  const isOwn = (name: string) => !ofMetrics.includes(name);
  const own = {
    latency: latency === undefined || isOwn(latency) ? latency : undefined,
    tokens: tokens.filter(isOwn),
    error: error === undefined || isOwn(error) ? error : undefined,
    facts: facts.filter(isOwn),
  };
  return {
    ...layout,
    answers: [{ ...answer, columns: { ...columns, ...own } }],
    varying: new Set([...varying].filter(isOwn)),
    trials,
    ofMetrics,
  };
}

/** Refines the layout with the table's values. */
function refineLayout(table: EncodedTable, layout: TableLayout, options: ReadOptions): RefinedLayout {
  const settled = findKeys(table, layout, options);
  const rows = settled.key.map((name) => codesOf(table, name, "key")).reduce(paired);
  // In order of discovery, which determines the ids of evaluations.
  const varying = settled.others
    .map((name) => ({ name, ...differing(rows, codesOf(table, name, "value")) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.first - b.first);
  return { ...settled, varying: new Set(varying.map(({ name }) => name)), ofMetrics: [] };
}

/**
 * Finds the keys of rows and evaluations by values. A column that differs between evaluations for the same id is not
 * part of the row. An id that differs for each answer does not identify the row. A column named like a model that
 * varies within an evaluation splits the evaluation.
 */
function findKeys(
  table: EncodedTable,
  layout: TableLayout,
  { rowKey, evaluation: asked }: ReadOptions,
): KeyedLayout {
  const [identity, ...content] =
    rowKey === undefined ? layout.key : [rowKey, ...layout.key.filter((name) => name !== rowKey)];
  const sure = asked === undefined ? 1 : layout.evaluation.length;
  const [evaluation, runs] = [layout.evaluation.slice(0, sure), layout.evaluation.slice(sure)];
  const own = [...content, ...runs];
  const settled = { ...layout, evaluation, dropped: [] };
  if (identity === undefined || own.length === 0) return settled;
  const ids = codesOf(table, identity, "key");
  const has = (record: number) => ids[record] !== 0;
  const names =
    evaluation.length === 0
      ? new Uint32Array(table.records)
      : evaluation.map((name) => codesOf(table, name, "name")).reduce(paired);
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
  const areSeveral = countDifferent(names, has) > 1;
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

/** Whether ids are never shared between evaluations although questions are: then they identify answers. */
function isOfAnswers(ids: Uint32Array, inputs: Uint32Array, evaluations: Uint32Array): boolean {
  const has = (record: number) => ids[record] !== 0;
  const met = differing(inputs, evaluations, has).count;
  const size = countDifferent(inputs, has);
  return met > 0 && met * 2 >= size && differing(ids, evaluations, has).count === 0;
}
