// assay watch: shows evaluations while they run.

import type { WatchedProgress } from "@assay/adapters-http/internal";
import { findServer, openDirectory } from "@assay/server/directory";
import { evaluationProgress } from "@assay/server/internal";
import { createParser } from "eventsource-parser";
import { runningVerdict } from "../../compare/running-verdict.ts";
import { checkDirectory, type OpenOptions } from "../../data/open-data.ts";
import { projectArgument } from "../../data/project-argument.ts";
import { remoteData, watchedEvents } from "../../data/remote-data.ts";
import { namedEvaluations } from "../../query/named-evaluations.ts";
import { statText } from "../../render/summary-table.ts";
import { type CliContext, info, messageLog, print, printJson } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";

/** What to watch. */
export interface WatchOptions extends OpenOptions {
  readonly project: string;
  /** Names or IDs of the evaluations. */
  readonly evaluations: readonly string[];
  /** Whether to wait for evaluations that do not exist yet. */
  readonly allowMissing: boolean;
}

/**
 * Shows the progress of evaluations until all have ended or it is told to stop: on a terminal in place, in a pipe as
 * one line of JSON per change. Without a server nothing can change, and the state is shown once. Returns the exit
 * code.
 */
export async function watchCommand(context: CliContext, options: WatchOptions): Promise<number> {
  const project = projectArgument(options.project);
  const address = await findServer(options.data);
  if (address === undefined) {
    checkDirectory(options.data);
    const data = await openDirectory(options.data, { tell: messageLog(context), orForReading: true });
    try {
      const evaluations = await namedEvaluations(data, project, options.evaluations, options.allowMissing);
      const show = showing(context, (progress) => runningVerdict(data, project, progress));
      const state = await evaluationProgress(data).progress(project, evaluations);
      await show(state.map((one) => ({ ...one, trials_per_second: 0 })));
      info(context, `no server has ${options.data} open, so nothing is running; start one with assay serve`);
      return EXIT.ok;
    } finally {
      await data.close();
    }
  }
  const data = remoteData(address, options.apiKey);
  const evaluations = await namedEvaluations(data, project, options.evaluations, options.allowMissing);
  const show = showing(context, (progress) => runningVerdict(data, project, progress));
  const events = watchedEvents(address, options.apiKey, project, evaluations, context.signal);
  const ready: (readonly WatchedProgress[])[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === "progress") ready.push(JSON.parse(data) as readonly WatchedProgress[]);
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of events) {
    parser.feed(decoder.decode(piece, { stream: true }));
    for (const progress of ready.splice(0)) await show(progress);
  }
  return EXIT.ok;
}

type Progress = readonly WatchedProgress[];

/** Shows one state after the other, on a terminal with the verdict so far. */
function showing(
  context: CliContext,
  verdict: (progress: Progress) => Promise<readonly string[]>,
): (progress: Progress) => Promise<void> {
  const { columns } = context.stdout;
  if (columns === undefined) return (progress) => printJson(context, progress, 0);
  let height = 0;
  return async (progress) => {
    // Cut, because a wrapped line takes two.
    const lines = [...progress.flatMap(linesOf), ...(await verdict(progress))].map((line) =>
      Array.from(line)
        .slice(0, columns - 1)
        .join(""),
    );
    // Moves up to where the last state started, and clears everything below.
    if (height > 0) context.stdout.stream.write(`\u001b[${height}F\u001b[J`);
    height = lines.length;
    await print(context, lines.join("\n"));
  };
}

function linesOf(of: WatchedProgress): readonly string[] {
  const { evaluation_call_id: id, display_name, started_at, ended_at, trial_count, trials_per_second } = of;
  const name = display_name === null || display_name === id ? id : `${display_name} (${id})`;
  const state = ended_at !== null ? "ended" : started_at !== null ? "running" : "not started";
  const rate = ended_at === null ? `, ${trials_per_second}/s` : "";
  const head = `${plainText(name)}: ${state}, ${trial_count.toLocaleString("en")} trials${rate}`;
  return [head, ...of.scorer_stats.map((stat) => `  ${plainText(statText(stat, trial_count))}`)];
}
