// API keys: making and reading them, and what they allow. What is kept of a key is a hash; the key itself is never stored.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Where a key may be used. `*` stands for any. */
export interface KeyScope {
  /** The team or user, or `*`. */
  readonly entity: string;
  /** One of its projects, or `*`. */
  readonly project: string;
}

/** What a key may do: read, write, train, ask models. */
export type KeyVerb = "read" | "write" | "train" | "chat";

/** Every verb. */
export const KEY_VERBS: readonly KeyVerb[] = ["read", "write", "train", "chat"];

/** What is kept of a key. */
export interface ApiKey {
  /** The key's public part: 8 characters, for lists, logs and usage. */
  readonly id: string;
  /** SHA-256 of the whole key, lower-case hexadecimal. */
  readonly hash: string;
  /** What its owner calls it. */
  readonly name: string;
  /** Where it may be used. */
  readonly scopes: readonly KeyScope[];
  /** What it may be used for. Absent: for everything. */
  readonly verbs?: readonly KeyVerb[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. It works no more from then on. */
  readonly expiresAt?: number;
  /** Milliseconds since 1970. It works no more. */
  readonly revokedAt?: number;
}

/** What a new key is for. */
export interface NewApiKey {
  /** What its owner calls it. */
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly KeyScope[];
  /** At least one. Absent: everything. */
  readonly verbs?: readonly KeyVerb[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds since 1970. Absent: it works until it is revoked. */
  readonly expiresAt?: number;
}

// 40 characters in all, because older W&B clients take no other length. No letter is easily taken for another.
const PREFIX = "assay_";
const ID_LENGTH = 8;
const SECRET_LENGTH = 26;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const FORM = new RegExp(`^${PREFIX}([${ALPHABET}]{${ID_LENGTH}})[${ALPHABET}]{${SECRET_LENGTH}}$`);

/** How many random bytes a key is made of. */
export const KEY_BYTES: number = ID_LENGTH + SECRET_LENGTH;

/**
 * Makes a key of `random`, which must be `KEY_BYTES` bytes from a cryptographic source (the secret has 130 bits of
 * them). `secret` is what its owner is given, once; `key` is what to keep.
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

/** The id in a key's text, or undefined when it is not a key of ours. */
export function apiKeyId(secret: string): string | undefined {
  return FORM.exec(secret)?.[1];
}

/** What is kept of a key: SHA-256, which suffices because a key is random and too long to guess. */
export function hashApiKey(secret: string): string {
  return bytesToHex(sha256(utf8ToBytes(secret)));
}

/** Whether a key works at `now`: it is neither revoked nor expired. */
export function isUsable({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}

/** Whether a key may be used for a project. */
export function keyAllows({ scopes }: Pick<ApiKey, "scopes">, entity: string, project: string): boolean {
  return scopes.some((scope) => covers(scope.entity, entity) && covers(scope.project, project));
}

function covers(scope: string, name: string): boolean {
  return scope === "*" || scope === name;
}
