// The place of a reader: the whole state of the page that a link contains. Plain data, without loaded data.

/** A condition on rows or trials, shown as a chip. */
export type Chip =
  | {
      readonly kind: "condition";
      /** `inputs.…`, `outputs.…` or `scores.…`. */
      readonly field: string;
      readonly op: ConditionOp;
      readonly value: string | number | boolean | null;
      /** The evaluation whose trials must meet it; undefined for any. */
      readonly evaluation?: string;
    }
  /** A filter from an answer (a slice's), put back into the query unchanged. */
  | { readonly kind: "filter"; readonly label: string; readonly filter: object }
  /** A row filter from an answer (a bin's or a group's), put back into the page's question unchanged. */
  | { readonly kind: "row"; readonly label: string; readonly filter: object };

/** How a condition compares. */
export type ConditionOp = (typeof CONDITION_OPS)[number];
/** All of them. */
export const CONDITION_OPS = ["eq", "ne", "gt", "ge", "lt", "le", "has"] as const;

/** How a row changed from the baseline to the candidate. */
export type Change = (typeof CHANGES)[number];
/** All of them, in display order. */
export const CHANGES = ["worse", "better", "changed", "equal", "flaky", "missing"] as const;

/** Which rows come first. */
export type Order = (typeof ORDERS)[number];
/** All of them; the first is the default. */
export const ORDERS = ["worst_first", "best_first", "largest_first", "digest"] as const;

/** The content below the verdict. */
export type Tab = (typeof TABS)[number];
/** All of them; the first is the default. */
export const TABS = ["rows", "distribution", "slices", "matrix", "ranking"] as const;

/** A comparison of evaluations. */
export interface CompareRoute {
  readonly view: "compare";
  /** `entity/project`. */
  readonly project: string;
  /** IDs, in the order of the columns; empty for the latest ones. */
  readonly evaluations: readonly string[];
  /** The baseline; undefined for the default. */
  readonly baseline?: string;
  /** The evaluation that the verdict is about; undefined for the last other one. */
  readonly candidate?: string;
  /** The measure in focus; undefined for the first boolean score. */
  readonly measure?: string;
  /** Measures where lower is better. */
  readonly lower: readonly string[];
  readonly chips: readonly Chip[];
  readonly change?: Change;
  readonly order: Order;
  readonly tab: Tab;
  /** Fields to slice by; empty for all possible ones. */
  readonly by: readonly string[];
  /** The digest of the row in the drawer. */
  readonly row?: string;
  /** The trials that the drawer compares, of the baseline and of the candidate, from 0. */
  readonly trials: readonly [number, number];
  /** Whether to mark differences of outputs to the baseline's. */
  readonly diff: boolean;
  /** Whether the drawer compares the candidate's output with the expected one instead. */
  readonly expected: boolean;
  /** Whether rows are one line high. */
  readonly dense: boolean;
}

/** Where a reader is. Unknown parameters are kept in `rest`. */
export type PageRoute = (
  | { readonly view: "start" }
  | { readonly view: "evaluations"; readonly project: string }
  | CompareRoute
  /** A project's logged runs: the list, one of them, or several beside each other. */
  | { readonly view: "runs"; readonly project: string; readonly runs: readonly string[] }
  | { readonly view: "calls"; readonly project: string }
  | { readonly view: "call"; readonly project: string; readonly id: string }
  | { readonly view: "training" }
  | { readonly view: "job"; readonly id: string }
  | { readonly view: "models" }
  | { readonly view: "model"; readonly id: string }
  | { readonly view: "chat"; readonly models: readonly string[] }
  | { readonly view: "usage"; readonly by: readonly string[] }
  | { readonly view: "keys" }
  | { readonly view: "open" }
) & { readonly rest: readonly (readonly [string, string])[] };

/** A comparison of a project with all defaults. */
export function comparisonOf(
  project: string,
  parts: Partial<CompareRoute> = {},
): CompareRoute & { readonly rest: readonly (readonly [string, string])[] } {
  return {
    view: "compare",
    project,
    evaluations: [],
    lower: [],
    chips: [],
    order: ORDERS[0],
    tab: TABS[0],
    by: [],
    trials: [0, 0],
    diff: true,
    expected: false,
    dense: false,
    rest: [],
    ...parts,
  };
}
