// The progress of a running job: a bar and the newest metrics on a terminal, a line for each event anywhere else.

import { numberText } from "@assay/eval-engine/words";
import type { EventInfo } from "../../clients/training-client.ts";
import { type CliContext, log } from "../../terminal/cli-context.ts";
import { plainText } from "../../terminal/plain-text.ts";
import { progressBar } from "../../terminal/progress-bar.ts";
import { numbersOf } from "./metric-history.ts";

/** A display of one job, until it is stopped. */
export interface ShownJob {
  /** Shows an event. */
  show(event: EventInfo): void;
  stop(): void;
}

/** The number of metrics on a line. */
const MOST_METRICS = 4;

/** Shows a job on stderr. */
export async function showJob(context: CliContext): Promise<ShownJob> {
  return context.stderr.columns === undefined ? jobLines(context) : jobBar(context);
}

function jobLines(context: CliContext): ShownJob {
  let [step, total] = [0, 0];
  return {
    show({ type, data }) {
      if (type === "training_started") total = Number(data["num_sequences"]);
      if (type === "gradient_step") step++;
      const line =
        type === "gradient_step" ? `step ${step} of ${total}: ${metricsText(data)}` : eventText(type, data);
      if (line !== undefined) log(context, line);
    },
    stop() {},
  };
}

async function jobBar(context: CliContext): Promise<ShownJob> {
  const bar = await progressBar(context, "{bar} {value}/{total} steps | {metrics}");
  let drawn = false;
  const stop = () => {
    if (drawn) bar.stop();
    drawn = false;
  };
  let step = 0;
  return {
    show({ type, data }) {
      if (type === "training_started") {
        bar.start(Number(data["num_sequences"]), step, { metrics: "" });
        drawn = true;
      } else if (type === "gradient_step") {
        bar.update(++step, { metrics: metricsText(data) });
      } else {
        const line = eventText(type, data);
        if (line === undefined) return;
        stop();
        log(context, line);
      }
    },
    stop,
  };
}

/** The line for each event other than a step; some events have none. */
function eventText(type: string, data: EventInfo["data"]): string | undefined {
  switch (type) {
    case "submitted":
      return "queued";
    case "claimed":
      return Number(data["attempt"]) > 1
        ? `taken by a worker again, attempt ${data["attempt"]}`
        : "taken by a worker";
    case "training_started":
      return `training: ${data["num_sequences"]} steps`;
    case "resumed":
      return "training goes on";
    case "warning":
      return `warning (${plainText(String(data["code"]))}): ${plainText(String(data["message"]))}`;
    case "requeued":
      return `queued again: ${plainText(String(data["error_message"]))}`;
    case "cancel_requested":
      return "cancelling";
    default:
      return undefined;
  }
}

/** The most important metrics, as many as fit. */
function metricsText(data: EventInfo["data"]): string {
  return numbersOf(data)
    .slice(0, MOST_METRICS)
    .map(([name, value]) => `${plainText(name)} ${numberText(value)}`)
    .join(", ");
}
