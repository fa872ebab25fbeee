// The manifest of a backup: its files, with the length and SHA-256 of each, to verify a restored backup. It is written
// last: a folder without it is not a backup.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Fault } from "@assay/base";
import { readAs, schemaOf } from "@assay/base/internal";
import { SCHEMA } from "../database/schema.ts";
import { LOG_FILE } from "../recovery/open-recovered.ts";
import { backedUpFile } from "./backed-up-file.ts";

/** The file that lists the other files of a backup. */
export const MANIFEST_FILE = "backup.json";

/** A file of a backup. */
export interface ListedFile {
  /** Its path in the data directory and in the backup, with slashes. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
}

/** The contents of a backup. */
export interface BackupManifest {
  /** The id of the store, independent of the directory's name. */
  readonly store: string;
  /** The version of its tables: a program that only knows older versions cannot open them. */
  readonly schema: number;
  /** Its moment, in ISO 8601. */
  readonly taken_at: string;
  /** All files except the manifest. */
  readonly files: readonly ListedFile[];
}

const KIND = "assay-backup-1";

/** The text of a manifest, including its own digest. */
export function printManifest(manifest: BackupManifest): string {
  const content = { kind: KIND, ...manifest };
  return `${JSON.stringify({ ...content, sha256: digestOf(content) }, null, 2)}\n`;
}

/** The schema of a manifest, which may come from anyone. */
const Manifest = schemaOf<BackupManifest>({
  type: "object",
  required: ["store", "schema", "taken_at", "files"],
  properties: {
    store: { type: "string" },
    schema: { type: "integer", minimum: 1 },
    taken_at: { type: "string" },
    files: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "size", "sha256"],
        properties: {
          name: { type: "string" },
          size: { type: "integer", minimum: 0 },
          sha256: { type: "string", description: "64 hexadecimal digits", pattern: "^[0-9a-f]{64}$" },
        },
      },
    },
  },
});

/** The maximum size of a manifest in bytes: a line or two for each of a million files. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads the manifest of a backup. Throws a fault: `missing` if the folder is not a backup, `corrupt`, or `conflict` for
 * a newer version.
 */
export function readBackupManifest(backup: string): BackupManifest {
  const file = backedUpFile(backup, MANIFEST_FILE);
  if (file === undefined) {
    const message = `${backup} is not a backup: it has no ${MANIFEST_FILE}, which is written last`;
    throw new Fault("missing", message);
  }
  const { path, size } = file;
  const refused = (what: string): Fault =>
    new Fault("corrupt", `${path} ${what}: nothing was restored`, { file: path });
  if (size > MOST_BYTES) throw refused(`has ${size} bytes; at most ${MOST_BYTES} are allowed`);
  const { kind, ...content } = contentOf(readFileSync(path, "utf8")) ?? {};
  if (kind === undefined) throw refused("is damaged");
  const { schema } = content;
  if (kind !== KIND || (typeof schema === "number" && schema > SCHEMA)) {
    const message = `${backup} was made by a newer version (schema ${schema}; this one knows ${SCHEMA}): restore it with that version or a later one`;
    throw new Fault("conflict", message);
  }
  const read = readAs(Manifest, content);
  if (!read.ok) {
    const { path: at, message } = read.issues[0]!;
    throw refused(`is not a manifest of assay backup: at ${at.join(".")}, ${message}`);
  }
  const names = new Set<string>();
  for (const { name } of read.value.files) {
    if (names.has(name)) throw refused(`lists ${JSON.stringify(name.slice(0, 100))} twice`);
    names.add(name);
  }
  if (!names.has(LOG_FILE)) throw refused(`does not list ${LOG_FILE}, from which the database is rebuilt`);
  return read.value;
}

/** The content of a manifest; undefined if it was altered. */
function contentOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { sha256, ...content } = JSON.parse(text) as { readonly sha256?: unknown };
    return sha256 === digestOf(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
