// docs/reference/faults.md lists the codes, statuses and headers of the code.

import { readFileSync } from "node:fs";
import { Fault, type FaultCode } from "@assay/base";
import type { RefusalCode } from "@assay/inference-core/internal";
import { REFUSALS } from "@assay/testing/refusals";
import { STATISTICS_REFUSALS } from "@assay/testing/statistics-refusals";
import { expect, test } from "vitest";
import { failed, refused } from "../src/inference/problem.ts";
import { detailResponse, problemOf } from "../src/response/problem.ts";

const page = readFileSync(new URL("../../../docs/reference/faults.md", import.meta.url), "utf8");

/** The rows of a section's table, as their cells. */
function tableOf(heading: string): readonly (readonly string[])[] {
  const section = new RegExp(`## ${heading}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(page)![1]!;
  const lines = section.split("\n").filter((line) => /^\| *`/.test(line));
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

// Every code. As a record, it does not compile if one is missing.
const FAULTS: Readonly<Record<FaultCode, true>> = {
  ...{ unavailable: true, overloaded: true, timeout: true, cancelled: true, denied: true },
  ...{ missing: true, conflict: true, corrupt: true, exhausted: true },
};
const REFUSED: Readonly<Record<RefusalCode, true>> = {
  ...{ invalid: true, rejected: true, unknown_model: true, unsupported: true },
  ...{ quota: true, limited: true, overloaded: true, failed: true },
};

test("every fault has the documented status, header and retry advice", () => {
  const rows = tableOf("Faults");
  const real = Object.keys(FAULTS).map((name) => {
    const fault = new Fault(name as FaultCode, "x");
    const { status, headers } = detailResponse(problemOf(fault));
    const [retryable, header] = [fault.retryable, headers.has("Retry-After")].map((is) => (is ? "yes" : ""));
    return [name, retryable, String(status), header, String(failed(fault).status)];
  });
  expect(rows.map(([code, , ...rest]) => [code, ...rest])).toEqual(real);
});

test("every model refusal has the documented status, type and code", async () => {
  const real = Object.keys(REFUSED).map(async (code) => {
    const answer = refused({
      code: code as RefusalCode,
      message: "x",
      issues: [{ code: "invalid", path: ["n"], message: "x" }],
    });
    const { error } = (await answer.json()) as {
      readonly error: { readonly type: string; readonly code: string };
    };
    return [code, String(answer.status), error.type, error.code];
  });
  expect(tableOf("Refusals of requests to models").map((row) => row.slice(0, 4))).toEqual(
    await Promise.all(real),
  );
});

test("every error type of a refused body is documented", () => {
  const types = [
    ...REFUSALS.map(([, , [, type]]) => type),
    ...STATISTICS_REFUSALS.map(([, , , [, type]]) => type),
  ];
  const known = tableOf("Types of a 422").map(([type]) => type!);
  expect(new Set(types).size).toBeGreaterThan(12);
  expect(types.filter((type) => !known.includes(type))).toEqual([]);
});

test("every status of a fault or a refusal is documented", () => {
  const known = tableOf("Statuses").map(([status]) => status!);
  const faults = tableOf("Faults").flatMap(([, , , status, , ofModels]) => [status!, ofModels!]);
  const refusals = tableOf("Refusals of requests to models").map(([, status]) => status!);
  expect([...faults, ...refusals].filter((status) => !known.includes(status))).toEqual([]);
});
