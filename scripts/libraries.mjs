// Bundles the entry points of the packages that a program with an engine loads, into packages/*/dist next to the
// compiler's declarations: such a program then loads 30 files instead of 133. Modules that several entry points share,
// and modules that are imported on first use, get their own files, so that every module exists once.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Entry points for programs that do not load the main one. */
const SEPARATE = ["exact.ts", "requests.ts", "words/index.ts"];

/**
 * Adds an import of the main entry to the other entries, and to modules that are imported on first use. The main entry
 * is always loaded by then, so its modules become one file instead of one for each group of entries that shares them.
 */
const afterMain = (src, entries) => {
  const main = join(src, "index.ts");
  const separate = SEPARATE.map((file) => join(src, file));
  const later = new Set(entries);
  for (const file of readdirSync(src, { recursive: true }).filter((name) => name.endsWith(".ts")))
    for (const [, path] of readFileSync(join(src, file), "utf8").matchAll(/\bimport\("(\..+?)"\)/g))
      later.add(resolve(src, dirname(file), path));
  for (const file of [main, ...separate]) later.delete(file);
  return {
    name: "after-main",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        later.has(path)
          ? { contents: `${readFileSync(path, "utf8")}import ${JSON.stringify(main)};\n`, loader: "ts" }
          : undefined,
      );
    },
  };
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const name of ["base", "calls", "query-lang", "statistics", "eval-engine"]) {
  const folder = join(root, "packages", name);
  const [src, dist] = [join(folder, "src"), join(folder, "dist")];
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports).map((entry) => join(folder, entry["@assay/source"]));
  // A module that starts a thread looks for the thread's script in its own folder.
  const threads = readdirSync(src, { recursive: true }).filter((file) => file.endsWith("-thread.ts"));
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [...entries, ...threads.map((file) => join(src, file))],
    outdir: dist,
    outbase: src,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: "es2023",
    sourcemap: true,
    sourcesContent: false,
    chunkNames: "chunks/[name]-[hash]",
    plugins: [afterMain(src, entries)],
    metafile: true,
    logLevel: "warning",
    logOverride: { "ignored-bare-import": "silent" },
  });
  const written = new Set(Object.keys(metafile.outputs).map((file) => join(folder, file)));
  for (const file of readdirSync(dist, { recursive: true }).map((name) => join(dist, name)))
    if (/\.js(\.map)?$/.test(file) && !written.has(file)) rmSync(file);
}
