// assay export: writes a project's calls as logged, its trials as a table, or its evaluations as a page.

import { pipeline } from "node:stream/promises";
import type { LineKind } from "@assay/adapters-http/internal";
import { flatTrials } from "@assay/server/export";
import type { DataAccess } from "@assay/server/internal";
import { type OpenOptions, openData } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { linesIn } from "../../files/line-chunks.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { checkOutput, writeTable } from "../../files/write-table.ts";
import { failOnMissing, missingProject } from "../../query/check-names.ts";
import { namedEvaluations } from "../../query/named-evaluations.ts";
import { readQueryOptions } from "../../query/query-options.ts";
import { type CliContext, info } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { readContentChoice } from "./content-choice.ts";
import type { PageExport } from "./export-page.ts";

/** What to export, and where to. */
export interface ExportOptions extends OpenOptions {
  readonly project: string;
  /** Names or IDs of evaluations; empty for the whole project. */
  readonly evaluations: readonly string[];
  /** Calls as logged, one line per trial, or one HTML file. */
  readonly format: "jsonl" | "csv" | "parquet" | "html";
  /** The file to write; undefined for standard output. */
  readonly output?: string | undefined;
  /** The file for the dataset rows that the calls refer to; only with jsonl. */
  readonly rows?: string | undefined;
  /** Conditions on rows, as in `assay query`; only with html. */
  readonly where: readonly string[];
  /** How much of outputs to keep: full, none, or a number of characters; only with html. */
  readonly outputs?: string | undefined;
  /** Fields whose values are replaced; only with html. */
  readonly redact: readonly string[];
  /** Whether to write an empty file for a project without calls. */
  readonly allowMissing: boolean;
}

const NO_QUERY = { evaluations: [], sort: [], limit: undefined, offset: undefined };

/** Exports. A file only appears when it is complete. Returns the exit code. */
export async function exportCommand(context: CliContext, options: ExportOptions): Promise<number> {
  const project = projectArgument(options.project);
  const { format, output, rows } = options;
  if (rows !== undefined && format !== "jsonl")
    throw new Failure(EXIT.usage, "--rows requires --format jsonl; the other formats include the rows");
  const narrowed = options.where.length + options.redact.length > 0 || options.outputs !== undefined;
  if (narrowed && format !== "html")
    throw new Failure(
      EXIT.usage,
      "--where, --outputs and --redact require --format html; to export some rows as a table, use assay query --format csv",
    );
  checkOutput(context, format, output);
  const { conditions } = readQueryOptions({ ...NO_QUERY, where: options.where });
  const choice = readContentChoice(options.outputs ?? "full", options.redact);
  const data = await openData(context, options);
  try {
    const evaluations = await toExport(data, project, options);
    const written = await exported(context, data, project, { ...options, evaluations, conditions, choice });
    const where = output === undefined ? "" : ` to ${output}`;
    info(context, `exported ${written} of ${project} (${data.where})${where}`);
    return EXIT.ok;
  } finally {
    await data.close();
  }
}

/** Writes the requested export, and returns its description. */
async function exported(
  context: CliContext,
  data: DataAccess,
  project: string,
  options: ExportOptions & Pick<PageExport, "choice"> & { readonly conditions: PageExport["where"] },
): Promise<string> {
  const { format, evaluations, output, conditions: where, choice } = options;
  if (format === "jsonl") return exportLines(context, data, project, options);
  if (format !== "html") return exportTrials(context, data, project, options, format);
  const { exportPage } = await import("./export-page.ts");
  return exportPage(context, data, { project, evaluations, where, choice, output: output! });
}

/**
 * The IDs of the evaluations to export; empty for all. Fails for an unknown evaluation, and for an empty project
 * unless that is allowed.
 */
async function toExport(
  data: DataAccess,
  project: string,
  { evaluations, allowMissing }: ExportOptions,
): Promise<readonly string[]> {
  if (evaluations.length > 0) return namedEvaluations(data, project, evaluations);
  if (allowMissing || (await data.evaluations(project)).length > 0) return [];
  for await (const piece of data.exportLines(project, "calls", undefined)) if (piece.length > 0) return [];
  failOnMissing([await missingProject(data, project)]);
  return [];
}

async function exportLines(
  context: CliContext,
  data: DataAccess,
  project: string,
  { evaluations, output, rows }: ExportOptions,
): Promise<string> {
  const wanted = evaluations.length === 0 ? undefined : evaluations;
  const write = async (kind: LineKind, path: string | undefined): Promise<string> => {
    let lines = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of data.exportLines(project, kind, wanted)) {
        lines += linesIn(piece);
        yield piece;
      }
    };
    await writeAtomic(context, path, (stream, options) => pipeline(counted, stream, options));
    return `${lines.toLocaleString("en")} ${kind}`;
  };
  const written = [await write("calls", output)];
  if (rows !== undefined) written.push(await write("rows", rows));
  return written.join(" and ");
}

/** The trials of each evaluation, one evaluation after the other. */
async function exportTrials(
  context: CliContext,
  data: DataAccess,
  project: string,
  { evaluations, output }: ExportOptions,
  format: "csv" | "parquet",
): Promise<string> {
  const ids = evaluations.length > 0 ? evaluations : (await data.evaluations(project)).map(({ id }) => id);
  const records = async function* () {
    for (const id of ids) yield* flatTrials(data, project, { evaluation_call_ids: [id] });
  };
  const trials = await writeTable(context, records(), format, output);
  return `${trials.toLocaleString("en")} trials`;
}
