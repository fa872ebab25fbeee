// Follows running evaluations over one stream, which is open while the page is visible. A broken stream is reopened
// after increasing pauses.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../state/app.tsx";
import type { ListedEvaluation } from "../answers.ts";
import { projectPath } from "../api.ts";
import { serverSentEvents } from "../server-sent-events.ts";
import { whileVisible } from "./while-visible.ts";

/** The progress of an evaluation. */
export interface Progress {
  readonly evaluation_call_id: string;
  readonly ended_at: string | null;
  readonly trial_count: number;
  readonly trials_per_second: number;
}

/** The progress of those of `ids` that had not ended when they were listed, by ID. */
export function useWatched(
  project: string,
  listed: readonly ListedEvaluation[],
  ids: readonly string[],
): ReadonlyMap<string, Progress> {
  const { api, file } = useApp();
  const running = listed
    .filter(({ id, ended_at }) => ended_at === null && ids.includes(id))
    .map(({ id }) => id);
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map());
  const key = running.join(" ");
  useEffect(() => {
    if (key === "" || file.value !== undefined) return undefined;
    const parameters = running.map((id) => `evaluation=${encodeURIComponent(id)}`).join("&");
    const path = `${projectPath(project)}/eval_results/watch?${parameters}`;
    return whileVisible(async (signal) => {
      const response = await api.open(path, { signal, headers: { Accept: "text/event-stream" } });
      let ended = false;
      for await (const { event, data } of serverSentEvents(response)) {
        if (event === "end") ended = true;
        if (event !== "progress") continue;
        const told = JSON.parse(data) as readonly Progress[];
        setProgress(new Map(told.map((one) => [one.evaluation_call_id, one])));
      }
      return ended;
    });
  }, [project, key]);
  return progress;
}
