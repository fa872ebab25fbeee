// The README's example of an embedded server is the file beside this one. It compiles with the tests, and prints what
// the README says.

import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { folder } from "./folder.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the README contains the example with its output", async () => {
  const code = read("./embedding.ts");
  expect(read("../README.md")).toContain(`\`\`\`ts\n${code}\`\`\``);
  const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(
    ([, value]) => new Function(`return (${value})`)() as unknown,
  );
  vi.stubEnv("ASSAY_DATA", folder());
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import("./embedding.ts");
    expect(log.mock.calls.map(([first]) => first as unknown)).toEqual(said);
  } finally {
    vi.unstubAllEnvs();
    log.mockRestore();
  }
});
