// assay scores: the scores of a project, and which of their values are better.

import type { KeptDirection } from "@assay/eval-engine";
import { directionOf } from "@assay/eval-engine/internal";
import { measureName } from "@assay/eval-engine/words";
import { readFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";
import { type OpenOptions, openData } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { failOnMissing, missingProject } from "../../query/check-names.ts";
import { statsOf } from "../../query/default-query.ts";
import { kindOf, measureNamed, scoreMeasures } from "../../query/score-measures.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, printJson } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";
import { withNotice } from "../../terminal/slow-notice.ts";

/** What to list or set. */
export interface ScoresOptions extends OpenOptions, PrintOptions {
  readonly project: string;
  /** Scores to set; empty to list all. */
  readonly names: readonly string[];
  /** Their direction; null forgets it. Undefined to list. */
  readonly direction?: KeptDirection | null | undefined;
}

/** How many of the newest evaluations have their scores listed. */
const LOOKED_AT = 20;

/** A score in the list. */
interface ListedScore {
  readonly field: string;
  readonly kind: "boolean" | "number" | null;
  readonly direction: "higher" | "lower" | null;
  /** Where the direction comes from; null if unknown. */
  readonly source: "project" | "name" | "values" | "asked" | null;
}

/** Lists the scores of a project, or sets their direction. Returns the exit code. */
export async function scoresCommand(context: CliContext, options: ScoresOptions): Promise<number> {
  const { names, direction } = options;
  const project = projectArgument(options.project);
  if (direction !== undefined && names.length === 0)
    throw new Failure(EXIT.usage, "name the scores to set, such as: assay scores acme/demo latency --lower");
  const data = await openData(context, options);
  try {
    const scores = await withNotice(context, scoresOf(data, project));
    const found = names.map((name) =>
      measureNamed(
        name,
        scores.map(({ field }) => field),
      ),
    );
    failOnMissing(found.flatMap((one) => ("missing" in one ? [one.missing] : [])));
    const fields = found.flatMap((one) => ("field" in one ? [one.field] : []));
    if (direction !== undefined) {
      const fact = fields.find((field) => !field.startsWith("scores."));
      if (fact !== undefined)
        throw new Failure(
          EXIT.usage,
          `lower ${fact} is always better: directions can only be set for scores`,
        );
      if (data.directions === undefined)
        throw new Failure(EXIT.usage, `${data.where} does not keep directions of scores`);
      await data.directions.put(project, new Map(fields.map((field) => [field, direction])));
    }
    const all = direction === undefined ? scores : await scoresOf(data, project);
    await show(
      context,
      fields.length === 0 ? all : all.filter(({ field }) => fields.includes(field)),
      options,
    );
    return EXIT.ok;
  } finally {
    await data.close();
  }
}

async function scoresOf(data: DataAccess, project: string): Promise<readonly ListedScore[]> {
  const evaluations = await data.evaluations(project, { order: "newest", limit: LOOKED_AT });
  if (evaluations.length === 0) failOnMissing([await missingProject(data, project)]);
  const stats = await statsOf(
    data,
    project,
    evaluations.map(({ id }) => id),
  );
  const kept = (await data.directions?.get(project)) ?? new Map<string, KeptDirection>();
  return scoreMeasures(stats).flatMap((field): readonly ListedScore[] => {
    const path = readFieldPath(field);
    if (!path.ok) return [];
    const kind = kindOf(field, stats);
    return [{ field, kind, ...directionOf({ path: path.value, kind, asked: undefined, kept }) }];
  });
}

async function show(
  context: CliContext,
  scores: readonly ListedScore[],
  options: ScoresOptions,
): Promise<void> {
  if (isJson(context, options)) return printJson(context, scores);
  const lines = scores.map((of) => [measureName(of.field), kindText(of), betterText(of)].map(plainText));
  await printTable(context, ["score", "values", "better"], lines);
}

function kindText({ kind }: ListedScore): string {
  return kind === "boolean" ? "true or false" : "numbers";
}

function betterText({ direction, source }: ListedScore): string {
  if (direction === null)
    return source === null
      ? "no direction: set it with --higher, --lower or --none"
      : "neither (set for the project)";
  const sourceText = {
    project: "set for the project",
    name: "from its name",
    values: "true is better than false",
    asked: "asked",
  }[source ?? "values"];
  return `${direction} (${sourceText})`;
}
