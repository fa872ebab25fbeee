// Follows logged runs and their values.

import { pause } from "@assay/base/internal";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../state/app.tsx";
import { type Api, projectPath } from "../api.ts";
import { type HistoryLine, type RunDetails, type RunHistory, stepOf } from "../run-answers.ts";
import { whileVisible } from "./while-visible.ts";

/** The number of lines per request. */
const LINES = 10_000;
/** The most lines of all runs together: the browser keeps them in memory. */
const MOST_LINES = 200_000;
const LOOK_AGAIN_MS = 2000;

/** What is known of a run. */
export interface FollowedRun {
  readonly name: string;
  readonly run: RunDetails | undefined;
  readonly lines: readonly HistoryLine[];
  /** Whether it has more lines than are kept. */
  readonly isCut: boolean;
  readonly error: Error | undefined;
}

/** Runs of a project and their logged values, followed while they run and the page is visible. */
export function useRuns(project: string, names: readonly string[]): readonly FollowedRun[] {
  const { api } = useApp();
  const [runs, setRuns] = useState<readonly FollowedRun[]>(() =>
    names.map((name) => ({ name, run: undefined, lines: [], isCut: false, error: undefined })),
  );
  useEffect(() => {
    const most = Math.floor(MOST_LINES / names.length);
    const ends = names.map((name) => {
      const path = `${projectPath(project)}/runs/${encodeURIComponent(name)}`;
      return follow(api, path, most, (news) =>
        setRuns((before) => before.map((one) => (one.name === name ? { ...one, ...news } : one))),
      );
    });
    return () => {
      for (const end of ends) end();
    };
  }, [project, names.join("/")]);
  return runs;
}

/** Follows the run at a path until it ends, or has `most` lines. Returns a function that stops it. */
function follow(
  api: Api,
  path: string,
  most: number,
  show: (news: Partial<FollowedRun>) => void,
): () => void {
  const lines: HistoryLine[] = [];
  let from = 0;
  return whileVisible(async (signal) => {
    try {
      for (;;) {
        // Before its lines: anything logged in between is requested the next time.
        const run = await api.json<RunDetails>(path, { signal });
        let more = true;
        while (more && lines.length < most) {
          const asked = `${path}/history?limit=${LINES}&min_step=${from}`;
          const { history, next_step } = await api.json<RunHistory>(asked, { signal });
          lines.push(...history);
          const last = lines.length - 1;
          from = next_step ?? (last < 0 ? 0 : stepOf(lines[last]!, last) + 1);
          more = next_step !== null;
        }
        const isFull = lines.length >= most;
        const isCut = isFull && run.history_lines > lines.length;
        show({ run, lines: [...lines], isCut, error: undefined });
        if (run.state !== "running" || isFull) return true;
        await pause(LOOK_AGAIN_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) show({ error: error as Error });
      throw error;
    }
  });
}
