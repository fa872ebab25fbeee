// `node scripts/man.mjs [FILE]`: writes the manual page assay(1) from the command's help.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The page, in the macros of man(7). */
export async function manualPage() {
  let written = "";
  const stream = { write: (text) => (written += text) };
  const world = { env: {}, stdout: { stream, columns: 78 }, stderr: { stream, columns: 78 } };
  const { program, EXIT_CODES } = await sources();
  const assay = program(world, () => {});
  /** The text below the options in a command's help, without the exit codes, which all commands share. */
  const notesOf = (command) => {
    written = "";
    command.outputHelp();
    const options = command.helpInformation();
    return written
      .slice(written.indexOf(options) + options.length)
      .replace(EXIT_CODES, "")
      .trim();
  };

  const section = (command) => {
    const { names, help } = partsOf(command);
    const children = help.visibleCommands(command).filter((child) => child.name() !== "help");
    if (children.length > 0) return children.flatMap(section);
    const notes = notesOf(command);
    return [
      `.SS ${quoted(
        `${names} ${help
          .commandUsage(command)
          .slice(help.commandUsage(command).indexOf(names) + names.length)
          .trim()}`,
      )}`,
      text(command.description()),
      ...command.registeredArguments.map((argument) =>
        term(help.argumentTerm(argument), argument.description),
      ),
      ...help
        .visibleOptions(command)
        .map((option) => term(help.optionTerm(option), help.optionDescription(option))),
      ...(notes === "" ? [] : [`.PP\n.nf\n${text(notes)}\n.fi`]),
    ];
  };
  const help = assay.createHelp();
  return `${[
    `.TH ASSAY 1 "" ${quoted(`assay ${assay.version()}`)} "User Commands"`,
    // Left-aligned: justified text with long words has wide gaps in narrow columns.
    ".ad l",
    ".SH NAME",
    "assay \\- exact answers about evaluations of language models",
    ".SH SYNOPSIS",
    ".B assay\n[options] [command]",
    ".SH DESCRIPTION",
    text(assay.description()),
    ".SH OPTIONS",
    ...help
      .visibleOptions(assay)
      .map((option) => term(help.optionTerm(option), help.optionDescription(option))),
    ".SH COMMANDS",
    ...section(assay),
    ".SH EXIT STATUS",
    ...[...EXIT_CODES.matchAll(/^ +(\d+) +(.*)$/gm)].map(([, code, meaning]) => term(code, meaning)),
    ".SH NOTES",
    `.nf\n${text(notesOf(assay))}\n.fi`,
  ].join("\n")}\n`;
}

/** Loads the command-line definition from the sources without running the command. */
async function sources() {
  const folder = mkdtempSync(join(tmpdir(), "assay-man-"));
  try {
    const outfile = join(folder, "program.mjs");
    const { outputFiles } = await build({
      stdin: {
        contents: `export { program } from "./program.ts"; export { EXIT_CODES } from "./options/common-options.ts";`,
        resolveDir: join(root, "packages/cli/src"),
      },
      outdir: folder,
      write: false,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      conditions: ["@assay/source"],
      external: ["@duckdb/node-bindings"],
      banner: {
        js: 'import { createRequire as createRequireOfPage } from "node:module"; const require = createRequireOfPage(import.meta.url);',
      },
      logLevel: "error",
    });
    for (const { path, contents } of outputFiles)
      writeFileSync(path.endsWith("stdin.js") ? outfile : path, contents);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function partsOf(command) {
  const names =
    command.parent === null ? command.name() : `${partsOf(command.parent).names} ${command.name()}`;
  return { names, help: command.createHelp() };
}

function term(words, meaning) {
  return `.TP\n.B ${text(words)}\n${text(meaning)}`;
}

/** Escapes text for roff: hyphens stay ASCII hyphens, and no line starts with a control character. */
function text(words) {
  return words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");
}

function quoted(words) {
  return `"${text(words).replaceAll('"', "\\(dq")}"`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file] = process.argv.slice(2);
  const page = await manualPage();
  if (file === undefined) process.stdout.write(page);
  else writeFileSync(file, page);
}
