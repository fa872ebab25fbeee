// Bundles the entry points of the packages that a program with an engine loads, into packages/*/dist, beside the
// declarations of the compiler: the program loads thirty files instead of 133. What several entry points share, and what
// is imported when it is first needed, are files of their own, so that every module exists once.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Entries of programs that do not load the main one. */
const SEPARATE = ["exact.ts", "requests.ts", "words/index.ts"];

/**
 * Adds an import of the main entry to other entries, and to what is imported when it is first needed: it is loaded by
 * then, and its modules, which all of them import alike, become one file instead of one for each group that shares some.
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
  // Who starts a thread looks for its script beside itself.
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
