// Reads trajectory groups: unknown JSON to trajectories, with the position of every issue.

import { bad, type Issue, type Json, ok, type Result, type Steps } from "@assay/base";
import { jsonSchemaOf, lazySchemas } from "@assay/base/internal";
import { type } from "arktype";
import type { Choice, Message, MessageHistory, Trajectory, TrajectoryGroup } from "../../job/trajectory.ts";
import { Finite } from "./finite.ts";
import { MOST_ISSUES, readTyped, readTypedObject } from "./issues.ts";

const schemas = lazySchemas(() => {
  // The published schema. Entries are checked one by one below: a schema of their union would report that neither
  // alternative matches. Members with a default are optional, because clients with compact dumps leave them out.
  const history = type({ "messages_and_choices?": "object[]", "tools?": "unknown[] | null" });
  const trajectory = history.and({
    "reward?": Finite(),
    "additional_histories?": history.array().or("null"),
    "metrics?": type({ "[string]": Finite().or("boolean") }).or("null"),
  });
  const groupBody = type({ trajectories: trajectory.array(), "exceptions?": "unknown[] | null" });

  const tokenBody = type({ token: "string", logprob: Finite() });

  // The same, with every long list left to be read record by record.
  const looseGroup = type({ trajectories: "unknown[]", "exceptions?": "unknown[] | null" });
  const looseHistory = type({ "messages_and_choices?": "unknown[]", "tools?": "unknown[] | null" });
  const looseTrajectory = looseHistory.and({
    "reward?": Finite(),
    "additional_histories?": "unknown[] | null",
    "metrics?": type({ "[string]": Finite().or("boolean") }).or("null"),
  });
  const looseChoice = type({
    finish_reason: "string",
    index: "number.integer >= 0",
    message: { role: "string" },
    "logprobs?": type({ "content?": "unknown[] | null" }).or("null"),
  });
  const entryBody = type("object");
  return { groupBody, tokenBody, looseGroup, looseHistory, looseTrajectory, looseChoice, entryBody };
});

/** The JSON Schema of a group of trajectories. */
export function groupSchema(): object {
  return jsonSchemaOf(schemas().groupBody);
}

/**
 * Reads trajectory groups, at the path `trajectory_groups`. Unknown fields are kept; a missing reward is 0. Issues are
 * `missing` and `type`, the first twenty of them.
 */
export function* readGroups(raw: readonly unknown[]): Steps<Result<readonly TrajectoryGroup[]>> {
  const issues: Issue[] = [];
  const groups: TrajectoryGroup[] = [];
  for (const [i, one] of raw.entries()) {
    const group = yield* readGroup(one, ["trajectory_groups", i], issues);
    if (group !== undefined) groups.push(group);
    if (issues.length >= MOST_ISSUES) break;
    yield;
  }
  return issues.length === 0 ? ok(groups) : bad(issues.slice(0, MOST_ISSUES));
}

/** A group; undefined if it is invalid. Adds its faults to `issues`, each once. */
function* readGroup(raw: unknown, at: Issue["path"], issues: Issue[]): Steps<TrajectoryGroup | undefined> {
  const group = noted(readTyped(schemas().looseGroup, raw, at), issues);
  if (group === undefined) return undefined;
  const trajectories: Trajectory[] = [];
  for (const [j, each] of group.trajectories.entries()) {
    const here = [...at, "trajectories", j];
    const read = noted(readTypedObject(schemas().looseTrajectory, each, here), issues);
    if (read !== undefined) {
      const { reward = 0, messages_and_choices = [], additional_histories, metrics } = read;
      const histories: MessageHistory[] = [];
      yield* noteEntries(messages_and_choices, here, issues);
      for (const [k, other] of (additional_histories ?? []).entries()) {
        const place = [...here, "additional_histories", k];
        const history = noted(readTypedObject(schemas().looseHistory, other, place), issues);
        if (history !== undefined) {
          const { messages_and_choices: entries = [] } = history;
          yield* noteEntries(entries, place, issues);
          histories.push(withMembers(history, { messages_and_choices: entries }) as MessageHistory);
        }
        if (issues.length >= MOST_ISSUES) return undefined;
        yield;
      }
      const known = {
        reward,
        messages_and_choices,
        additional_histories: histories,
        metrics: (metrics ?? {}) as Trajectory["metrics"],
      };
      trajectories.push(withMembers(read, known) as unknown as Trajectory);
    }
    if (issues.length >= MOST_ISSUES) return undefined;
    yield;
  }
  return withMembers(group, { trajectories, exceptions: (group.exceptions ?? []) as readonly Json[] });
}

/**
 * A copy of `given` with these members. There may be a million of them: V8 stores the result of `{ ...given, ...more
 * }` as a dictionary, which takes three to six times the memory.
 */
function withMembers<T extends object, More extends object>(given: T, more: More): T & More {
  // Assignment would not create this member; it is very rare.
  if (Object.hasOwn(given, "__proto__")) return { ...given, ...more };
  return Object.assign({}, given, more);
}

/** The parsed value; undefined, with its issues noted, if it is invalid. */
function noted<T>(read: Result<T>, issues: Issue[]): T | undefined {
  if (read.ok) return read.value;
  issues.push(...read.issues);
  return undefined;
}

function* noteEntries(entries: readonly unknown[], at: Issue["path"], issues: Issue[]): Steps<void> {
  for (const [i, entry] of entries.entries()) {
    yield* noteEntry(entry, [...at, "messages_and_choices", i], issues);
    if (issues.length >= MOST_ISSUES) return;
    yield;
  }
}

function* noteEntry(raw: unknown, at: Issue["path"], issues: Issue[]): Steps<void> {
  const entry = noted(readTyped(schemas().entryBody, raw, at), issues) as Message | Choice | undefined;
  if (entry === undefined) return;
  if (Object.hasOwn(entry, "message")) {
    const read = noted(readTyped(schemas().looseChoice, entry, at), issues);
    for (const [i, token] of (read?.logprobs?.content ?? []).entries()) {
      if (!isToken(token))
        noted(readTyped(schemas().tokenBody, token, [...at, "logprobs", "content", i]), issues);
      if (issues.length >= MOST_ISSUES) return;
      yield;
    }
  } else if (typeof (entry as Message).role !== "string") {
    const message =
      "neither a message, which has a role, nor a choice, which has a message and a finish_reason";
    issues.push({ code: "type", path: at, message });
  }
}

/** Whether `tokenBody` would accept it. There are millions of tokens, and nearly all are valid. */
function isToken(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null) return false;
  const { token, logprob } = raw as { token?: unknown; logprob?: unknown };
  return typeof token === "string" && typeof logprob === "number" && Number.isFinite(logprob);
}
