// The files of the built page: read once, each with its compressed versions.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of the page. */
interface PageFile {
  /** Its bytes. */
  readonly body: Uint8Array;
  /** Its content type, with a charset if it has one. */
  readonly type: string;
  /** The same bytes compressed, by content coding, if that made them smaller. */
  readonly encodings?: { readonly br?: Uint8Array; readonly gzip?: Uint8Array };
}

/** The files of the page by path. */
export interface PageFiles {
  /** The file at `index.html` or `assets/<name>`; undefined if it does not exist. */
  file(path: string): PageFile | undefined;
}

const TYPES: readonly (readonly [ending: string, type: string])[] = [
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
];

/** The rest is for embedding and for exported files. */
const SERVED = /^(?:index\.html$|assets[\\/])/;

/**
 * The files of the page, all in memory (less than a megabyte), from the folder where they were built: by default this
 * package's own. Throws an `Error` if the page was not built.
 */
export function pageFiles(built?: URL): PageFiles {
  const folder = built === undefined ? builtFolder() : fileURLToPath(built);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES.find(([ending]) => name.endsWith(ending))?.[1];
    if (type === undefined || !SERVED.test(name)) continue;
    const bytes = (ending: string) =>
      names.includes(`${name}${ending}`) ? readFileSync(`${folder}/${name}${ending}`) : undefined;
    const [br, gzip] = [bytes(".br"), bytes(".gz")];
    const encodings = { ...(br && { br }), ...(gzip && { gzip }) };
    files.set(name.replaceAll("\\", "/"), { body: readFileSync(`${folder}/${name}`), type, encodings });
  }
  return { file: (path) => files.get(path) };
}

/** The folder that the build writes: next to this file if it is compiled, in `dist` if it is a source. */
export function builtFolder(): string {
  const folder = ["./files", "../dist/files"]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}/index.html`));
  if (folder !== undefined) return folder;
  throw new Error("the page has not been built: run npm run setup");
}
