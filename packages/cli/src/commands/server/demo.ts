// assay demo: loads the examples, shows a first comparison, and serves.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shellWord } from "@assay/base/internal";
import type { EvalResultsQueryBody } from "@assay/eval-engine";
import type { DataDirectory } from "@assay/server";
import type { DataAccess } from "@assay/server/internal";
import { verdictLines } from "../../compare/verdict-lines.ts";
import { openData } from "../../data/open-data.ts";
import { inputFile } from "../../files/input-file.ts";
import { defaultQuery } from "../../query/default-query.ts";
import { resultsTable } from "../../render/results-table.ts";
import { type CliContext, log, print } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { openBrowser } from "./open-browser.ts";
import type { ServeOptions } from "./serve.ts";

/** Options of the demo. */
export interface DemoOptions extends ServeOptions {
  /** The folder of the examples, each with its calls and rows in `<name>/data`. */
  readonly examples: string;
  /** Whether to open the page in a browser, if the user has one. */
  readonly open: boolean;
}

/** Shows and serves the examples. Returns the exit code after it was told to stop. */
export async function demoCommand(context: CliContext, options: DemoOptions): Promise<number> {
  const names = await exampleNames(options.examples);
  const data = await openData(context, { ...options, creates: true });
  try {
    for (const name of names) await load(context, data, options, name);
    const project = projectOf(names[0]!);
    const body = await defaultQuery(data, project, 8);
    const answer = await data.query(project, body);
    if (!answer.ok) throw new Error(`the comparison is not a query: ${JSON.stringify(answer.issues)}`);
    await print(context, `${project}: the latest evaluations, and the rows where they differ most\n`);
    const verdict = await verdictLines(data, project, body, answer.value, true);
    const look = { width: context.stdout.columns ?? 100, sortBy: body.sort_by ?? [], verdict };
    await print(context, `${resultsTable(answer.value, look)}\n`);
    const page = pageOf(project);
    if (!isDirectory(data)) {
      await print(context, `Assay already answers at ${data.where} (data in ${options.data})`);
      await print(context, `Open the page: ${data.where}/${page}`);
      return EXIT.ok;
    }
    // The serving code is loaded while the user reads the answer.
    const { serveDirectory } = await import("./serve.ts");
    return await serveDirectory(context, data, options, (url) => {
      if (options.open) openBrowser(context, `${url}/${page}`);
      return howToAsk(
        { command: context.command, project, where: dataOption(context, options) },
        `${url}/${page}`,
        curlOf(url, project, body),
      );
    });
  } finally {
    await data.close();
  }
}

function isDirectory(data: DataAccess): data is DataDirectory {
  return "path" in data;
}

/** The path of a project's comparison on the page. */
function pageOf(project: string): string {
  return `#/${project.split("/").map(encodeURIComponent).join("/")}/compare`;
}

/** The option that names the data directory, unless the commands find it without. */
function dataOption({ env }: CliContext, { data }: DemoOptions): string {
  return data === (env["ASSAY_DATA"] || ".assay") ? "" : ` --data ${shellWord(data)}`;
}

interface Suggestion {
  readonly command: string;
  readonly project: string;
  readonly where: string;
}

function howToAsk({ command, project, where }: Suggestion, page: string, curl: string): string {
  return `
Open the page:
  ${page}

Did it get better, and where did it get worse?
  ${command} compare ${project}${where}
  ${command} compare ${project} --slices${where}
Show the rows, with the command or over HTTP:
  ${command} query ${project}${where}
  ${curl}
Compare your own evaluations, in a table or in the logs of another tool:
  ${command} compare FILE
  ${command} import ENTITY/PROJECT FILE${where}
`;
}

/** A first query, as a shell command. */
function curlOf(url: string, project: string, { evaluation_call_ids }: EvalResultsQueryBody): string {
  const body = JSON.stringify({ evaluation_call_ids, include_summary: true, limit: 5 });
  return `curl -s ${url}/v2/${project}/eval_results/query -H 'Content-Type: application/json' -d '${body}'`;
}

async function exampleNames(folder: string): Promise<readonly string[]> {
  const found = existsSync(folder) ? await readdir(folder) : [];
  const names = found.filter((name) => callsFile(folder, name) !== undefined).sort();
  if (names.length > 0) return names;
  throw new Failure(EXIT.failed, `${folder}: no examples found; give their folder with --examples DIR`);
}

function projectOf(example: string): string {
  return `examples/${example}`;
}

function callsFile(folder: string, name: string): string | undefined {
  return dataFile(folder, name, "calls");
}

function dataFile(folder: string, name: string, what: "calls" | "rows"): string | undefined {
  const paths = [".jsonl.gz", ".jsonl"].map((ending) => join(folder, name, "data", `${what}${ending}`));
  return paths.find((path) => existsSync(path));
}

/** Imports an example, unless the same files were already imported. */
async function load(
  context: CliContext,
  data: DataAccess,
  options: DemoOptions,
  name: string,
): Promise<void> {
  const files = (["rows", "calls"] as const).flatMap((kind) => {
    const path = dataFile(options.examples, name, kind);
    return path === undefined ? [] : [[kind, path] as const];
  });
  const hash = createHash("sha256");
  for (const [, path] of files) hash.update(await readFile(path));
  const digest = hash.digest("hex");
  const loaded = loadedExamples(options.data);
  if (loaded[name] === digest) return;
  for (const [kind, path] of files) {
    const file = await inputFile(context, path);
    const { lines, bad } = await data.importLines(projectOf(name), kind, file.read());
    if (bad[0] !== undefined) throw new Failure(EXIT.failed, `${path}:${bad[0].line}: ${bad[0].reason}`);
    log(context, `loaded ${lines.toLocaleString("en")} ${kind} from ${path}`);
  }
  // As private as the data directory: no one else may read its files.
  await writeFile(loadedFile(options.data), `${JSON.stringify({ ...loaded, [name]: digest }, null, 2)}\n`, {
    mode: 0o600,
  });
}

function loadedFile(directory: string): string {
  return join(directory, "examples.json");
}

/** The digests of the examples in a data directory. */
function loadedExamples(directory: string): { readonly [name: string]: string } {
  try {
    return JSON.parse(readFileSync(loadedFile(directory), "utf8")) as { readonly [name: string]: string };
  } catch {
    return {};
  }
}
