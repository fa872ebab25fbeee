// `npm run shape`: checks that the tarballs to publish have the exports and types that their manifests declare.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { makeTarballs } from "./release.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");

/** The faults of a tarball, one per line. */
async function faultsOf({ name, path }) {
  const bytes = readFileSync(path);
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  // attw reads a package's exceptions, such as style sheets, from the working directory.
  const cwd = join(root, "packages", name.replace(/^@assay\//, ""));
  const args = [attw, path, "--profile", "esm-only", "--no-emoji", "--no-color"];
  const types = await promisify(execFile)(process.execPath, args, { cwd }).catch((error) => error);
  return [
    ...messages.map((message) => formatMessage(message, pkg)),
    ...(types instanceof Error ? [types.stdout || types.message] : []),
  ];
}

/** Checks all libraries, prints the result of each, and returns whether all passed. */
export async function hasShape(tarballs) {
  const waiting = tarballs.filter(({ isLibrary }) => isLibrary);
  let failed = 0;
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const faults = await faultsOf(one);
        console.log(`${faults.length === 0 ? "ok  " : "FAIL"} shape ${one.name}`);
        for (const fault of faults) console.log(fault);
        failed += faults.length === 0 ? 0 : 1;
      }
    }),
  );
  return failed === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = (await hasShape(await makeTarballs())) ? 0 : 1;
