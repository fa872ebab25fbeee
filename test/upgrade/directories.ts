// Data directories of earlier versions, each packed into one file with the files' contents and a list of what was
// written. Later versions must open them, so never regenerate a file here. A version that changes the stored formats
// adds its own with `node --import tsx --conditions=@assay/source test/upgrade/make.ts`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

/** A packed directory. */
export interface Packed {
  /** The version of Assay that wrote it. */
  readonly version: string;
  /** The written items, by kind and name. */
  readonly written: readonly { readonly writing: string; readonly name: string }[];
  readonly digests: Readonly<Record<string, string>>;
  /** The contents of the files in base64, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const HERE = dirname(fileURLToPath(import.meta.url));

/** All packed directories. */
export function packedDirectories(): readonly Packed[] {
  return readdirSync(HERE)
    .filter((name) => name.endsWith(".json.br"))
    .sort()
    .map((name) => JSON.parse(brotliDecompressSync(readFileSync(join(HERE, name))).toString()) as Packed);
}

/** Packs a directory, whose server has stopped, into one file. */
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

/** Extracts a packed directory into an empty directory. */
export function unpack({ files }: Packed, directory: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, path), Buffer.from(content, "base64"), { mode: 0o600 });
  }
}
