// The reference of the packages: one page for each entry point, with its exported names and their doc comments.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { Application } from "typedoc";

/** Every entry point of every public package: its name and source file. */
function entryPoints(root) {
  const folder = join(root, "packages");
  return readdirSync(folder).flatMap((directory) => {
    const file = join(folder, directory, "package.json");
    if (!existsSync(file)) return [];
    const { name, private: hidden, exports = {} } = JSON.parse(readFileSync(file, "utf8"));
    if (hidden) return [];
    return Object.entries(exports).flatMap(([entry, to]) => {
      const source = to["@assay/source"];
      // Entry points for other Assay packages are not public.
      return source === undefined || entry === "./internal"
        ? []
        : [{ name: name + entry.slice(1), file: join(folder, directory, source) }];
    });
  });
}

export async function writePackages(root, out) {
  const entries = entryPoints(root);
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(root, "site/tsconfig.json"),
    // The compiler checks the sources elsewhere.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    readme: "none",
    plugin: ["typedoc-plugin-markdown"],
    router: "module",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    logLevel: "Warn",
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("the packages' sources cannot be read");
  const names = new Map(entries.map(({ name, file }) => [file.split(sep).join("/"), name]));
  for (const module of project.children)
    module.name = names.get(project.getSymbolIdFromReflection(module).fileName);
  await app.outputs.writeOutput({ name: "markdown", path: out }, project);
  if (app.logger.hasErrors()) throw new Error("the packages' reference could not be written");
}
