// Draws the dependency graph of the packages, from their sources, into ARCHITECTURE.md. It omits arrows that follow
// from two others: a package that imports the engine may also import the query language.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LAYERS = ["programs", "server", "pages", "adapters", "clients", "cores"];

/**
 * The packages by name: the layer of each, and the other packages that its sources import.
 *
 * @returns {Map<string, { layer: string, imports: Set<string> }>}
 */
export function packages() {
  const found = new Map();
  for (const name of readdirSync(join(root, "packages")).sort()) {
    const folder = join(root, "packages", name);
    if (!existsSync(join(folder, "package.json"))) continue;
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const imports = new Set();
    for (const file of readdirSync(join(folder, "src"), { recursive: true })) {
      if (!/\.tsx?$/.test(file)) continue;
      const text = readFileSync(join(folder, "src", file), "utf8");
      for (const [, other] of text.matchAll(/(?:\bfrom |\bimport\(|^import )"@assay\/([\w-]+)/gm))
        imports.add(other);
    }
    imports.delete(name);
    found.set(name, { layer: layerOf(name, manifest), imports });
  }
  return found;
}

function layerOf(name, manifest) {
  if (name === "base") return "base";
  if (name === "client") return "clients";
  if (name === "web") return "pages";
  if (name === "server") return "server";
  if (name.startsWith("adapters-")) return "adapters";
  return manifest.bin === undefined ? "cores" : "programs";
}

/**
 * The graph, as the code block of ARCHITECTURE.md.
 *
 * @returns {string}
 */
export function picture(graph = packages()) {
  const reachable = (from, seen = new Set()) => {
    for (const next of graph.get(from)?.imports ?? []) {
      if (!seen.has(next)) reachable(next, seen.add(next));
    }
    return seen;
  };
  const arrows = [...graph].flatMap(([name, { imports }]) =>
    [...imports]
      .filter((one) => ![...imports].some((other) => other !== one && reachable(other).has(one)))
      .sort()
      .map((one) => `  ${name} --> ${one}`),
  );
  const layers = LAYERS.map((layer) => {
    const names = [...graph].filter(([, one]) => one.layer === layer).map(([name]) => `    ${name}`);
    return `  subgraph ${layer}\n${names.join("\n")}\n  end\n`;
  });
  return `\`\`\`mermaid\nflowchart TD\n${layers.join("")}${arrows.join("\n")}\n\`\`\``;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, "ARCHITECTURE.md");
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(/^```mermaid\n[\s\S]*?^```$/m, () => picture()),
  );
}
