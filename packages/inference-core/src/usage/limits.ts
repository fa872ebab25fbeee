// Limits in this process: how many concurrent requests a key and a project may have, and how many requests and tokens
// per minute.

import { checkMembers, type Members } from "@assay/base/internal";
import type { Refusal } from "../refusal.ts";
import { type TokenBucket, tokenBucket } from "./token-bucket.ts";

/** The caller, as far as limits depend on it. */
export interface UsageSubject {
  /** The API key's id. */
  readonly key: string;
  /** The entity that the request counts for. */
  readonly entity: string;
  /** Its project. */
  readonly project: string;
}

/** The limits of one key or one project. Absent ones do not apply, except for `concurrent`. */
interface Limit {
  /** The most concurrent requests. Default 2000 for a key and 6000 for a project. */
  readonly concurrent?: number;
  /** The most requests per minute, on average; as many may start simultaneously. */
  readonly requests_per_minute?: number;
  /**
   * The most tokens of requests and answers per minute, on average. They are counted when an answer ends: an answer
   * that exceeds the rest is finished, and the next one waits longer.
   */
  readonly tokens_per_minute?: number;
}

/** The limits of keys and projects. */
export interface LimitOptions {
  /** The limits of each key. */
  readonly key?: Limit | undefined;
  /** The limits of each project. */
  readonly project?: Limit | undefined;
  /** The limits of single keys, by ID, instead of `key`. */
  readonly keys?: { readonly [id: string]: Limit } | undefined;
  /** The limits of single projects, by `entity/project`, instead of `project`. */
  readonly projects?: { readonly [name: string]: Limit } | undefined;
}

/** The state of a rate limit. */
export interface Rate {
  /** The allowance per minute. */
  readonly limit: number;
  /** The remaining allowance, rounded down; at least 0. */
  readonly remaining: number;
  /** Milliseconds until the full allowance is available again. */
  readonly resetMs: number;
}

/** The state of the rate limits that apply: of the key's and the project's, the one with less left. */
export interface Rates {
  /** For requests. */
  readonly requests?: Rate;
  /** For tokens. */
  readonly tokens?: Rate;
}

/** Whether a request may start. */
type Admission =
  | { readonly ok: true; readonly rates: Rates; readonly end: (tokens: number) => void }
  | { readonly ok: false; readonly rates: Rates; readonly refusal: Refusal };

/** Decides whether requests may start. */
export interface Limits {
  /** Starts a request unless it exceeds a limit. Call `end` once, with the tokens that it took. */
  begin(asker: UsageSubject): Admission;
}

const CONCURRENT = { key: 2000, project: 6000 };
/** The least number of keys and projects remembered before those that have used nothing recently are forgotten. */
const KEPT = 10_000;

const OPTIONS: Members<LimitOptions> = {
  ...{ key: "object?", project: "object?", keys: "object?", projects: "object?" },
};
const LIMIT: Members<Limit> = {
  ...{ concurrent: "number?", requests_per_minute: "number?", tokens_per_minute: "number?" },
};

/**
 * Limits kept in memory; keys without activity cost nothing. `now` is in milliseconds. Throws a TypeError for an unknown
 * limit.
 */
