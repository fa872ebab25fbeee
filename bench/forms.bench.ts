// What does constrained output cost (a JSON schema, a tool's arguments), compared with free output of the same model?
// Requests alternate over HTTP to the tiny model of the built server; each constrained answer must parse and match its
// schema before its time counts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf } from "../testing/src/spawn.mjs";
import { timingOf } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { program, progress } from "./program.ts";
import { ASSAY } from "./targets.ts";

const here = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(here, "../packages/cli/bundle/assay.js");
const DATA = "assay/tiny";
/** The number of answers of each kind: a thousand constrained ones in total. */
const ANSWERS = 500;

interface Answer {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
  }[];
  readonly usage: { readonly completion_tokens: number };
}

const SCHEMA = {
  type: "object",
  properties: {
    label: { enum: ["small", "medium", "large"] },
    score: { type: "integer", minimum: 0, maximum: 100 },
    sure: { type: "boolean" },
    why: { type: "string", maxLength: 20 },
  },
  required: ["label", "score", "sure", "why"],
  additionalProperties: false,
};

/** Whether a value matches the schema above, checked by hand; the model's own tests use an independent validator. */
function fits(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { label, score, sure, why, ...more } = value as { readonly [name: string]: unknown };
  return (
    Object.keys(more).length === 0 &&
    SCHEMA.properties.label.enum.includes(label as string) &&
    Number.isInteger(score) &&
    (score as number) >= 0 &&
    (score as number) <= 100 &&
    typeof sure === "boolean" &&
    typeof why === "string" &&
    [...why].length <= 20
  );
}

const KINDS = {
  free: { with: { max_tokens: 60 }, read: undefined },
  "JSON schema": {
    with: { response_format: { type: "json_schema", json_schema: { name: "judgement", schema: SCHEMA } } },
    read: ({ message }: Answer["choices"][number]) => message.content!,
  },
  "a tool's arguments": {
    with: {
      tools: [{ type: "function", function: { name: "judge", parameters: SCHEMA } }],
      tool_choice: "required",
    },
    read: ({ message }: Answer["choices"][number]) => message.tool_calls![0]!.function.arguments,
  },
} as const;

await program(async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const server = spawn(process.execPath, [COMMAND, "serve", "--data", directory, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(server);
    const perToken = new Map<string, number[]>(Object.keys(KINDS).map((kind) => [kind, []]));
    progress(`${ANSWERS} answers of each kind`);
    let fitted = 0;
    for (let seed = 0; seed < ANSWERS; seed++)
      for (const [kind, { with: options, read }] of Object.entries(KINDS)) {
        const started = performance.now();
        const answer = await ask(url, { ...options, seed, temperature: 1 });
        const taken = performance.now() - started;
        perToken.get(kind)!.push(taken / answer.usage.completion_tokens);
        if (read === undefined) continue;
        const text = read(answer.choices[0]!);
        if (!fits(JSON.parse(text))) throw new Error(`an answer does not match its schema: ${text}`);
        fitted++;
      }
    progress(`${fitted} constrained answers, all valid against their schema`);
    return [...perToken].map(
      ([kind, times]): Measurement => ({
        data: DATA,
        workload: `a token of an answer: ${kind}`,
        contender: ASSAY,
        unit: "ms",
        ...timingOf(times.slice(20)),
      }),
    );
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
    rmSync(directory, { recursive: true, force: true });
  }
});

async function ask(url: string, options: object): Promise<Answer> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "OpenAI-Project": "acme/bench" },
    body: JSON.stringify({
      model: "assay/tiny",
      messages: [{ role: "user", content: "How large is a house?" }],
      ...options,
    }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
