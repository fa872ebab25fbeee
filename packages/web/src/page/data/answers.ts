// The answers of the evaluation routes, with the names that the page uses.

import type { Schemas } from "@assay/client";

/** A project in a list. */
export type ListedProject = Schemas["ProjectList"]["projects"][number];

/** An evaluation in a list. */
export type ListedEvaluation = Schemas["EvaluationList"]["evaluations"][number];

/** The beginning of a value. */
export type Preview = Schemas["EvalResultsPreview"];

/** A row's trials in one evaluation. */
export type PageCell = Schemas["EvalResultsPageRowEvaluation"];

/** A row of the grid. */
export type PageRow = Schemas["EvalResultsPageRow"];

/** The number of rows with each change, among those that the filters select. */
export type ChangeCounts = Schemas["EvalResultsChangeCounts"];

/** A page of rows. */
export type RowPage = Schemas["EvalResultsPageRes"];

/** The fields of evaluations. */
export type FieldList = Schemas["EvalResultsFieldsRes"];
