// The calls and dataset rows of some evaluations for a file to share: only the chosen rows, with the requested outputs,
// and without redacted values.

import type { PageFileOptions } from "@assay/adapters-http/internal";
import { Fault, type Json, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { isPredictAndScore, rowIdOf } from "@assay/calls";
import type { CountedEvaluation } from "@assay/eval-engine";
import type { FieldPath } from "@assay/query-lang";
import type { DataAccess } from "../data/data-access.ts";
import type { KeptTrials } from "./filtered-trials.ts";
import { type LoggedCall, Redaction } from "./redaction.ts";
import { truncatedCall, truncatedTrial } from "./truncate-outputs.ts";

/** What to export. */
export interface ContentOf {
  /** The project of the evaluations. */
  readonly project: string;
  /** The evaluations. */
  readonly evaluations: readonly CountedEvaluation[];
  /** Which outputs to include, and what to redact. */
  readonly choice: PageFileOptions;
  /** The trials to keep; undefined keeps all. */
  readonly kept: ReadonlyMap<string, KeptTrials> | undefined;
}

/** The content, as lines of JSON. */
export interface Content {
  /** The evaluations, with counts of their kept rows and trials. */
  readonly evaluations: readonly CountedEvaluation[];
  /** Read these before the calls. */
  readonly rows: AsyncIterable<Uint8Array>;
  /** Read these after the rows. */
  readonly calls: AsyncIterable<Uint8Array>;
  /** After both were read: the redacted fields that did not occur. */
  untouched(): readonly FieldPath[];
}

/** Selects the content. */
export async function chosenContent(
  data: Pick<DataAccess, "exportLines">,
  { project, evaluations, choice, kept }: ContentOf,
): Promise<Content> {
  const ids = evaluations.map(({ id }) => id);
  const lines = (kind: "calls" | "rows") => data.exportLines(project, kind, ids);
  if (kept === undefined && choice.outputs === "full" && choice.redact.length === 0)
    return { evaluations, rows: lines("rows"), calls: lines("calls"), untouched: () => [] };
  const roots = new Set(ids);
  const redaction = choice.redact.length === 0 ? undefined : new Redaction(choice.redact);
  const referred = kept === undefined ? undefined : await rowsOf(keptCalls(lines("calls"), roots, kept));
  return {
    untouched: () => redaction?.untouched() ?? [],
    evaluations: evaluations.map((one) => {
      const of = kept?.get(one.id);
      return kept === undefined ? one : { ...one, rows: of?.rows ?? 0, trials: of?.trials.size ?? 0 };
    }),
    rows: written(parsed(lines("rows")), function* (row) {
      if (referred === undefined || referred.has(String(row["digest"]))) yield redaction?.row(row) ?? row;
    }),
    calls: written(keptCalls(lines("calls"), roots, kept), function* (call) {
      const own = roots.has(String(call["id"]));
      const isTrial = !own && isTrialCall(call);
      const redacted = own ? call : ((isTrial ? redaction?.trial(call) : redaction?.call(call)) ?? call);
      if (own) yield redacted;
      else yield isTrial ? truncatedTrial(redacted, choice.outputs) : truncatedCall(redacted, choice.outputs);
    }),
  };
}

function isTrialCall(call: LoggedCall): boolean {
  return isPredictAndScore({ op_name: String(call["op_name"]) });
}

/** The lines without trials that are not kept and the calls below them. Parents must come before their children. */
async function* keptCalls(
  lines: AsyncIterable<Uint8Array>,
  roots: ReadonlySet<string>,
  kept: ReadonlyMap<string, KeptTrials> | undefined,
): AsyncGenerator<LoggedCall> {
  const left = new Set<string>();
  for await (const call of parsed(lines)) {
    const [id, parent] = [String(call["id"]), String(call["parent_id"])];
    const dropped =
      left.has(parent) ||
      (roots.has(parent) && isTrialCall(call) && kept?.get(parent)?.trials.has(id) !== true);
    if (kept !== undefined && dropped) left.add(id);
    else yield call;
  }
}

/** The IDs of the dataset rows that the calls refer to. */
async function rowsOf(calls: AsyncIterable<LoggedCall>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { inputs } of calls) {
    const example =
      typeof inputs === "object" && inputs !== null ? (inputs as LoggedCall)["example"] : undefined;
    const id = rowIdOf(example ?? null);
    if (id !== undefined) found.add(id);
  }
  return found;
}

async function* parsed(lines: AsyncIterable<Uint8Array>): AsyncGenerator<LoggedCall> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const bytes of lines) {
    const texts = (begun + decoder.decode(bytes, { stream: true })).split("\n");
    begun = texts.pop()!;
    for (const text of texts) if (text !== "") yield objectOf(text);
  }
  if (begun !== "") yield objectOf(begun);
}

function objectOf(text: string): LoggedCall {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null) return value as { readonly [key: string]: Json };
  throw new Fault("corrupt", "a line of the export is not an object");
}

// The number of characters per write.
const PIECE = 256 * 1024;

async function* written(
  items: AsyncIterable<LoggedCall>,
  kept: (item: LoggedCall) => Iterable<LoggedCall>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  for await (const item of items) {
    for (const one of kept(item)) text += `${jsonText(one)}\n`;
    if (text.length < PIECE) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}
