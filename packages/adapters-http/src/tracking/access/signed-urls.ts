// Signed URLs that act as capabilities: with one, a client can upload or download one file for an hour without a key.

import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "@assay/base/internal";

/** The purpose of an address. */
export type FileTransfer =
  /** Uploading a file of a run. */
  | {
      readonly put: "run";
      readonly entity: string;
      readonly project: string;
      readonly run: string;
      readonly file: string;
    }
  /** Uploading bytes for artifacts of a project: those with this MD5, hexadecimal. */
  | { readonly put: "blob"; readonly entity: string; readonly project: string; readonly md5: string }
  /** Uploading the manifest of an artifact. */
  | { readonly put: "manifest"; readonly artifact: string; readonly md5: string }
  /** Downloading bytes, by their SHA-256. */
  | { readonly get: string; readonly size: number; readonly file: string };

/** Creates and reads addresses. */
export interface SignedUrls {
  /** The path of an errand, ending with the file's name for people. */
  path(errand: FileTransfer): string;
  /** The errand of a path; undefined if the path is invalid, was changed, or has expired. */
  errand(path: string): FileTransfer | undefined;
}

/** The prefix of addresses for uploads and downloads. */
export const UPLOADS = "/wandb/upload/";
export const DOWNLOADS = "/wandb/download/";

const HOUR = 3_600_000;
/** Longer than any valid token. */
const LONGEST_TOKEN = 8192;

/** Addresses signed with `secret` (HMAC-SHA-256); `now` is in milliseconds since 1970. */
export function signedUrls(secret: Uint8Array, now: () => number): SignedUrls {
  const signature = (body: string): Buffer => createHmac("sha256", secret).update(body).digest();
  return {
    path(errand) {
      const body = Buffer.from(JSON.stringify({ ...errand, until: now() + HOUR })).toString("base64url");
      const token = `${body}.${signature(body).toString("base64url")}`;
      return `${prefixOf(errand)}${token}/${encodeURIComponent(nameOf(errand))}`;
    },
    errand(path) {
      const [prefix, token = "", name = ""] = partsOf(path);
      if (token.length > LONGEST_TOKEN) return undefined;
      const [body = "", signed = ""] = token.split(".");
      const given = Buffer.from(signed, "base64url");
      const wanted = signature(body);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const read: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
      if (!isJsonObject(read) || typeof read["until"] !== "number" || read["until"] < now()) return undefined;
      const { until: _, ...members } = read;
      const errand = members as unknown as FileTransfer;
      // The name is for people, but must be the file's name.
      const isOwn = prefix === prefixOf(errand) && name === nameOf(errand);
      return isOwn ? errand : undefined;
    },
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function prefixOf(errand: FileTransfer): string {
  return "put" in errand ? UPLOADS : DOWNLOADS;
}

/**
 * The path before the token, the token, and the name after it. In names, the router leaves `%25` and separators
 * encoded.
 */
function partsOf(path: string): readonly string[] {
  const prefix = [UPLOADS, DOWNLOADS].find((one) => path.startsWith(one)) ?? "";
  const [token = "", ...name] = path.slice(prefix.length).split("/");
  return [prefix, token, decoded(name.join("/"))];
}

function nameOf(errand: FileTransfer): string {
  if ("file" in errand) return errand.file.split("/").at(-1) ?? "";
  return errand.put === "manifest" ? "wandb_manifest.json" : errand.md5;
}
