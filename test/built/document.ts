// Runs the commands of a document, in order:
// - A block whose fence names a file, such as ```js quiz.mjs, is saved under that name.
// - The commands of a `sh` block are run and must succeed; they must print the `text` block directly below.
// - `assay serve` as the only line starts a server until the page ends; its address replaces the page's.
// - A `sh example` block is not run: it is for another machine, or one of several alternatives.

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { assay, type Ended } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { expect, onTestFinished } from "vitest";

const bash = promisify(execFile);
const ROOT = new URL("../../", import.meta.url);

type Step =
  | { readonly kind: "file"; readonly name: string; readonly content: string }
  | { readonly kind: "run"; readonly script: string; readonly printed: string | undefined };

function stepsOf(path: string): readonly Step[] {
  const text = readFileSync(new URL(path, ROOT), "utf8");
  const blocks = text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm);
  return Array.from(blocks).flatMap(([, language, name, content, printed]): Step[] => {
    if (language === "sh") return name === "example" ? [] : [{ kind: "run", script: content!, printed }];
    return name === undefined ? [] : [{ kind: "file", name, content: content! }];
  });
}

/** Patterns for output that varies between runs, with their replacements. */
type Unsteady = readonly (readonly [RegExp, string])[];

/** How to run a page. */
export interface Walk {
  /** The initial working directory. */
  readonly home: string;
  readonly unsteady?: Unsteady;
  /** Additional arguments for the page's server. */
  readonly served?: readonly string[];
}

const TIMES: Unsteady = [[/ in [\d.]+ s(?:, [\d,]+\/s)?;/g, " in 0.1 s;"]];
const ADDRESS = "http://127.0.0.1:7777";

/**
 * Runs the page at this path of the repository, and checks each step. With `ASSAY_UPDATE_DOCUMENTS=1` it rewrites the
 * page with the commands' output.
 */
export async function follow(page: string, walk: Walk): Promise<void> {
  const { home, unsteady = [], served = [] } = walk;
  let env: Variables = { PATH: pathWithAssay(home) };
  let address = ADDRESS;
  const ours = (text: string) => text.replaceAll(ADDRESS, address);
  for (const step of stepsOf(page)) {
    if (step.kind === "file") {
      writeFileSync(join(home, step.name), ours(step.content));
      continue;
    }
    if (/^assay serve$/m.test(step.script)) {
      const server = await startAssay(join(home, ".assay"), { args: served, env });
      onTestFinished(() => server.stop("SIGKILL"));
      address = server.url;
      continue;
    }
    const script = ours(step.script);
    const ended = await runScript(script, { home, env });
    env = ended.env;
    if (step.printed === undefined) continue;
    const printed = steady(ended.stdout.replaceAll(address, ADDRESS), unsteady);
    if (UPDATE) rewrite(page, step.script, printed);
    else expect(printed, step.script).toBe(steady(step.printed, unsteady));
  }
}

/** Whether to update the pages instead of checking them. */
const UPDATE = process.env["ASSAY_UPDATE_DOCUMENTS"] === "1";

function rewrite(page: string, script: string, printed: string): void {
  const file = new URL(page, ROOT);
  const text = readFileSync(file, "utf8");
  const at = text.indexOf("```text\n", text.indexOf(`\`\`\`sh\n${script}\`\`\``)) + "```text\n".length;
  writeFileSync(file, `${text.slice(0, at)}${printed}${text.slice(text.indexOf("\n```", at) + 1)}`);
}

function steady(text: string, unsteady: Unsteady): string {
  return [...TIMES, ...unsteady].reduce((all, [pattern, one]) => all.replaceAll(pattern, one), text);
}

/** A PATH on which `assay` is the built command, as if installed. */
function pathWithAssay(home: string): string {
  const folder = join(home, ".bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "assay"), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(join(folder, "assay"), 0o755);
  return `${folder}:${process.env["PATH"]}`;
}

type Variables = Readonly<Record<string, string>>;

interface Place {
  readonly home: string;
  readonly env: Variables;
}

/** Runs the commands of a block, one per line, and returns their output and the resulting environment. */
async function runScript(script: string, { home, env: given }: Place) {
  let env = given;
  let stdout = "";
  for (const line of script.replaceAll("\\\n", " ").trimEnd().split("\n")) {
    const args = argumentsOf(line);
    const ended: Ended & { readonly env?: Variables } =
      args === undefined
        ? await runInShell(line, home, env)
        : await assay(args, { cwd: home, env, timeout: 120_000 });
    expect(ended.exitCode, `${line}: ${ended.stderr}`).toBe(0);
    stdout += ended.stdout;
    env = ended.env ?? env;
  }
  return { env, stdout };
}

/** Runs a line in a new shell, and returns the resulting environment. */
async function runInShell(line: string, home: string, env: Variables) {
  const after = join(home, ".env");
  const program = `set -euo pipefail; set -a\n${line}\nenv -0 > "${after}"\n`;
  const { stdout, stderr } = await bash("bash", ["-c", program], { cwd: home, env, timeout: 60_000 });
  const pairs = readFileSync(after, "utf8").split("\0").slice(0, -1);
  const left = pairs.map((pair) => pair.split(/=(.*)/s) as [string, string, string]);
  return {
    exitCode: 0,
    stdout,
    stderr,
    env: Object.fromEntries(left.map(([name, value]): [string, string] => [name, value])),
  };
}

/** The arguments of a line that only calls `assay`; undefined if it needs a shell. */
function argumentsOf(line: string): readonly string[] | undefined {
  const words = line.replace(/ +#.*$/, "");
  if (!words.startsWith("assay ") || /[|$<>&;`*~(]/.test(words.replaceAll(/"[^"$`]*"|'[^']*'/g, "")))
    return undefined;
  return [...words.slice(6).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}
