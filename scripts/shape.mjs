// `npm run shape`: checks that the tarballs to publish have the exports and types that their manifests declare.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { makeTarballs } from "./release.mjs";

/** Resolutions that cannot find packages of ES modules. */
const IGNORED = ["node10", "node16-cjs"];

/** The faults of a tarball, one per line. */
async function faultsOf({ path }) {
  const bytes = new Uint8Array(readFileSync(path));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(bytes), {
    excludeEntrypoints: [/\.css$/],
  });
  return [
    ...messages.map((message) => formatMessage(message, pkg)),
    ...(types ? [] : ["it has no types"]),
    ...problems
      .filter(({ resolutionKind }) => !IGNORED.includes(resolutionKind))
      .map((problem) => JSON.stringify(problem)),
  ];
}

/** Checks all libraries, prints the result of each, and returns whether all passed. */
export async function hasShape(tarballs) {
  let failed = 0;
  for (const tarball of tarballs.filter(({ isLibrary }) => isLibrary)) {
    const faults = await faultsOf(tarball);
    console.log(`${faults.length === 0 ? "ok  " : "FAIL"} shape ${tarball.name}`);
    for (const fault of faults) console.log(fault);
    failed += faults.length === 0 ? 0 : 1;
  }
  return failed === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = (await hasShape(await makeTarballs())) ? 0 : 1;
