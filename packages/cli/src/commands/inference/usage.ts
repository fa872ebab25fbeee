// assay usage: tokens used, by project and by month, day, model, key and user.

import { USAGE_DIMENSIONS, type UsageDimension } from "@assay/inference-core/internal";
import { projectPath } from "../../clients/server-client.ts";
import { openService } from "../../data/open-service.ts";
import { projectArgument } from "../../data/project-argument.ts";
import type { ServiceOptions } from "../../data/service.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, log, printJson } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";

/** What to report. */
export interface UsageOptions extends ServiceOptions, PrintOptions {
  /** `entity/project`, or an entity; absent: all of them. */
  readonly project?: string | undefined;
  /** Some of the dimensions, separated by commas. */
  readonly by: string;
  /** The first day, `YYYY-MM-DD` in UTC. */
  readonly from?: string | undefined;
  /** The last day, inclusive. */
  readonly to?: string | undefined;
}

/** A row of the server's report. */
type Row = Readonly<Record<string, string | number | null>>;

const SUMS = ["requests", "prompt_tokens", "generated_tokens", "delivered_tokens", "aborted", "failed"];

/** Prints the report. Returns the exit code. */
export async function usageCommand(context: CliContext, options: UsageOptions): Promise<number> {
  const by = options.by.split(",").filter((name) => name !== "");
  const unknown = by.find((name) => !USAGE_DIMENSIONS.some((dimension) => dimension === name));
  if (unknown !== undefined)
    throw new Failure(
      EXIT.usage,
      `"${unknown}" is not a dimension of usage; --by takes ${USAGE_DIMENSIONS.join(", ")}`,
    );
  const query = {
    ...projectsIn(options.project),
    ...{ from: options.from, to: options.to },
    group_by: by.length > 0 ? by.join(",") : undefined,
  };

  const service = await openService(context, options);
  try {
    const report = await service.client.ask("GET /v1/usage", { query });
    const { data, lost_records: lost } = report as { data: readonly Row[]; lost_records?: number };
    if (lost !== undefined && lost > 0)
      log(
        context,
        `assay: ${lost} ${lost === 1 ? "record is" : "records are"} damaged or missing, and not included`,
      );
    if (isJson(context, options)) await printJson(context, data);
    else if (data.length === 0) log(context, `no usage (${service.where})`);
    else await printUsage(context, data, by);
    return EXIT.ok;
  } finally {
    await service.close();
  }
}

/** Which projects a report is about: one, those of an entity, or all. */
function projectsIn(text: string | undefined): { readonly entity?: string; readonly project?: string } {
  if (text === undefined) return {};
  return text === "" || text.includes("/") ? projectPath(projectArgument(text)) : { entity: text };
}

function cellOf(row: Row, group: UsageDimension): string {
  const value = row[group] ?? "";
  const name = group === "key" ? row["key_name"] : undefined;
  return typeof name === "string" ? `${name} (${value})` : String(value);
}

function printUsage(context: CliContext, rows: readonly Row[], by: readonly string[]): Promise<void> {
  const groups = USAGE_DIMENSIONS.filter((dimension) => by.includes(dimension));
  const text = (value: string | number | null | undefined) =>
    typeof value === "number" ? value.toLocaleString("en") : (value ?? "");
  const costs = rows.some((row) => typeof row["cost_usd"] === "string");
  return printTable(
    context,
    ["project", ...groups, ...SUMS.map((name) => name.split("_")), ...(costs ? ["US $"] : [])],
    rows.map((row) => [
      `${row["entity"]}/${row["project"]}`,
      ...groups.map((group) => cellOf(row, group)),
      ...SUMS.map((name) => text(row[name])),
      ...(costs ? [`${row["cost_usd"] ?? ""}${row["unpriced_requests"] === 0 ? "" : "+"}`] : []),
    ]),
  );
}
