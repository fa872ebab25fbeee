import { defineConfig, type ViteUserConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Clients in other languages: they install what they need into a folder that is thrown away.
export default defineConfig(async (asked) => {
  const config: ViteUserConfig = await base(asked);
  const { projects: _, ...test } = config.test ?? {};
  return { ...config, test: { ...test, include: ["test/**/*.interop.ts"], testTimeout: 900_000 } };
});
