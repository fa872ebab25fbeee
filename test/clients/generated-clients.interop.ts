// Clients that third-party generators make from the served OpenAPI document: each has every operation, compiles or
// imports completely, and gets correct answers from the built command.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { evaluationCalls } from "@assay/calls/testing";
import { pythonWith } from "@assay/testing/python";
import { type AssayServer, startAssay } from "@assay/testing/server";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WITH_HEY_API, WITH_OPENAPI_FETCH } from "./asks.ts";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const home = mkdtempSync(join(tmpdir(), "assay-clients-"));
const document = join(home, "openapi.json");
let server: AssayServer;
let operations: readonly string[];

beforeAll(async () => {
  server = await startAssay(join(home, "data"));
  const calls = [...evaluationCalls("a", [true, false, true]), ...evaluationCalls("b", [true, true, true])];
  const imported = await fetch(`${server.url}/v2/acme/demo/calls/import`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: calls.map((call) => JSON.stringify(call)).join("\n"),
  });
  expect(imported.status).toBe(200);
  const text = await (await fetch(`${server.url}/openapi.json`)).text();
  writeFileSync(document, text);
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { readonly operationId: string }>>;
  };
  operations = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(new Set(operations.map(plain)).size).toBe(operations.length);
});

afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true, force: true });
});

const ANSWERED = { health: "ok", projects: ["demo"], rows: [3, 2], verdict: "inconclusive" };

test("in TypeScript: openapi-typescript with openapi-fetch, and @hey-api/openapi-ts", async ({ skip }) => {
  const folder = join(home, "typescript");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  const packages = [
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    // The last version that supports this repository's minimum Node.js.
    "@hey-api/openapi-ts@0.95.0",
    // Both generators use the compiler, and do not support this repository's version of it.
    "typescript@5.9.3",
    "@types/node@20.19.8",
  ];
  try {
    await run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  } catch {
    return skip(`skipped, because npm cannot install ${packages.join(" ")}`);
  }
  const tool = (name: string, ...args: string[]) =>
    run(join(folder, "node_modules/.bin", name), args, { cwd: folder });
  // Properties with a default are optional in requests.
  await tool("openapi-typescript", document, "--output", "schema.d.ts", "--default-non-nullable", "false");
  await tool("openapi-ts", "--input", document, "--output", "hey", "--client", "@hey-api/client-fetch");

  const typed = /^export interface operations \{\n([\s\S]*?)^\}/m.exec(
    readFileSync(join(folder, "schema.d.ts"), "utf8"),
  )![1]!;
  expect(leftOut(typed.matchAll(/^ {4}(\w+): \{/gm))).toEqual([]);
  const functions = readFileSync(join(folder, "hey/sdk.gen.ts"), "utf8");
  expect(leftOut(functions.matchAll(/^export const (\w+) =/gm))).toEqual([]);

  writeFileSync(join(folder, "fetch.ts"), WITH_OPENAPI_FETCH);
  writeFileSync(join(folder, "functions.ts"), WITH_HEY_API);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: "es2022", lib: ["es2023", "dom", "dom.iterable"] },
    ...{ module: "esnext", moduleResolution: "bundler", types: ["node"] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const { stdout: errors } = await tool("tsc", "--project", ".").catch((ended: { stdout: string }) => ended);
  expect(errors).toBe("");
  for (const name of ["fetch", "functions"]) {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [join(folder, `${name}.ts`)],
      ...{ outfile, bundle: true, format: "esm", platform: "node" },
    });
    const { stdout } = await run(process.execPath, [outfile, server.url]);
    expect([name, JSON.parse(stdout)]).toEqual([name, ANSWERED]);
  }
});

test("in Python: openapi-python-client", async ({ skip }) => {
  const { python, reason, remove, folder } = await pythonWith({
    packages: ["openapi-python-client==0.29.1"],
    variable: "ASSAY_OPENAPI_PYTHON",
  });
  try {
    if (python === undefined) return skip(`skipped, because ${reason}`);
    const made = join(folder, "made");
    mkdirSync(made);
    // The generator supports these types only as bytes.
    const bytes = [
      "application/x-ndjson",
      "application/jsonl",
      "application/x-tar",
      "application/x-protobuf",
    ];
    const overrides = Object.fromEntries(bytes.map((type) => [type, "application/octet-stream"]));
    writeFileSync(join(folder, "config.json"), JSON.stringify({ content_type_overrides: overrides }));
    const { stdout, stderr } = await run(python, [
      ...["-m", "openapi_python_client", "generate", "--path", document, "--meta", "none"],
      ...["--config", join(folder, "config.json"), "--output-path", join(made, "assay_client")],
    ]);
    expect(stdout + stderr).not.toMatch(/Unable to|will not be generated/);
    const files = readdirSync(join(made, "assay_client/api"), { recursive: true, encoding: "utf8" });
    expect(leftOut(files.map((file) => ["", basename(file, ".py")]))).toEqual([]);
    const asked = await run(python, [path("python_client.py"), made, server.url]);
    expect(JSON.parse(asked.stdout)).toEqual(ANSWERED);
  } finally {
    await remove();
  }
});

test("in Python: openapi-generator", async ({ skip }) => {
  try {
    await run("java", ["-version"]);
  } catch {
    return skip("skipped, because java is not installed");
  }
  const { python, reason, remove, folder } = await pythonWith({
    packages: [
      "openapi-generator-cli==7.26.0",
      ...["pydantic==2.14.3", "urllib3==2.8.0", "python-dateutil==4.0.0", "typing-extensions==4.16.0"],
    ],
    variable: "ASSAY_GENERATOR_PYTHON",
  });
  try {
    if (python === undefined) return skip(`skipped, because ${reason}`);
    const made = join(folder, "made");
    await run(join(dirname(python), "openapi-generator-cli"), [
      ...["generate", "--generator-name", "python"],
      ...["--input-spec", document, "--output", made, "--package-name", "assay_generated"],
    ]);
    const api = join(made, "assay_generated/api");
    const code = readdirSync(api).map((file) => readFileSync(join(api, file), "utf8"));
    expect(leftOut(code.join("\n").matchAll(/^ {4}def (\w+)\(/gm))).toEqual([]);
    const asked = await run(python, [path("generated_client.py"), made, server.url]);
    expect(JSON.parse(asked.stdout)).toEqual(ANSWERED);
  } finally {
    await remove();
  }
});

/** The operations that the generated names lack, regardless of the generator's naming style. */
function leftOut(found: Iterable<readonly string[]>): readonly string[] {
  const names = new Set(Array.from(found, ([, name]) => plain(name!)));
  return operations.filter((operation) => !names.has(plain(operation)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
