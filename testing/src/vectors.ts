// The shared test vectors (data/eval-results.jsonl): requests with assertions on their responses, as data, and the code
// that checks a response. Every execution must pass them.

import { readFileSync } from "node:fs";
import type { Result } from "@assay/base";
import { type CallInput, rowDigest } from "@assay/calls";
import type { DatasetRow } from "@assay/eval-engine";
import { expect } from "vitest";

interface Check {
  readonly path: string;
  readonly op: string;
  readonly value?: unknown;
}

/** One vector. */
export interface Vector {
  readonly name: string;
  readonly calls: readonly CallInput[];
  readonly tables: { readonly [ref: string]: DatasetRow["val"] };
  readonly request: object;
  readonly expect?: unknown;
  readonly checks?: readonly Check[];
  readonly expect_error?: { readonly status: number };
}

/** An example and its digest. */
export interface DigestVector {
  readonly example: DatasetRow["val"];
  readonly canonical_text: string;
  readonly row_digest: string;
}

const lines = readFileSync(new URL("../data/eval-results.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const records = lines.map((line) => JSON.parse(line) as { name: string });
/** All requests with the assertions on their responses. */
export const vectors: readonly Vector[] = records.filter(
  ({ name }) => name !== "digest",
) as unknown as Vector[];
/** All examples with their digests. */
export const digests: readonly DigestVector[] = records.filter(
  ({ name }) => name === "digest",
) as unknown as DigestVector[];

/** The dataset rows of a vector. */
export function rowsOf({ tables }: Vector): readonly DatasetRow[] {
  return Object.entries(tables).map(([ref, val]) => ({ digest: rowDigest(ref), ref, val }));
}

/** Checks the responses of an execution over a vector's calls and rows against the vector. */
export async function expectVector(
  vector: Vector,
  answer: (body: object) => Promise<Result<unknown>>,
): Promise<void> {
  const ask = async (request: object): Promise<unknown> => {
    const given = await answer(request);
    if (!given.ok) throw new Error(JSON.stringify(given.issues));
    return given.value;
  };
  if (vector.expect_error !== undefined) {
    expect(vector.expect_error).toEqual({ status: 422 });
    expect((await answer(vector.request)).ok).toBe(false);
    return;
  }
  const given = await ask(vector.request);
  if (vector.expect !== undefined) expectSubset(given, vector.expect, "response");
  for (const check of vector.checks ?? []) await runCheck(check, given, () => ask(vector.request), ask);
}

/** Expects `expected` to be a deep subset of `actual`; arrays must match by index and length. */
function expectSubset(actual: unknown, expected: unknown, at: string): void {
  if (Array.isArray(expected)) {
    expect(actual, at).toHaveLength(expected.length);
    for (const [i, item] of expected.entries()) expectSubset((actual as unknown[])[i], item, `${at}[${i}]`);
  } else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      expectSubset((actual as { [key: string]: unknown })[key], value, `${at}.${key}`);
    }
  } else expect(actual, at).toBe(expected);
}

async function runCheck(
  { path, op, value }: Check,
  answer: unknown,
  repeat: () => Promise<unknown>,
  ask: (request: object) => Promise<unknown>,
): Promise<void> {
  const found = op === "same_on_repeat" ? undefined : select(answer, path);
  switch (op) {
    case "equals":
      return expect(found, path).toEqual(value);
    case "equals_sorted":
      return expect((found as number[]).toSorted(), path).toEqual(value);
    case "set_equals":
      return expect(new Set(found as unknown[]), path).toEqual(new Set(value as unknown[]));
    case "len":
      return expect(found, path).toHaveLength(value as number);
    case "not_null":
      return expect(found, path).not.toBeNull();
    case "is_null":
      return expect(found, path).toBeNull();
    case "not_empty":
      return expect(Object.keys(found as object).length, path).toBeGreaterThan(0);
    case "type":
      return expect(Array.isArray(found) ? "array" : typeof found, path).toBe(value);
    case "contains":
      return expect(found, path).toContain(value);
    case "has_keys":
      return expect(Object.keys(found as object), path).toEqual(expect.arrayContaining(value as string[]));
    case "approx":
      return expect(Math.abs((found as number) - (value as number)), path).toBeLessThan(1e-9);
    case "same_on_repeat":
      for (let i = 0; i < (value as number); i++) expect(await repeat()).toEqual(answer);
      return;
    case "same_as_request": {
      const { request, path: other } = value as { request: object; path: string };
      return expect(found, path).toEqual(select(await ask(request), other));
    }
    default:
      throw new Error(`unknown check ${op}`);
  }
}

/** Selects values by a path, such as `a[0].b[*].c` or `list[k=v,k2=null]`. */
function select(value: unknown, path: string): unknown {
  const steps = path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
  let here: unknown[] = [value];
  let many = false;
  for (const step of steps) {
    if (step === "[*]") {
      many = true;
      here = here.flatMap((item) => item as unknown[]);
    } else if (/^\[\d+\]$/.test(step))
      here = here.map((item) => (item as unknown[])[Number(step.slice(1, -1))]);
    else if (step.startsWith("[")) {
      const wanted = step
        .slice(1, -1)
        .split(",")
        .map((pair) => pair.split("=") as [string, string]);
      const fits = (item: { [key: string]: unknown }): boolean =>
        wanted.every(([key, text]) => String(item[key]) === text);
      here = here.map((item) => (item as { [key: string]: unknown }[]).find(fits));
    } else here = here.map((item) => (item as { [key: string]: unknown })[step]);
  }
  return many ? here : here[0];
}
