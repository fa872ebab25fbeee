// Bundles the command, the page and the examples from the sources into packages/cli/bundle, which users run, tests run
// and npm publishes. Node loads a few files instead of five hundred modules, so a command starts in half the time, and
// a clone can run the command without the compiler. DuckDB's bindings are native code and stay outside.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "packages/cli/bundle");

/**
 * Loads the schema library on first use: most commands use no schema. Schemas are interpreted, because compiling them
 * takes longer than checking a command's few bodies.
 */
const schemasWhenUsed = {
  name: "schemas-when-used",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^arktype$/ }, ({ kind, resolveDir }) =>
      kind === "import-statement"
        ? { path: "arktype", namespace: "when-used", pluginData: { resolveDir } }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "when-used" }, ({ pluginData: { resolveDir } }) => ({
      // `require` includes the module in the bundle and evaluates it on the call.
      contents: `
        let loaded;
        function arktype() {
          if (loaded === undefined) {
            require("arktype/config").configure({ jitless: true });
            loaded = require("arktype");
          }
          return loaded;
        }
        export const type = new Proxy(() => {}, {
          apply: (_, __, definition) => arktype().type(...definition),
          get: (_, name) => arktype().type[name],
        });`,
      resolveDir,
    }));
  },
};

rmSync(out, { recursive: true, force: true });
// Builds the page, which other programs serve from its own package.
await import("../packages/web/build.mjs");
const page = join(root, "packages/web/dist/files");
cpSync(page, join(out, "page"), { recursive: true, filter: (path) => !path.endsWith("meta.json") });

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [{ in: "packages/cli/src/assay.ts", out: "assay" }, ...threads()],
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  conditions: ["@assay/source"],
  external: ["@duckdb/node-bindings"],
  plugins: [schemasWhenUsed],
  chunkNames: "chunks/[name]-[hash]",
  // CommonJS packages call require, which ES modules do not have.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  metafile: true,
  logLevel: "warning",
});
writeFileSync(join(out, "THIRD-PARTY-LICENSES.txt"), licences());
for (const example of readdirSync(join(root, "examples"))) {
  const data = join(root, "examples", example, "data");
  if (!existsSync(data)) continue;
  cpSync(data, join(out, "examples", example, "data"), { recursive: true });
  cpSync(join(root, "examples", example, "package.json"), join(out, "examples", example, "package.json"));
}

/** Scripts of worker threads. A module that starts a thread looks for its script in the folder of its own chunk. */
function threads() {
  return readdirSync(join(root, "packages")).flatMap((name) => {
    const src = join(root, "packages", name, "src");
    const files = existsSync(src) ? readdirSync(src, { recursive: true }) : [];
    const scripts = files.filter((file) => file.endsWith("-thread.ts"));
    return scripts.map((file) => ({ in: join(src, file), out: `chunks/${basename(file, ".ts")}` }));
  });
}

/** The licences of all packages in the bundle. They require a copy next to the code. */
function licences() {
  const inputs = (metafile, folder) => Object.keys(metafile.inputs).map((path) => join(folder, path));
  const ofPage = JSON.parse(readFileSync(join(page, "meta.json"), "utf8"));
  const files = [...inputs(metafile, root), ...inputs(ofPage, join(root, "packages/web"))];
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    return `${name} ${version} (${license})\n${text}`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder in node_modules of the package that a file belongs to; undefined for a file of this repository. */
function packageFolder(file) {
  const parts = relative(root, file).split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  const names = parts[at + 1].startsWith("@") ? 2 : 1;
  return join(root, ...parts.slice(0, at + 1 + names));
}
