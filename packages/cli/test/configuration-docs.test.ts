// docs/reference/configuration.md: its table matches the output of `assay config`, each file key and variable is read
// as the page says, and the page has every variable of the code.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assay, folder, type RunOptions } from "./run-in-process.ts";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/reference/configuration.md", root), "utf8");

interface Setting {
  readonly name: string;
  readonly variable: string | undefined;
  readonly key: string | undefined;
  readonly default: string | undefined;
  readonly example: string;
}

const plain = (cell: string) => (cell.trim() === "" ? undefined : cell.trim().replaceAll("`", ""));
const settings = [...page.matchAll(/^\| `--([\w-]+)` *\|(.*?)\|(.*?)\|(.*?)\| `(.*?)` *\|/gm)].map(
  ([, name, variable, key, byDefault, example]): Setting => ({
    ...{ name: name!, variable: plain(variable!), key: plain(key!), default: plain(byDefault!) },
    example: example!,
  }),
);

/** The settings that `assay config` prints. */
async function configured(args: readonly string[] = [], options: RunOptions = {}) {
  const { exitCode, stdout, stderr } = await assay(["config", "--format", "json", ...args], options);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { settings: found } = JSON.parse(stdout) as {
    settings: Record<string, { readonly value: unknown; readonly from: string }>;
  };
  return found;
}

/** Options without a value, and secret settings, which are only shown as set. */
const FLAGS: ReadonlySet<string> = new Set(["log", "metrics"]);
const SECRET: ReadonlySet<string> = new Set(["api-key", "store"]);

test("the table has every setting, with its default", async () => {
  const found = await configured();
  expect(settings.map(({ name }) => name).sort()).toEqual(Object.keys(found).sort());
  for (const { name, ...setting } of settings) {
    const { value, from } = found[name]!;
    const shown = value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
    expect([name, shown, from]).toEqual([name, setting.default, "default"]);
  }
});

test.each(settings)(
  "--$name is read as an option, from $variable and from $key of the file",
  async (setting) => {
    const { name, variable, key, example } = setting;
    const option = FLAGS.has(name) ? [`--${name}`] : [`--${name}`, example];
    const shown = (path = example) =>
      SECRET.has(name) ? "set" : FLAGS.has(name) ? true : name === "cors" ? [path] : path;
    expect((await configured(option))[name]).toEqual({ value: shown(), from: "option" });
    const env = variable === undefined ? {} : { [variable]: example };
    if (variable !== undefined)
      expect((await configured([], { env }))[name]).toEqual({
        ...{ value: shown(), from: `environment (${variable})` },
      });
    if (key === undefined) return;
    const home = folder();
    const file = join(home, "settings.yaml");
    writeFileSync(file, `${key}: ${name === "cors" ? `[${example}]` : example}\n`);
    const config = ["--config", file];
    const isPath = ["data", "upstreams", "training"].includes(name);
    const path = isPath && !example.startsWith("/") ? join(home, example) : example;
    expect((await configured(config))[name]).toEqual({ value: shown(path), from: file });
    // The variable overrides the file, and the option overrides both.
    if (variable !== undefined) expect((await configured(config, { env }))[name]!.from).toContain(variable);
    expect((await configured([...config, ...option], { env }))[name]!.from).toBe("option");
  },
);

test("a key that is not in the table is refused by name", async () => {
  const file = join(folder(), "settings.yaml");
  writeFileSync(file, "ports: 1\n");
  const { exitCode, stderr } = await assay(["config", "--config", file]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("ports");
});

test("every variable that the command reads is documented", () => {
  const files = readdirSync(new URL("packages/cli/src", root), { recursive: true, encoding: "utf8" });
  const named = files
    .filter((name) => name.endsWith(".ts"))
    .flatMap(
      (name) => readFileSync(new URL(`packages/cli/src/${name}`, root), "utf8").match(/ASSAY_[A-Z_]+/g) ?? [],
    );
  const missing = [...new Set(named)].filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

test.each([
  ["limits: { projects: { acme: { concurrent: 1 } } }", 'limits.projects: "acme" is not a project'],
  ["limits: { projects: { acme/*: { concurrent: 1 } } }", 'limits.projects: "acme/*" is not a project'],
  ["limits: { keys: { dashboard: { concurrent: 1 } } }", 'limits.keys: "dashboard" is not the id of a key'],
  ["retention: { days: 30, projects: { golden: null } }", 'retention.projects: "golden" is not a project'],
])("a rule that could never apply is refused: %s", async (text, message) => {
  const file = join(folder(), "assay.yaml");
  writeFileSync(file, text);
  const { exitCode, stderr } = await assay(["config", "--config", file]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});
