import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Clients in other languages: they install what they need into a folder that is thrown away.
const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
  ...base,
  test: { ...test, include: ["test/**/*.interop.ts"], testTimeout: 900_000 },
});
