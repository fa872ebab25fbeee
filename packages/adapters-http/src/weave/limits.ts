// The limits of the bodies of Weave's clients, by route, and their description.

import { MAX_RECORD_VALUES } from "@assay/calls/internal";
import type { BodyLimits } from "../request/body.ts";

const MIB = 2 ** 20;

interface Limits extends BodyLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxValues: number;
  readonly maxNames: number;
}

/** The limits of every body. */
export const LIMITS: Limits = {
  /** Clients send batches of up to 31 MiB. */
  maxBytes: 64 * MIB,
  /** Deeper calls would be too deep for the engine; a batch puts a call five levels deep. */
  maxDepth: 200,
  /** A batch of calls with log-probabilities has millions of numbers. */
  maxValues: 2_000_000,
  /** Objects keyed by ID have many names; each costs as much as a hundred values. */
  maxNames: 50_000,
  /** The notation of numbers is stored too. */
  numbers: "logged",
};

/** The limits of a query: enough for a list of a hundred thousand IDs. */
const MAX_ASKED_VALUES = 250_000;

/** The depth of lists and objects around the records of these bodies; any other stored body is one record. */
const RECORD_DEPTHS: { readonly [path: string]: number } = {
  "/call/upsert_batch": 2,
  "/v2/{entity}/{project}/calls/complete": 2,
  "/calls/delete": 2,
  "/table/create": 3,
  "/table/create_from_digests": 2,
  "/table/update": 2,
  "/feedback/batch/create": 2,
  "/cost/create": 2,
};

/** The limits of a body that queries without storing anything. */
export function limitsOfQueries(limits: BodyLimits): BodyLimits {
  return { ...limits, maxValues: MAX_ASKED_VALUES };
}

/**
 * The limits of a body that is stored, at least in part: what is written and read in one piece may have fewer values.
 */
export function limitsOfWrites(path: string, limits: BodyLimits): BodyLimits {
  const depth = RECORD_DEPTHS[path];
  if (depth === undefined) return { ...limits, maxValues: MAX_RECORD_VALUES };
  return { ...limits, records: { depth, maxValues: MAX_RECORD_VALUES } };
}

// Without Intl, which takes longer to load than the rest of this file: these texts are built at each start.
const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** The limits as a sentence. */
export const LIMITS_TEXT: string = `A body has at most ${LIMITS.maxBytes / MIB} MiB after decompression, ${LIMITS.maxDepth} levels, ${count(LIMITS.maxValues)} values and ${count(LIMITS.maxNames)} different names of members; one call, row, version of an object or feedback in it has at most ${count(MAX_RECORD_VALUES)} values, and a body that queries stored data ${count(MAX_ASKED_VALUES)}. Larger bodies are refused with 413 for their bytes, otherwise 422. A busy server answers 429 with Retry-After.`;
