// The stores of traces run the laws of the ports they implement, and the engine's sources read what they write.

import { callSourceLaws, rowSourceLaws } from "@assay/calls/laws";
import { unknownCall } from "@assay/trace-core/internal";
import {
  callStoreLaws,
  costStoreLaws,
  feedbackStoreLaws,
  fileStoreLaws,
  objectStoreLaws,
  tableStoreLaws,
} from "@assay/trace-core/laws";
import { describe, test } from "vitest";
import { openFresh } from "../support.ts";

const open = () => openFresh();

describe("calls", () => {
  for (const law of callStoreLaws(async () => (await open()).traces.calls)) test(law.name, law.run);
});

describe("calls as the engine's CallSource", () => {
  // Calls joined from pieces keep their parent when the same start is written again.
  const unlikeJoins: ReadonlySet<string> = new Set([
    "a call that moves to another parent is not passed over",
  ]);
  const laws = callSourceLaws(async () => {
    const { calls, traces } = await open();
    return {
      source: calls,
      put: (project, given) =>
        traces.calls.put(given.map((call) => ({ ...unknownCall(project, call.id), ...call }))),
    };
  });
  for (const law of laws) (unlikeJoins.has(law.name) ? test.fails : test)(law.name, law.run);
});

describe("tables", () => {
  for (const law of tableStoreLaws(async () => (await open()).traces.tables)) test(law.name, law.run);
});

describe("tables as the engine's RowSource", () => {
  const laws = rowSourceLaws(async () => {
    const { rows, traces } = await open();
    return {
      source: rows,
      put: (project, given) =>
        traces.tables.put(
          project,
          "t",
          given.map(({ digest }) => digest),
          given,
        ),
    };
  });
  for (const law of laws) test(law.name, law.run);
});

describe("objects", () => {
  for (const law of objectStoreLaws(async () => (await open()).traces.objects)) test(law.name, law.run);
});

describe("files", () => {
  for (const law of fileStoreLaws(async () => (await open()).traces.files)) test(law.name, law.run);
});

describe("feedback", () => {
  for (const law of feedbackStoreLaws(async () => (await open()).traces.feedback)) test(law.name, law.run);
});

describe("costs", () => {
  for (const law of costStoreLaws(async () => (await open()).traces.costs)) test(law.name, law.run);
});
