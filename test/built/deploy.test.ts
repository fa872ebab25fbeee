// Runs what `deploy/` configures: the command, with the arguments and variables of each file, responds at the probed
// paths and requires the key. If systemd is installed, it verifies the unit.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const FOLDER = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

interface Way {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The paths of the health checks. */
  readonly probed: readonly string[];
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

const WAYS: Readonly<Record<string, Way>> = {
  Dockerfile: fromDockerfile(read("Dockerfile")),
  "kubernetes.yaml": fromKubernetes(read("kubernetes.yaml")),
  "assay.service": fromUnit(read("assay.service")),
};

function fromDockerfile(text: string): Way {
  const [, variables = ""] = /^ENV (.*)$/m.exec(text) ?? [];
  return {
    args: JSON.parse(/^CMD (\[.*\])$/m.exec(text)![1]!) as string[],
    env: Object.fromEntries(variables.split(" ").map((pair) => pair.split("=") as [string, string])),
    probed: [/127\.0\.0\.1:7777(\/[\w/]+)/.exec(text)![1]!],
  };
}

function fromKubernetes(text: string): Way {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);
  const deployment = documents.find(({ kind }) => kind === "Deployment") as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
  };
  const { args, env, livenessProbe, readinessProbe } = deployment.spec.template.spec.containers[0]!;
  expect(env.map(({ name }) => name)).toEqual(["ASSAY_API_KEY"]);
  return { args, env: {}, probed: [livenessProbe.httpGet.path, readinessProbe.httpGet.path] };
}

function fromUnit(text: string): Way {
  const [, command = ""] = /^ExecStart=\/usr\/bin\/env assay (.*)$/m.exec(text) ?? [];
  return { args: command.split(" "), env: {}, probed: ["/v1/health"] };
}

describe.each(Object.entries(WAYS))("%s", (_name, { args, env, probed }) => {
  test("runs a healthy server that requires the key", async () => {
    const directory = mkdtempSync(join(tmpdir(), "assay-deploy-"));
    const at = args.indexOf("--data");
    const where = at === -1 ? args : args.with(at + 1, join(directory, "data"));
    const child = spawn(process.execPath, [COMMAND, ...where, "--port", "0"], {
      env: { PATH: "", ...env, ASSAY_DATA: join(directory, "data"), ASSAY_API_KEY: "a key of its own" },
      cwd: directory,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const port = await portSaid(child.stdout);
      for (const path of probed)
        expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
      expect((await fetch(`http://127.0.0.1:${port}/v1/models`)).status).toBe(401);
    } finally {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

async function portSaid(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of output) {
    text += String(piece);
    const [, port] = /answers at http:\/\/[^:]+:(\d+)/.exec(text) ?? [];
    if (port !== undefined) return port;
  }
  throw new Error(`the server exited with: ${text}`);
}

test("compose names the store in the command's format, and contains no secret", () => {
  const { services } = parse(read("compose.yaml")) as {
    readonly services: { readonly assay: { readonly environment: Readonly<Record<string, string>> } };
  };
  const { ASSAY_API_KEY, ASSAY_STORE } = services.assay.environment;
  expect(ASSAY_API_KEY).toMatch(/^\$\{ASSAY_API_KEY:\?/);
  const store = new URL(ASSAY_STORE!.replace(/\$\{[^}]*\}/, "password").replace("clickhouse:", "http:"));
  expect([store.hostname, store.port, store.pathname]).toEqual(["clickhouse", "8123", "/assay"]);
});

test("systemd accepts the unit", ({ skip }) => {
  const { error, stderr } = spawnSync(
    "systemd-analyze",
    ["verify", "--man=no", join(FOLDER, "assay.service")],
    {
      encoding: "utf8",
    },
  );
  if (error !== undefined) skip("systemd is not installed");
  expect(stderr.trim()).toBe("");
});
