// Addresses that are capabilities: the holder of one may send or fetch one file, for an hour. Clients send no key
// there.

import { createHmac, timingSafeEqual } from "node:crypto";
import { isObject } from "./is-object.ts";

/** What an address is for. */
export type Errand =
  /** Sending a file of a run. */
  | {
      readonly put: "run";
      readonly entity: string;
      readonly project: string;
      readonly run: string;
      readonly file: string;
    }
  /** Sending bytes that a project's artifacts may have: those of this MD5, hexadecimal. */
  | { readonly put: "blob"; readonly entity: string; readonly project: string; readonly md5: string }
  /** Sending the manifest of an artifact. */
  | { readonly put: "manifest"; readonly artifact: string; readonly md5: string }
  /** Fetching bytes, by their SHA-256. */
  | { readonly get: string; readonly size: number; readonly file: string };

/** Makes and reads addresses. */
export interface Addresses {
  /** The path of an errand, which holds the file's name at its end for people to read. */
  path(errand: Errand): string;
  /** The errand of a path; undefined when the path was not made here, was changed, or has expired. */
  errand(path: string): Errand | undefined;
}

/** Where files are sent to, and fetched from. */
export const UPLOADS = "/wandb/upload/";
export const DOWNLOADS = "/wandb/download/";

const HOUR = 3_600_000;
/** Longer than any that is made here. */
const LONGEST_TOKEN = 8192;

/** Addresses signed with `secret` (HMAC-SHA-256); `now` is milliseconds since 1970. */
export function signedAddresses(secret: Uint8Array, now: () => number): Addresses {
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
      if (!isObject(read) || typeof read["until"] !== "number" || read["until"] < now()) return undefined;
      const { until: _, ...members } = read;
      const errand = members as unknown as Errand;
      // The name is for people to read, and must be the name of the file.
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

function prefixOf(errand: Errand): string {
  return "put" in errand ? UPLOADS : DOWNLOADS;
}

/** What is before the token of a path, the token, and the name after it. Of that the router leaves `%25` and what separates parts. */
function partsOf(path: string): readonly string[] {
  const prefix = [UPLOADS, DOWNLOADS].find((one) => path.startsWith(one)) ?? "";
  const [token = "", ...name] = path.slice(prefix.length).split("/");
  return [prefix, token, decoded(name.join("/"))];
}

function nameOf(errand: Errand): string {
  if ("file" in errand) return errand.file.split("/").at(-1) ?? "";
  return errand.put === "manifest" ? "wandb_manifest.json" : errand.md5;
}
