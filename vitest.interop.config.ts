import { defineConfig, type ViteUserConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Tests with clients in other languages. They install their dependencies into a temporary folder.
export default defineConfig(async (asked) => {
  const config: ViteUserConfig = await base(asked);
  const { projects: _, ...test } = config.test ?? {};
  return { ...config, test: { ...test, include: ["test/**/*.interop.ts"], testTimeout: 900_000 } };
});
