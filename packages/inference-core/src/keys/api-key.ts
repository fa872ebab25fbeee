// Creates and reads API keys, and checks what they allow. Only a hash of a key is stored, never the key itself.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Where a key is valid. `*` stands for any. */
export interface KeyScope {
  /** The team or user, or `*`. */
  readonly entity: string;
  /** One of its projects, or `*`. */
  readonly project: string;
}

/** What a key may do: read, write, train, chat. */
export type KeyVerb = "read" | "write" | "train" | "chat";

/** Every verb. */
export const KEY_VERBS: readonly KeyVerb[] = ["read", "write", "train", "chat"];

/** The stored part of a key. */
export interface ApiKey {
  /** The public part of the key: 8 characters, for lists, logs and usage. */
  readonly id: string;
  /** SHA-256 of the whole key, lower-case hexadecimal. */
  readonly hash: string;
  /** Its owner's name for it. */
  readonly name: string;
  /** Where it is valid. */
  readonly scopes: readonly KeyScope[];
  /** What it may be used for. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
  /** When it was created, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** When it was revoked, in milliseconds since 1970. */
  readonly revokedAt?: number;
}

/** The settings of a new key. */
export interface NewApiKey {
  /** Its owner's name for it. */
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly KeyScope[];
  /** At least one. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
  /** When it is created, in milliseconds since 1970. */
  readonly now: number;
  /** When it expires, in milliseconds since 1970. Absent: never, unless it is revoked. */
  readonly expiresAt?: number;
}

// 40 characters in all, because older W&B clients accept no other length. No letters are easily confused.
const PREFIX = "assay_";
const ID_LENGTH = 8;
const SECRET_LENGTH = 26;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const FORM = new RegExp(`^${PREFIX}([${ALPHABET}]{${ID_LENGTH}})[${ALPHABET}]{${SECRET_LENGTH}}$`);

const ID = new RegExp(`^[${ALPHABET}]{${ID_LENGTH}}$`);

/** Whether a key can have this ID. */
export function isKeyId(text: string): boolean {
  return ID.test(text);
}

/** The number of random bytes in a key. */
export const KEY_BYTES: number = ID_LENGTH + SECRET_LENGTH;

/**
 * Creates a key from `random`, which must be `KEY_BYTES` bytes from a cryptographic source (the secret has 130 bits of
 * them). Give `secret` to the owner, once; store `key`.
 */
export function createApiKey(
  random: Uint8Array,
  { name, scopes, verbs, now, expiresAt }: NewApiKey,
): { readonly secret: string; readonly key: ApiKey } {
  if (random.length !== KEY_BYTES) throw new Error(`an API key is made of ${KEY_BYTES} bytes`);
  const letters = [...random].map((byte) => ALPHABET[byte & 31]).join("");
  const secret = PREFIX + letters;
  const key: ApiKey = {
    id: letters.slice(0, ID_LENGTH),
    hash: hashApiKey(secret),
    name,
    scopes,
    ...(verbs !== undefined && { verbs }),
    createdAt: now,
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return { secret, key };
}

/** The ID in a key's text; undefined if it is not one of our keys. */
export function apiKeyId(secret: string): string | undefined {
  return FORM.exec(secret)?.[1];
}

/** The hash of a key that is stored: plain SHA-256 suffices, because keys are random and too long to guess. */
export function hashApiKey(secret: string): string {
  return bytesToHex(sha256(utf8ToBytes(secret)));
}

/** Whether a key is valid at `now`, that is, neither revoked nor expired. */
export function isUsable({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}

/** Whether a key is valid for a project. */
export function keyAllows({ scopes }: Pick<ApiKey, "scopes">, entity: string, project: string): boolean {
  return scopes.some((scope) => covers(scope.entity, entity) && covers(scope.project, project));
}

function covers(scope: string, name: string): boolean {
  return scope === "*" || scope === name;
}
