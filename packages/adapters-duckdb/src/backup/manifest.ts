// What a backup says of itself: its files, with the length and the SHA-256 of each, so that what is restored is what was
// there. Written last: a folder without it is no backup.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { SCHEMA } from "../schema.ts";

/** The file of a backup that says what the others are. */
export const MANIFEST_FILE = "backup.json";

/** A file of a backup. */
export interface ListedFile {
  /** Its path in the data directory and in the backup, with slashes. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** What a backup is of. */
export interface BackupManifest {
  /** The id of the store, whatever its directory is called. */
  readonly store: string;
  /** The version of its tables: a program that knows an older one cannot open them. */
  readonly schema: number;
  /** When its moment was, in ISO 8601. */
  readonly taken_at: string;
  /** Every file but the manifest. */
  readonly files: readonly ListedFile[];
}

const KIND = "assay-backup-1";

/** The text of a manifest, with a digest of its own. */
export function printManifest(manifest: BackupManifest): string {
  const content = { kind: KIND, ...manifest };
  return `${JSON.stringify({ ...content, sha256: digestOf(content) }, null, 2)}\n`;
}

/** Reads the manifest of a backup. Throws a fault: `missing` for a folder that is none, `corrupt`, or `conflict` for one of a newer version. */
export function readManifest(backup: string): BackupManifest {
  const path = join(backup, MANIFEST_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const message = `${backup} is no backup: it has no ${MANIFEST_FILE}, which is written last`;
    throw new Fault("missing", message, { cause: error });
  }
  const { kind, ...manifest } = contentOf(text) ?? {};
  if (kind === undefined)
    throw new Fault("corrupt", `${path} is damaged: nothing was restored`, { file: path });
  const { schema } = manifest as BackupManifest;
  if (kind !== KIND || schema > SCHEMA) {
    const message = `${backup} was made by a newer version (schema ${schema}; this one knows ${SCHEMA}): restore it with that version or a later one`;
    throw new Fault("conflict", message);
  }
  return manifest as BackupManifest;
}

/** What a manifest says; undefined when it is not as it was written. */
function contentOf(text: string): (Partial<BackupManifest> & { readonly kind?: string }) | undefined {
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
