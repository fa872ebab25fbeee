// Where a reader is: the whole state of the page that a link keeps. Plain data, without anything that was loaded.

/** A condition on rows or trials, as a chip shows it. */
export type Chip =
  | {
      readonly kind: "condition";
      /** `inputs.…`, `outputs.…` or `scores.…`. */
      readonly field: string;
      readonly op: ConditionOp;
      readonly value: string | number | boolean | null;
      /** The evaluation whose trials must meet it; any when undefined. */
      readonly evaluation?: string;
    }
  /** A filter as an answer gave it (a slice's), put back into the query unchanged. */
  | { readonly kind: "filter"; readonly label: string; readonly filter: object }
  /** A row filter as an answer gave it (a bin's or a group's), put back into the page's question unchanged. */
  | { readonly kind: "row"; readonly label: string; readonly filter: object };

/** How a condition compares. */
export type ConditionOp = (typeof CONDITION_OPS)[number];
/** All of them. */
export const CONDITION_OPS = ["eq", "ne", "gt", "ge", "lt", "le", "has"] as const;

/** How a row changed from the baseline to the candidate. */
export type Change = (typeof CHANGES)[number];
/** All of them, in the order in which they are shown. */
export const CHANGES = ["worse", "better", "changed", "equal", "flaky", "missing"] as const;

/** Which rows come first. */
export type Order = (typeof ORDERS)[number];
/** All of them; the first is the default. */
export const ORDERS = ["worst_first", "best_first", "largest_first", "digest"] as const;

/** What is shown below the verdict. */
export type Tab = (typeof TABS)[number];
/** All of them; the first is the default. */
export const TABS = ["rows", "distribution", "slices", "matrix", "ranking"] as const;

/** A comparison of evaluations. */
export interface ComparePlace {
  readonly view: "compare";
  /** `entity/project`. */
  readonly project: string;
  /** Ids, in the order of the columns; empty for the latest ones. */
  readonly evaluations: readonly string[];
  /** The one that is compared with; chosen by the page when undefined. */
  readonly baseline?: string;
  /** The one that the verdict is about; the last other one when undefined. */
  readonly candidate?: string;
  /** The measure in focus; the first that passes or fails when undefined. */
  readonly measure?: string;
  /** Measures of which lower is better. */
  readonly lower: readonly string[];
  readonly chips: readonly Chip[];
  readonly change?: Change;
  readonly order: Order;
  readonly tab: Tab;
  /** Fields that slices are made by; empty for all that divide the rows. */
  readonly by: readonly string[];
  /** Digest of the row in the drawer. */
  readonly row?: string;
  /** Trials that the drawer compares, of the baseline and of the candidate, from 0. */
  readonly trials: readonly [number, number];
  /** Whether outputs are marked where they differ from the baseline's. */
  readonly diff: boolean;
  /** Whether rows are one line high. */
  readonly dense: boolean;
}

/** Where a reader is. Parameters that the page does not know are kept in `rest`. */
export type Place = (
  | { readonly view: "start" }
  | { readonly view: "evaluations"; readonly project: string }
  | ComparePlace
  | { readonly view: "runs"; readonly project: string }
  | { readonly view: "run"; readonly project: string; readonly run: string }
  | { readonly view: "training" }
  | { readonly view: "job"; readonly id: string }
  | { readonly view: "models" }
  | { readonly view: "model"; readonly id: string }
  | { readonly view: "chat"; readonly models: readonly string[] }
  | { readonly view: "usage"; readonly by: readonly string[] }
  | { readonly view: "keys" }
  | { readonly view: "open" }
) & { readonly rest: readonly (readonly [string, string])[] };

/** A comparison of a project in which everything is as by default. */
export function comparisonOf(
  project: string,
  parts: Partial<ComparePlace> = {},
): ComparePlace & { readonly rest: readonly (readonly [string, string])[] } {
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
    dense: false,
    rest: [],
    ...parts,
  };
}
