// Builds the page: bundles with names made of their contents, a style sheet, and what brotli and gzip make of each.
// Needs the sources alone: packages of the workspace are taken as they are written, not as they were compiled.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const out = join(root, "dist/files");

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// A page's worker answers what the page asks: nobody reads the description of the interface there, which is large.
const undescribed = {
  name: "undescribed",
  setup({ onResolve }) {
    onResolve({ filter: /\/docs\/routes\.ts$/ }, () => ({ path: join(root, "src/worker/openapi-stub.ts") }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: "es2023",
  conditions: ["@assay/source"],
  metafile: true,
  plugins: [undescribed],
  logLevel: "warning",
  legalComments: "none",
};

const workerEntries = [
  { in: "src/worker/main.ts", out: "worker" },
  { in: "src/worker/reader.ts", out: "reader" },
];

// Workers that are started when somebody opens a file: what they share, and what few files need, in parts.
const workers = await build({
  ...common,
  entryPoints: workerEntries,
  outdir: out,
  splitting: true,
  format: "esm",
  platform: "browser",
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
});
const outputOf = ({ outputs }, entry) =>
  Object.entries(outputs)
    .find(([, { entryPoint }]) => entryPoint === entry)[0]
    .replace(/^dist\/files\//, "/");
const addresses = {
  worker: outputOf(workers.metafile, "src/worker/main.ts"),
  reader: outputOf(workers.metafile, "src/worker/reader.ts"),
};

const { metafile } = await build({
  ...common,
  entryPoints: [
    { in: "src/page/served.ts", out: "served" },
    { in: "src/page/styles/page.css", out: "page" },
  ],
  outdir: out,
  splitting: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { WORKER_ADDRESSES: JSON.stringify(addresses) },
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
});

// The page as one module and one style sheet, to embed.
await build({
  ...common,
  entryPoints: [
    { in: "src/page/main.tsx", out: "mount" },
    { in: "src/page/styles/page.css", out: "page" },
  ],
  outdir: out,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
});

// The page of an exported file as one script, and each of its workers as one.
const { metafile: inFile } = await build({
  ...common,
  entryPoints: [{ in: "src/page/exported.ts", out: "page" }],
  outdir: join(out, "export"),
  format: "iife",
  platform: "browser",
  jsx: "automatic",
  jsxImportSource: "preact",
});
await build({
  ...common,
  entryPoints: workerEntries,
  outdir: join(out, "export"),
  format: "iife",
  platform: "browser",
});
Object.assign(metafile.inputs, inFile.inputs, workers.metafile.inputs);
// Either would let the script or the style end in the middle of the file.
for (const [name, ending] of [
  ["export/page.js", /<\/script|<!--/i],
  ["page.css", /<\/style/i],
])
  if (ending.test(readFileSync(join(out, name), "utf8")))
    throw new Error(`${name} cannot stand in an HTML file: it has ${ending}`);

const built = (entry) =>
  Object.entries(metafile.outputs)
    .find(([, { entryPoint }]) => entryPoint === entry)[0]
    .replace(/^dist\/files\//, "/");
const script = built("src/page/served.ts");
const style = built("src/page/styles/page.css");

// What the first view loads in the end is asked for at once.
const chunks = Object.entries(metafile.outputs)
  .find(([, { entryPoint }]) => entryPoint === "src/page/served.ts")[1]
  .imports.filter(({ kind }) => kind === "import-statement")
  .map(({ path }) => `<link rel="modulepreload" href="/assets/${basename(path)}">`);

writeFileSync(
  join(out, "index.html"),
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='3' y='3' width='10' height='10' rx='2' fill='%234457d6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${style}">
${chunks.join("\n")}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. The same answers: assay query, assay compare, and /openapi.json.</noscript>
</body>
</html>
`,
);
writeFileSync(join(out, "meta.json"), JSON.stringify(metafile));

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
for (const name of readdirSync(out, { recursive: true, encoding: "utf8" })) {
  if (!/^(?:index\.html|assets.*\.(?:js|css))$/.test(name)) continue;
  const path = join(out, name);
  const body = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(body, brotli));
}
