// The content of an exported page: which rows, how much of outputs, and what is redacted.

import type { PageFileOptions } from "@assay/adapters-http/internal";
import type { FieldPath } from "@assay/query-lang";
import { readFieldPath } from "@assay/query-lang/internal";
import { EXIT, Failure } from "../../terminal/failure.ts";

const PARTS: readonly string[] = ["inputs", "outputs", "scores"];

/** Parses the user's choice. Fails with a hint at valid values. */
export function readContentChoice(outputs: string, redact: readonly string[]): PageFileOptions {
  return { outputs: readOutputs(outputs), redact: redact.map(readField) };
}

function readOutputs(text: string): PageFileOptions["outputs"] {
  if (text === "full" || text === "none") return text;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Failure(
    EXIT.usage,
    `--outputs: ${JSON.stringify(text)} is not full, none or a number of characters`,
  );
}

function readField(text: string): FieldPath {
  const read = readFieldPath(text);
  if (read.ok && read.value.length > 1 && PARTS.includes(read.value[0]!)) return read.value;
  throw new Failure(
    EXIT.usage,
    `--redact: ${JSON.stringify(text)} is not a field: give inputs.NAME, outputs.NAME or scores.NAME`,
  );
}
