// assay config: the settings that a server would have, and where each comes from. Never prints a key or a password.

import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import type { Configuration } from "../../settings/configuration.ts";
import { type CliContext, printJson } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";

/** A setting. */
interface Setting {
  readonly name: string;
  /** Undefined if it is not set. */
  readonly value: unknown;
  readonly from: string;
}

/** What to print. */
export interface ConfigOptions extends PrintOptions {
  readonly settings: readonly Setting[];
  readonly configuration?: Configuration | undefined;
}

/** Prints the settings. Returns the exit code. */
export async function configCommand(context: CliContext, options: ConfigOptions): Promise<number> {
  const { settings, configuration } = options;
  const { priceList = {}, limits = {}, retention = {}, path } = configuration ?? {};
  if (isJson(context, options)) {
    const shown = Object.fromEntries(settings.map(({ name, value = null, from }) => [name, { value, from }]));
    const whole = { file: path ?? null, settings: shown, prices: priceList, limits, retention };
    await printJson(context, whole);
    return EXIT.ok;
  }
  const more = { prices: priceList, limits, retention };
  const rows = [
    ...settings.map(({ name, value, from }) => [name, printValue(value), from]),
    ...Object.entries(more).flatMap(([name, value]) =>
      Object.entries(value).map(([key, one]) => [`${name} ${key}`, JSON.stringify(one), path ?? ""]),
    ),
  ];
  await printTable(context, ["setting", "value", "from"], rows);
  return EXIT.ok;
}

function printValue(value: unknown): string {
  if (value === undefined) return "";
  return Array.isArray(value) ? value.join(" ") : String(value);
}
