// A command that waits for a pipe or standard input stops on a signal; an import keeps what it has read.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { expect, onTestFinished, test } from "vitest";

const P = "acme/demo";

function world() {
  const folder = mkdtempSync(join(tmpdir(), "assay-pipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, "pipe.json");
  execFileSync("mkfifo", [pipe]);
  return { pipe, data: join(folder, "data"), scratch: folder };
}

/** Opens a pipe for writing once a process reads it. */
async function writing(pipe: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Starts the command; `end` sends it a signal, and returns how it ended, and the signal if it had to be killed. */
function started(args: readonly string[], env: { readonly [name: string]: string } = {}) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      output[name] += piece;
    });
  return {
    stdin: child.stdin,
    async end(signal: "SIGTERM" | "SIGINT") {
      const closed = once(child, "close");
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
      const [exitCode, killedBy] = await closed;
      clearTimeout(late);
      return { exitCode, killedBy, ...output };
    },
  };
}

const COMMANDS: readonly (readonly [string, (pipe: string, data: string) => readonly string[]])[] = [
  ["import", (pipe, data) => ["import", P, pipe, "--data", data]],
  ["import of rows", (pipe, data) => ["import", P, "--rows", pipe, "--data", data]],
  ["query", (pipe, data) => ["query", P, pipe, "--data", data]],
  ["config", (pipe, data) => ["config", "--config", pipe, "--data", data]],
  ["serve with engines", (pipe, data) => ["serve", "--port", "0", "--upstreams", pipe, "--data", data]],
  ["serve with trainers", (pipe, data) => ["serve", "--port", "0", "--training", pipe, "--data", data]],
];

test.skipIf(process.platform === "win32").each(COMMANDS)(
  "%s ends at SIGINT and SIGTERM while it waits for a pipe",
  async (_, args) => {
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
    ] as const) {
      const { pipe, data } = world();
      const command = started(args(pipe, data));
      const writer = await writing(pipe);
      const { exitCode, killedBy, stderr } = await command.end(signal);
      await writer.close();
      expect([exitCode, killedBy], stderr).toEqual([code, null]);
      expect(stderr).not.toContain("a bug in assay");
    }
  },
);

test.skipIf(process.platform === "win32").each(["a pipe", "standard input"])(
  "an interrupted import of %s keeps the lines that it has read, and no partial line",
  async (source) => {
    const { pipe, data, scratch } = world();
    const lines = evaluationLines("e", Array(2000).fill(true));
    const text = `${lines.join("\n")}\n{"id": "half of a li`;
    const command = started(["import", P, source === "a pipe" ? pipe : "-", "--data", data], {
      TMPDIR: scratch,
    });
    // A pipe buffers 64 KiB: once everything is written, all but the last 64 KiB have been read.
    if (source === "a pipe") {
      const writer = await open(pipe, "w");
      onTestFinished(() => writer.close());
      await writer.writeFile(text);
    } else await new Promise<void>((resolve) => void command.stdin.write(text, () => resolve()));
    const { exitCode, stdout, stderr } = await command.end("SIGTERM");
    expect([exitCode, stderr]).toEqual([
      143,
      expect.stringMatching(/^assay: stopping\nassay: interrupted.*\n$/),
    ]);
    const imported = Number(/imported ([\d,]+) calls/.exec(stdout)?.[1]?.replace(",", ""));
    expect(imported).toBeGreaterThan(1000);
    const exported = await assay(["export", P, "--data", data]);
    expect(exported.stdout.trimEnd().split("\n").length).toBe(imported);
    // No temporary files remain.
    expect(readdirSync(scratch).sort()).toEqual(["data", "pipe.json"]);
  },
);
