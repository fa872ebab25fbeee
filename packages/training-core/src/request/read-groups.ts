// Reading trajectory groups: unknown JSON to trajectories, with every fault at its place.

import { bad, type Issue, type Json, ok, type Result } from "@assay/base";
import { type } from "arktype";
import type { Choice, Message, MessageHistory, Trajectory, TrajectoryGroup } from "../job/trajectory.ts";
import { issuesOf, MOST_ISSUES } from "./issues.ts";

// Entries are looked at one by one below: a schema of their union would say that neither fits, not what is wrong.
const history = type({ messages_and_choices: "object[]", "tools?": "unknown[] | null" });
const trajectory = history.and({
  reward: "number",
  "additional_histories?": history.array().or("null"),
  "metrics?": type({ "[string]": "number | boolean" }).or("null"),
});
const groupBody = type({ trajectories: trajectory.array(), "exceptions?": "unknown[] | null" });

const logprobs = type({ "content?": type({ token: "string", logprob: "number" }).array().or("null") });
const choice = type({
  finish_reason: "string",
  index: "number.integer >= 0",
  message: { role: "string" },
  "logprobs?": logprobs.or("null"),
});

/** What a group of trajectories looks like, as JSON Schema. */
export function groupSchema(): object {
  return groupBody.toJsonSchema();
}

/**
 * Reads trajectory groups, which stand under `trajectory_groups`. What a client sends beyond the known fields is
 * kept. Issues are `missing` and `type`, the first twenty of them.
 */
export function readGroups(raw: readonly unknown[]): Result<readonly TrajectoryGroup[]> {
  const issues: Issue[] = [];
  const groups: TrajectoryGroup[] = [];
  for (const [i, one] of raw.entries()) {
    if (issues.length >= MOST_ISSUES) break;
    const at = ["trajectory_groups", i];
    const read = groupBody(one);
    if (read instanceof type.errors) {
      issues.push(...issuesOf(read, at));
      continue;
    }
    const trajectories = read.trajectories.map((each): Trajectory => {
      const { additional_histories, metrics, ...rest } = each as unknown as Trajectory & LooseFields;
      return { ...rest, additional_histories: additional_histories ?? [], metrics: metrics ?? {} };
    });
    for (const [j, each] of trajectories.entries())
      issues.push(...trajectoryIssues(each, [...at, "trajectories", j]));
    groups.push({ ...read, trajectories, exceptions: (read.exceptions ?? []) as readonly Json[] });
  }
  return issues.length === 0 ? ok(groups) : bad(issues.slice(0, MOST_ISSUES));
}

/** What may be null, or absent, as clients send it. */
interface LooseFields {
  readonly additional_histories?: readonly MessageHistory[] | null;
  readonly metrics?: Trajectory["metrics"] | null;
}

function trajectoryIssues(one: Trajectory, at: Issue["path"]): readonly Issue[] {
  return [
    ...historyIssues(one, at),
    ...one.additional_histories.flatMap((each, i) => historyIssues(each, [...at, "additional_histories", i])),
  ];
}

function historyIssues(
  { messages_and_choices: entries }: MessageHistory,
  at: Issue["path"],
): readonly Issue[] {
  return entries.flatMap((entry, i) => entryIssues(entry, [...at, "messages_and_choices", i]));
}

function entryIssues(entry: Message | Choice, at: Issue["path"]): readonly Issue[] {
  if (Object.hasOwn(entry, "message")) {
    const read = choice(entry);
    return read instanceof type.errors ? issuesOf(read, at) : [];
  }
  if (typeof (entry as Message).role === "string") return [];
  const message =
    "neither a message, which has a role, nor a choice, which has a message and a finish_reason";
  return [{ code: "type", path: at, message }];
}
