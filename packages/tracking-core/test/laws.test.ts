import { describe, test } from "vitest";
import { trackingStoreLaws } from "../src/laws/index.ts";
import { memoryTrackingStore } from "../src/testing/index.ts";

describe("memoryTrackingStore", () => {
  for (const law of trackingStoreLaws(memoryTrackingStore)) test(law.name, law.run);
});
