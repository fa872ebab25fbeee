import { callSourceLaws, rowSourceLaws } from "@assay/calls/laws";
import { memoryCallStore } from "@assay/trace-core";
import {
  memoryCostStore,
  memoryFeedbackStore,
  memoryFileStore,
  memoryObjectStore,
  memoryTableStore,
  unknownCall,
} from "@assay/trace-core/internal";
import {
  callStoreLaws,
  costStoreLaws,
  feedbackStoreLaws,
  fileStoreLaws,
  objectStoreLaws,
  tableStoreLaws,
} from "@assay/trace-core/laws";
import { describe, test } from "vitest";

// Calls joined from pieces keep their parent when the same start is written again.
const UNLIKE_JOINS: ReadonlySet<string> = new Set(["a call that moves to another parent is not passed over"]);

describe("memoryCallStore", () => {
  for (const law of callStoreLaws(memoryCallStore)) test(law.name, law.run);
});

describe("memoryCallStore as the engine's CallSource", () => {
  const laws = callSourceLaws(() => {
    const source = memoryCallStore();
    return {
      source,
      put: (project, calls) =>
        source.put(calls.map((call) => ({ ...unknownCall(project, call.id), ...call }))),
    };
  });
  for (const law of laws) (UNLIKE_JOINS.has(law.name) ? test.fails : test)(law.name, law.run);
});

describe("memoryTableStore", () => {
  for (const law of tableStoreLaws(memoryTableStore)) test(law.name, law.run);
});

describe("memoryTableStore as the engine's RowSource", () => {
  const laws = rowSourceLaws(() => {
    const source = memoryTableStore();
    return {
      source,
      put: (project, rows) =>
        source.put(
          project,
          "t",
          rows.map(({ digest }) => digest),
          rows,
        ),
    };
  });
  for (const law of laws) test(law.name, law.run);
});

describe("memoryObjectStore", () => {
  for (const law of objectStoreLaws(memoryObjectStore)) test(law.name, law.run);
});

describe("memoryFileStore", () => {
  for (const law of fileStoreLaws(memoryFileStore)) test(law.name, law.run);
});

describe("memoryCostStore", () => {
  for (const law of costStoreLaws(memoryCostStore)) test(law.name, law.run);
});

describe("memoryFeedbackStore", () => {
  for (const law of feedbackStoreLaws(memoryFeedbackStore)) test(law.name, law.run);
});
