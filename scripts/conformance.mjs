// npm run conformance: Schemathesis sends valid and invalid requests to every route of the built server and checks the
// responses against the OpenAPI document: no 5xx; no undocumented status, header, body or method; no invalid request
// accepted; no resource available after its deletion.
//   --minutes N    how long to send random requests and sequences of them, after the systematic ones (2)
//   --seed N       repeats a run
//   --keyed        with a server that has keys: requests without a key, or with another one, must get 401
// Needs Python 3.11, and installs Schemathesis into node_modules/.cache. Connects only to 127.0.0.1.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { addressOf, COMMAND } from "../testing/src/spawn.mjs";

const SCHEMATHESIS = "schemathesis==4.32.5";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    seed: { type: "string", default: String(Math.trunc(Math.random() * 2 ** 31)) },
    keyed: { type: "boolean", default: false },
  },
});

// The document cannot express all conditions for valid requests: valid times, fields that depend on each other,
// existing resources.
const LEFT_OUT = ["positive_data_acceptance"];
// A server without keys requires none.
if (!values.keyed) LEFT_OUT.push("ignored_auth", "missing_required_header");
// Creating the first key makes the server require keys, and revoking the key of this run makes it refuse every request.
const KEYS = values.keyed ? "revoke_key" : "create_key";
// The systematic phase generates all combinations of a schema, and filter expressions are recursive: these routes get
// only random requests. test/fuzz has a grammar for expressions.
const RECURSIVE = "eval_results/(query|compare|slices|ranking|page|groups|export)$";

const home = mkdtempSync(join(tmpdir(), "assay-conformance-"));
// A list in a query that exceeds the document's limit may also exceed the maximum length of an address.
const REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "415", "422", "428", "429", "431", "5xx"];
writeFileSync(
  join(home, "schemathesis.toml"),
  `[checks.negative_data_rejection]\nexpected-statuses = ${JSON.stringify(REFUSALS)}\n`,
);
const server = spawn(process.execPath, [COMMAND, "serve", "--data", join(home, "data"), "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const url = await addressOf(server);
  const key = values.keyed ? await newKey(url) : undefined;
  const found = [
    await run(url, key, ["--phases", "examples,coverage", "--exclude-path-regex", RECURSIVE]),
    await run(url, key, ["--phases", "fuzzing,stateful", "--max-time", String(Number(values.minutes) * 60)]),
  ];
  const cases = found.reduce((sum, one) => sum + one.cases, 0);
  const failures = found.reduce((sum, one) => sum + one.failures, 0);
  console.log(`\n${cases.toLocaleString("en")} requests, ${failures} findings, seed ${values.seed}`);
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const { status } = await fetch(`${url}/v1/models`, { headers });
  if (status !== 200) throw new Error(`the server answers every request with status ${status}`);
  if (failures > 0 || found.some(({ code }) => code !== 0)) process.exitCode = 1;
} finally {
  server.kill();
  rmSync(home, { recursive: true, force: true });
}

/** Creates a key with all scopes. */
async function newKey(url) {
  const response = await fetch(`${url}/v1/keys`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "conformance", scopes: ["*"] }),
  });
  return (await response.json()).key;
}

/** Runs phases of Schemathesis, and returns how many requests it sent and how many failures it found. */
async function run(url, key, phases) {
  const args = ["run", `${url}/openapi.json`, "--checks", "all", "--exclude-checks", LEFT_OUT.join(",")];
  args.push("--seed", values.seed, "--request-timeout", "10", "--continue-on-failure", ...phases);
  args.push("--exclude-operation-id", KEYS);
  if (key !== undefined) args.push("--header", `Authorization: Bearer ${key}`);
  const child = spawn(schemathesis(), args, {
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PYTHONPATH: join(root, "scripts"), SCHEMATHESIS_HOOKS: "conformance_hooks" },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    process.stdout.write(piece);
    output += piece;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const [, cases = "0"] = /(\d+) generated/.exec(output) ?? [];
  const [, failures = "0"] = /(\d+) unique failures?/.exec(output) ?? [];
  return { code, cases: Number(cases), failures: Number(failures) };
}

/** The path of the program, which it installs on first use. */
function schemathesis() {
  const venv = join(root, "node_modules/.cache/schemathesis");
  const installed = join(venv, "installed");
  if (!existsSync(installed)) {
    execFileSync("python3", ["-m", "venv", venv], { stdio: "inherit" });
    execFileSync(join(venv, "bin/pip"), ["install", "--quiet", SCHEMATHESIS], { stdio: "inherit" });
    writeFileSync(installed, SCHEMATHESIS);
  }
  return join(venv, "bin/schemathesis");
}
