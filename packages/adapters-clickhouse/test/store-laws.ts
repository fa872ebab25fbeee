// The laws of the ports that a store implements, as tests shared by one server and a cluster.

import { callScanLaws, callSourceLaws, callWriterLaws, rowScanLaws, rowSourceLaws } from "@assay/calls/laws";
import { executionLaws, scoreDirectionsLaws } from "@assay/eval-engine/laws";
import { pushedExecution } from "@assay/eval-engine/pushed";
import { callStoreOver } from "@assay/trace-core";
import { callStoreLaws } from "@assay/trace-core/laws";
import { describe, test } from "vitest";
import type { ClickHouseStore } from "../src/index.ts";
import { whole } from "./whole.ts";

/** Declares the tests; each has a fresh store. */
export function testStoreLaws(freshStore: () => Promise<ClickHouseStore>): void {
  describe("calls", () => {
    const laws = callSourceLaws(async () => {
      const { calls } = await freshStore();
      return {
        source: calls,
        put: async (project, given) => void (await calls.put(project, given.map(whole))),
      };
    });
    for (const { name, run } of laws) test(name, run);
  });

  describe("putting calls", () => {
    for (const { name, run } of callWriterLaws(async () => (await freshStore()).calls)) test(name, run);
  });

  describe("listing calls", () => {
    for (const { name, run } of callScanLaws(async () => (await freshStore()).calls)) test(name, run);
  });

  describe("calls as clients log them", () => {
    const laws = callStoreLaws(async () => callStoreOver((await freshStore()).calls));
    for (const { name, run } of laws) test(name, run);
  });

  describe("dataset rows", () => {
    const laws = rowSourceLaws(async () => {
      const { rows } = await freshStore();
      return { source: rows, put: async (project, given) => void (await rows.put(project, given)) };
    });
    for (const { name, run } of laws) test(name, run);
  });

  describe("putting and listing dataset rows", () => {
    for (const { name, run } of rowScanLaws(async () => (await freshStore()).rows)) test(name, run);
  });

  describe("directions of scores", () => {
    for (const { name, run } of scoreDirectionsLaws(async () => (await freshStore()).directions))
      test(name, run);
  });

  describe("queries that are pushed down", () => {
    const laws = executionLaws(async () => {
      const { calls, rows, trials, directions } = await freshStore();
      return {
        execution: pushedExecution({ trials, calls, rows, directions }),
        putCalls: async (project, given) => void (await calls.put(project, given.map(whole))),
        putRows: async (project, given) => void (await rows.put(project, given)),
      };
    });
    for (const { name, run } of laws) test(name, run);
  });
}