export function requestLimits(options: LimitOptions = {}, now: () => number = Date.now): Limits {
  checkMembers("limits", options, OPTIONS);
  const { key = {}, project = {}, keys, projects } = options;
  for (const [name, limit] of Object.entries({ key, project, ...keys, ...projects }))
    checkMembers(`limits: ${name}`, limit, LIMIT);
  const accounts = new Map<string, Account>();
  let most = KEPT;
  const forgetIdle = (at: number): void => {
    if (accounts.size < most) return;
    for (const [name, { isIdle }] of accounts) if (isIdle(at)) accounts.delete(name);
    // Twice as many as are in use, so that checking all of them stays rare.
    most = Math.max(KEPT, 2 * accounts.size);
  };
  const accountOf = (name: string, limit: Limit | undefined, concurrent: number): Account => {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    const made = account(limit ?? {}, concurrent, now());
    accounts.set(name, made);
    return made;
  };
  return {
    begin({ key, entity, project }) {
      const place = `${entity}/${project}`;
      const at = now();
      // Runs before either account is looked up, because an idle one may be about to be used.
      forgetIdle(at);
      const both = [
        [`key ${key}`, accountOf(`key ${key}`, own(options.keys, key) ?? options.key, CONCURRENT.key)],
        [
          `project ${place}`,
          accountOf(`project ${place}`, own(options.projects, place) ?? options.project, CONCURRENT.project),
        ],
      ] as const;
      const rates = () => leastOf(both.map(([, one]) => one.rates(now())));
      for (const [name, one] of both) {
        const refusal = one.refusal(name, at);
        if (refusal !== undefined) return { ok: false, rates: rates(), refusal };
      }
      for (const [, one] of both) one.enter(at);
      let over = false;
      return {
        ok: true,
        rates: rates(),
        end(tokens) {
          if (over) return;
          over = true;
          for (const [, one] of both) one.leave(tokens, now());
        },
      };
    },
  };
}

function own(limits: { readonly [name: string]: Limit } | undefined, name: string): Limit | undefined {
  return limits !== undefined && Object.hasOwn(limits, name) ? limits[name] : undefined;
}

/** The usage of one key or project. */
interface Account {
  refusal(name: string, now: number): Refusal | undefined;
  enter(now: number): void;
  leave(tokens: number, now: number): void;
  rates(now: number): Rates;
  isIdle(now: number): boolean;
}

function account(limit: Limit, otherwise: number, begun: number): Account {
  const { concurrent = otherwise, requests_per_minute: requests, tokens_per_minute: tokens } = limit;
  const bucket = (perMinute: number | undefined) =>
    perMinute === undefined ? undefined : { perMinute, held: tokenBucket(perMinute, begun) };
  const [ofRequests, ofTokens] = [bucket(requests), bucket(tokens)];
  let underWay = 0;
  const limited = (message: string, waitMs: number): Refusal => ({
    code: "limited",
    message,
    retryAfter: Math.max(0.001, waitMs / 1000),
  });
  return {
    refusal(name, now) {
      if (underWay >= concurrent)
        return limited(`Concurrency limit reached for requests of ${name}: ${concurrent} at once`, 1000);
      const wait = ofRequests?.held.waitFor(1, now) ?? 0;
      if (wait > 0) return limited(`Rate limit reached for ${name}: ${requests} requests a minute`, wait);
      const drought = ofTokens?.held.waitFor(1, now) ?? 0;
      if (drought > 0) return limited(`Rate limit reached for ${name}: ${tokens} tokens a minute`, drought);
      return undefined;
    },
    enter(now) {
      underWay++;
      ofRequests?.held.take(1, now);
    },
    leave(used, now) {
      underWay--;
      ofTokens?.held.take(used, now);
    },
    rates: (now) => ({
      ...(ofRequests !== undefined && { requests: rateOf(ofRequests, now) }),
      ...(ofTokens !== undefined && { tokens: rateOf(ofTokens, now) }),
    }),
    isIdle: (now) =>
      underWay === 0 &&
      [ofRequests, ofTokens].every((one) => one === undefined || one.held.level(now) >= one.perMinute),
  };
}

function rateOf(
  { perMinute, held }: { readonly perMinute: number; readonly held: TokenBucket },
  now: number,
): Rate {
  const remaining = Math.max(0, Math.floor(held.level(now)));
  return { limit: perMinute, remaining, resetMs: held.waitFor(perMinute, now) };
}

function leastOf(all: readonly Rates[]): Rates {
  const least = (name: "requests" | "tokens") => {
    const [first, ...others] = all.flatMap((rates) => rates[name] ?? []);
    const found = others.reduce(
      (a, b) => (b !== undefined && a !== undefined && b.remaining < a.remaining ? b : a),
      first,
    );
    return found === undefined ? {} : { [name]: found };
  };
  return { ...least("requests"), ...least("tokens") };
}
