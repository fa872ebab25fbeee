// Writes an import: dataset rows and calls as lines of JSON. The root call of an evaluation comes last, after
// everything below it, so an interrupted import leaves no evaluation behind. Importing again writes the same calls with
// the same ids.

import { jsonText } from "@assay/base";
import type { CallLines, RecordLines, WrittenTrials } from "@assay/calls";
import { DIGEST_LENGTH } from "@assay/calls/internal";
import { ByteWriter } from "../collections/byte-writer.ts";
import { groupBy } from "../collections/group-by.ts";
import type { Spool } from "../spool/spool.ts";
import { spooledRows } from "../spool/spooled-trials.ts";
import type { PlannedEvaluation } from "../trials/planned-evaluation.ts";
import { EvaluationWriter } from "./evaluation-writer.ts";
import type { ImportTarget } from "./import-target.ts";
import { type ProjectDirections, projectDirections } from "./project-directions.ts";
import type { ImportUnit } from "./scan.ts";

const CLOSE = 0x7d;
const encoder = new TextEncoder();
const [DIGEST, VALUE] = [encoder.encode('{"digest":"'), encoder.encode('","val":')];

/** The data to write to a project, as lines of JSON; each piece has complete lines. */
export interface ProjectLines extends ProjectDirections {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Dataset rows, `{"digest", "ref", "val"}`. Write them first. */
  rows(): AsyncGenerator<RecordLines>;
  /** The calls of the trials. */
  trials(): AsyncGenerator<CallLines>;
  /** The root calls of the evaluations. Write them last. */
  roots(): Uint8Array<ArrayBuffer>;
  /** The evaluations, for callers that need more about their trials than lines. */
  readonly evaluations: readonly WrittenEvaluation[];
}

/** An evaluation to write. */
export interface WrittenEvaluation {
  /** Its entry in the plan. */
  readonly planned: PlannedEvaluation;
  /** The files that it is read from: one list for all evaluations in them. */
  readonly paths: readonly string[];
  /** The reference of its dataset. */
  readonly dataset: string;
  /** Bytes spooled for its trials. */
  readonly size: number;
  /** The data of its trials' calls, in order. */
  readonly written: () => WrittenTrials;
}

/** The data to write, by project. */
export function importLines(
  units: readonly ImportUnit[],
  spool: Spool,
  target: ImportTarget,
): readonly ProjectLines[] {
  const pathsOf = new Map(units.map((unit) => [unit, unit.files.map(({ path }) => path)]));
  const writers = units.flatMap((unit) =>
    unit.evaluations.map((evaluation) => new EvaluationWriter(unit, evaluation, target)),
  );
  const projects = groupBy(writers, ({ project }) => project);
  return Array.from(projects, ([project, of]) => ({
    project,
    ...projectDirections(of.map(({ evaluation }) => evaluation.planned)),
    async *rows() {
      // The version of a dataset is the digest of its rows.
      for (const [first] of groupBy(of, ({ dataset }) => dataset).values()) yield* rowsOf(spool, first!);
    },
    async *trials() {
      for (const writer of of) yield* writer.trials(spool);
    },
    roots: () => encoder.encode(of.map((writer) => `${jsonText(writer.root())}\n`).join("")),
    evaluations: of.map((writer) => ({
      planned: writer.evaluation.planned,
      paths: pathsOf.get(writer.unit)!,
      dataset: writer.dataset,
      size: spool.sizeOf(writer.evaluation.trials),
      written: () => writer.written(spool),
    })),
  }));
}

/** The rows of an evaluation. Others of the same dataset have the same ones. */
async function* rowsOf(spool: Spool, writer: EvaluationWriter): AsyncGenerator<RecordLines> {
  const { unit, evaluation, rowReferences: names } = writer;
  const ref = encoder.encode(`","ref":${JSON.stringify(names).slice(0, -1)}`);
  let next = 0;
  // The bytes of each row in addition to its value.
  const more = DIGEST.length + ref.length + VALUE.length + 2 * DIGEST_LENGTH + 2;
  for await (const texts of spool.read(unit.rowTexts)) {
    let [size, ahead] = [0, next];
    for (const [start, end] of spooledRows(texts))
      if (evaluation.rows.has(ahead++)) size += more + end - start;
    const rows = new ByteWriter(size);
    const spans: number[] = [];
    for (const [start, end] of spooledRows(texts)) {
      const row = next++;
      if (!evaluation.rows.has(row)) continue;
      const digest = unit.rows.digestNumber(row);
      rows.write(DIGEST);
      unit.rows.writeDigest(rows, digest);
      rows.write(ref);
      spans.push(rows.size);
      unit.rows.writeDigest(rows, digest);
      spans.push(rows.size);
      rows.write(VALUE);
      rows.copy(texts, start, end);
      rows.byte(CLOSE);
      spans.push(rows.size);
      rows.newline();
    }
    if (rows.size > 0) yield { bytes: rows.finish(), names, spans: Uint32Array.from(spans) };
  }
}
