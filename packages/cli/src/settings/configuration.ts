// The configuration file: the same settings as options and environment variables, and prices, limits and retention, which
// only a file can have. Read strictly: unknown settings are refused by name.

import { dirname, resolve } from "node:path";
import { readProjectPath } from "@assay/adapters-http/project-path";
import type { Issue } from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import type { LimitOptions, Prices } from "@assay/inference-core";
import { isKeyId, readPrices } from "@assay/inference-core/internal";
import type { RetentionRules } from "@assay/server";
import { readSettingsText } from "@assay/server/internal";
import { type } from "arktype";
import { textOfFile } from "../files/input-file.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

const settingsSchema = lazySchemas(() => {
  const count = "1 <= number.integer <= 1000000000";
  const days = type("1 <= number.integer <= 36500");
  const limit = type({
    "+": "reject",
    "concurrent?": "0 <= number.integer <= 1000000",
    "requests_per_minute?": count,
    "tokens_per_minute?": count,
  });

  return type({
    "+": "reject",
    "data?": "string > 0",
    "host?": "string > 0",
    "port?": "0 <= number.integer <= 65535",
    "store?": "string > 0",
    "cors?": "string[]",
    "public_url?": "string > 0",
    "log?": "boolean",
    "metrics?": "boolean",
    "streams?": "1 <= number.integer <= 999999",
    "project_storage?": "0 < number <= 1000000",
    "upstreams?": "string > 0",
    "training?": "string > 0",
    "drain?": "0 <= number.integer <= 3600",
    "prices?": "Record<string, unknown>",
    "retention?": { "+": "reject", "days?": days, "projects?": type.Record("string", type.or(days, "null")) },
    "limits?": {
      "+": "reject",
      "key?": limit,
      "project?": limit,
      "keys?": type.Record("string", limit),
      "projects?": type.Record("string", limit),
    },
  });
});

/** The content of a configuration file. */
export interface Configuration {
  /** Its path. */
  readonly path: string;
  /** Values of options, by their names; paths are relative to the file's folder. */
  readonly settings: { readonly [option: string]: string | boolean | readonly string[] };
  /** Token prices. */
  readonly prices: Prices;
  /** The prices as in the file. */
  readonly priceList: { readonly [model: string]: unknown };
  /** The limits of keys and projects. */
  readonly limits: LimitOptions;
  /** How long to keep evaluations; undefined if it is not set. */
  readonly retention: RetentionRules | undefined;
}

/** The ids of callers without a stored key. */
const OWN_KEYS: readonly string[] = ["api-key", "local"];

/** Settings that are paths. */
const PATHS: ReadonlySet<string> = new Set(["data", "upstreams", "training"]);

/** Reads the file at `path`. Throws a `Failure` that names all of its errors. */
export async function readConfiguration(context: CliContext, path: string): Promise<Configuration> {
  const given = readSettingsText(await textOf(context, path));
  if (!given.ok) throw wrong(path, given.issues.map(printIssue));
  const read = readAs<ReturnType<typeof settingsSchema>["infer"]>(settingsSchema(), given.value);
  if (!read.ok) throw wrong(path, read.issues.map(printIssue));
  const { prices: priceList = {}, limits = {}, retention, ...options } = read.value;
  const prices = readPrices(priceList);
  if (!prices.ok)
    throw wrong(
      path,
      prices.issues.map((issue) => printIssue({ ...issue, path: ["prices", ...issue.path] })),
    );
  const invalid = invalidNames(limits, retention);
  if (invalid.length > 0) throw wrong(path, invalid);
  const settings = Object.entries(options).map(([key, value]) => {
    const name = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (PATHS.has(name)) return [name, resolve(dirname(path), String(value))];
    return [name, typeof value === "number" ? String(value) : value];
  });
  return { path, settings: Object.fromEntries(settings), prices: prices.value, priceList, limits, retention };
}

/** The problems with names that no key or project can have: their rules would never apply. */
function invalidNames(
  { keys = {}, projects = {} }: LimitOptions,
  retention: RetentionRules | undefined,
): readonly string[] {
  const fault = (where: string, what: string) => (name: string) =>
    `${where}: ${JSON.stringify(name)} is not ${what}`;
  const project = "a project; write ENTITY/PROJECT, such as acme/demo";
  return [
    ...Object.keys(keys)
      .filter((name) => !OWN_KEYS.includes(name) && !isKeyId(name))
      .map(fault("limits.keys", "the id of a key; assay keys list shows them")),
    ...Object.keys(projects)
      .filter((name) => !isProject(name))
      .map(fault("limits.projects", project)),
    ...Object.keys(retention?.projects ?? {})
      .filter((name) => !isProject(name))
      .map(fault("retention.projects", project)),
  ];
}

function isProject(name: string): boolean {
  const [entity = "", project = "", ...more] = name.split("/");
  return more.length === 0 && readProjectPath(entity, project).ok && ![entity, project].includes("*");
}

async function textOf(context: CliContext, path: string): Promise<string> {
  try {
    return await textOfFile(context, path);
  } catch (error) {
    if (error instanceof Failure || context.signal.aborted) throw error;
    throw new Failure(EXIT.usage, `cannot read the configuration file ${path}`, { cause: error });
  }
}

function printIssue({ path, message }: Issue): string {
  return [path.join("."), message].filter((part) => part !== "").join(": ");
}

function wrong(path: string, what: readonly string[]): Failure {
  return new Failure(EXIT.usage, `${path}: ${what.join("; ")}`);
}
