// assay keys: creates, lists and revokes the API keys of a data directory.

import type { Schemas } from "@assay/client";
import {
  KEY_VERBS,
  type KeyRequest,
  type KeyVerb,
  printKeyScope,
  readKeyScope,
} from "@assay/inference-core/internal";
import { allItems } from "../../clients/server-client.ts";
import { openService } from "../../data/open-service.ts";
import type { Service, ServiceOptions } from "../../data/service.ts";
import { wholeNumberIn } from "../../options/common-options.ts";
import { isJson, type PrintOptions, printTable } from "../../render/print-table.ts";
import { type CliContext, log, print, printJson } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";

/** A key as the server returns it. Times are in seconds since 1970. */
type ListedKey = Schemas["Key"];

/** The settings of a new key. */
export interface CreateKeyOptions extends ServiceOptions {
  readonly name: string;
  /** As in `readKeyScope`. */
  readonly scopes: readonly string[];
  /** Some of the verbs, separated by commas; absent: all of them. */
  readonly can?: string | undefined;
  /** After how many days it expires; absent: never, unless it is revoked. */
  readonly days?: string | undefined;
}

/** Creates a key and prints it, with nothing else on stdout: it is shown only once. Returns the exit code. */
export async function createKeyCommand(context: CliContext, options: CreateKeyOptions): Promise<number> {
  const scopes = options.scopes.map(scopeArgument);
  const can = options.can === undefined ? undefined : verbsArgument(options.can);
  const expires_at = options.days === undefined ? undefined : expiryOf(options.days, Date.now());
  return withService(context, { ...options, creates: true }, async (service) => {
    const body = {
      name: options.name,
      scopes,
      ...(can !== undefined && { can }),
      ...(expires_at !== undefined && { expires_at }),
    };
    const made = await service.client.ask("POST /v1/keys", { body });
    log(
      context,
      `created the key ${made.id} for ${made.scopes.join(", ")}${can === undefined ? "" : `, to ${made.can.join(" and ")}`}; it is shown only once (from now on, a server of this data requires a key):`,
    );
    await print(context, made.key);
    return EXIT.ok;
  });
}

/** How to list keys. */
export interface ListKeysOptions extends ServiceOptions, PrintOptions {}

/** Lists the keys, without their texts. Returns the exit code. */
export async function listKeysCommand(context: CliContext, options: ListKeysOptions): Promise<number> {
  return withService(context, options, async (service) => {
    const keys = await allKeys(service);
    if (isJson(context, options)) await printJson(context, keys);
    else if (keys.length === 0)
      log(context, `no keys in ${service.where}; create one with assay keys create`);
    else await printKeys(context, keys);
    return EXIT.ok;
  });
}

/** Revokes the key with this ID. Returns the exit code. */
export async function revokeKeyCommand(
  context: CliContext,
  options: ServiceOptions & { readonly id: string },
): Promise<number> {
  return withService(context, options, async (service) => {
    // A key contains its ID, so the key itself can be passed to revoke it.
    const id = /^assay_(.{8})/.exec(options.id)?.[1] ?? options.id;
    await service.client.ask("DELETE /v1/keys/{id}", { path: { id } });
    log(context, `revoked the key ${id}`);
    return EXIT.ok;
  });
}

async function withService(
  context: CliContext,
  options: ServiceOptions,
  act: (service: Service) => Promise<number>,
): Promise<number> {
  const service = await openService(context, options);
  try {
    return await act(service);
  } finally {
    await service.close();
  }
}

function allKeys({ client }: Service): Promise<readonly ListedKey[]> {
  return allItems((after) => client.ask("GET /v1/keys", { query: { after } }));
}

function verbsArgument(text: string): readonly KeyVerb[] {
  const verbs = text.split(",");
  const isVerb = (verb: string): verb is KeyVerb => KEY_VERBS.some((known) => known === verb);
  const unknown = verbs.find((verb) => !isVerb(verb));
  if (unknown === undefined) return [...new Set(verbs.filter(isVerb))];
  throw new Failure(
    EXIT.usage,
    `"${unknown}" is not a permission; --can takes some of ${KEY_VERBS.join(",")}`,
  );
}

function scopeArgument(text: string): string {
  const scope = readKeyScope(text);
  if (scope !== undefined) return printKeyScope(scope);
  throw new Failure(
    EXIT.usage,
    `"${text}" is not a scope: give acme/demo, acme/* for all of acme, or * for everything`,
  );
}

/** When a key expires, in seconds since 1970. */
function expiryOf(days: string, now: number): KeyRequest["expiresAt"] {
  const count = wholeNumberIn(days, "--days", [1, 99_999], "number of days");
  return Math.floor(now / 1000) + count * 86_400;
}

function printKeys(context: CliContext, keys: readonly ListedKey[]): Promise<void> {
  const day = (at: number | null) => (at === null ? "" : new Date(at * 1000).toISOString().slice(0, 10));
  return printTable(
    context,
    ["id", "name", "scopes", "can", "created", "expires", "revoked"],
    keys.map(({ id, name, scopes, can, created_at, expires_at, revoked_at }) => [
      id,
      name,
      scopes.join(" "),
      can.length === KEY_VERBS.length ? "all" : can.join(" "),
      day(created_at),
      day(expires_at),
      day(revoked_at),
    ]),
    0,
  );
}
