// The bodies of statistics questions in wire format.

import type { Adjustment, Direction } from "@assay/statistics";
import type { Reducer } from "@assay/statistics/exact";
import type { EvalResultsQueryBody } from "../../query/request.ts";

/** A measure with its options. */
export interface MeasureBody {
  /** `scores.<path>`, `model_latency_seconds` or `total_tokens`. */
  readonly field: string;
  /**
   * Whether higher or lower is better. Default: the project's setting, else the direction that the name implies, else
   * `higher` for booleans, else none.
   */
  readonly direction?: Direction | null | undefined;
  /** The smallest difference that matters, 0 or more, in the measure's unit. Default 0. */
  readonly margin?: number | null | undefined;
  /** How to reduce a row's trials to one value. Default `mean`. */
  readonly reduce?: Reducer | null | undefined;
}

/** The common members of every question. */
interface StatisticsBody {
  /** The query that selects the rows; its paging, sorting and parts of the response are ignored. */
  readonly query: EvalResultsQueryBody;
  /** The confidence of intervals, between 0 and 1. Default 0.95. */
  readonly level?: number | null | undefined;
  /** How to count a row without a known value: not at all, or (for booleans) as failed. Default `exclude`. */
  readonly missing?: "exclude" | "fail" | null | undefined;
}

/** The body of a comparison. */
export interface CompareBody extends StatisticsBody {
  /** One of the query's evaluations; all others are candidates. */
  readonly baseline: string;
  /** The measures, or only their fields. Default: all score leaves. */
  readonly measures?: readonly (MeasureBody | string)[] | null | undefined;
  /** The direction of measures that set none. */
  readonly direction?: Direction | null | undefined;
  /** The margin of measures that set none. */
  readonly margin?: number | null | undefined;
  /** The reducer of measures that set none. */
  readonly reduce?: Reducer | null | undefined;
  /** A field of the row (`inputs.…`): rows with the same value form a cluster. */
  readonly cluster_by?: string | null | undefined;
  /** `bootstrap` computes intervals by resampling rows or clusters. Default `auto`. */
  readonly interval?: "auto" | "bootstrap" | null | undefined;
  /** How to correct p-values for multiple testing. Default `holm` if measures are named, `bh` for all leaves. */
  readonly adjustment?: Adjustment | null | undefined;
  /** Whether intervals remain valid at every look at a running evaluation. Default `auto`: if one has not ended. */
  readonly anytime?: "auto" | boolean | null | undefined;
  /** The number of rows at which such an interval is narrowest. Default 500. */
  readonly anytime_rows?: number | null | undefined;
  /** The seed of the bootstrap. Default 0. */
  readonly seed?: number | null | undefined;
}

/** The body of slices. */
export interface SlicesBody extends StatisticsBody {
  /** One of the query's evaluations. */
  readonly baseline: string;
  /** Another one. */
  readonly candidate: string;
  /** The measure, or only its field. */
  readonly measure: MeasureBody | string;
  /** Fields of the row. Default: every text and boolean field with 2 to 50 values, and every number. */
  readonly fields?: readonly string[] | null | undefined;
  /** 2 also slices by each pair of fields. Default 1. */
  readonly depth?: 1 | 2 | null | undefined;
  /** The number of rows that a slice needs to be tested. Default 10. */
  readonly min_rows?: number | null | undefined;
  /** The smallest difference that matters. Default 0. */
  readonly margin?: number | null | undefined;
}

/** The body of a ranking. */
export interface RankingBody extends StatisticsBody {
  /** The measure, or only its field. */
  readonly measure: MeasureBody | string;
  /** A field of the row (`inputs.…`): rows with the same value form a cluster. */
  readonly cluster_by?: string | null | undefined;
}
