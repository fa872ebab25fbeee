// Data directories as a version of the program left them, each packed into one file: paths and contents, and what was
// written. Later versions must open them, so a file here is never made again; a version that changes what is written adds
// its own: `node --import tsx --conditions=@assay/source test/upgrade/make.ts`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

/** A packed directory. */
export interface Packed {
  /** The version of the program. */
  readonly version: string;
  /** What was written, by kind and name. */
  readonly written: readonly { readonly writing: string; readonly name: string }[];
  readonly digests: Readonly<Record<string, string>>;
  /** The contents of the files by their paths, in base 64. */
  readonly files: Readonly<Record<string, string>>;
}

const HERE = dirname(fileURLToPath(import.meta.url));

/** The packed directories that are kept. */
export function packedDirectories(): readonly Packed[] {
  return readdirSync(HERE)
    .filter((name) => name.endsWith(".json.br"))
    .sort()
    .map((name) => JSON.parse(brotliDecompressSync(readFileSync(join(HERE, name))).toString()) as Packed);
}

/** Keeps a directory, whose server has ended, as one file. */
export function pack(directory: string, about: Omit<Packed, "files">): void {
  const files = Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path).toString("base64")]),
  );
  const text = JSON.stringify({ ...about, files } satisfies Packed);
  writeFileSync(join(HERE, `${about.version}.json.br`), brotliCompressSync(text));
}

/** Puts the files of a packed directory into an empty one. */
export function unpack({ files }: Packed, directory: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, path), Buffer.from(content, "base64"), { mode: 0o600 });
  }
}
