// Run: one execution of someone's program, with what it was configured with and what it has logged. How far its streams
// have come is kept with it, so that a client that resumes it is told without anything being counted.

/** A project of an entity: what keys are scoped to. */
export interface ProjectName {
  /** The team or person that it belongs to. */
  readonly entity: string;
  /** The project's name. */
  readonly project: string;
}

/** A run's name, unique in its project. W&B's clients call it the run's id. */
export interface RunName extends ProjectName {
  /** The run's name. */
  readonly name: string;
}

/** `history`: what the program logs, by step. `events`: metrics of its machine. `output`: what it prints. */
export type Stream = "history" | "events" | "output";

/** A run. JSON is kept as the text that it came in. */
export interface Run extends RunName {
  /** UUID. */
  readonly id: string;
  /** One more for each change of the run and of its lines; 1 when new. */
  readonly version: number;
  /** What people call it. */
  readonly displayName: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When its client was last heard of, in milliseconds since 1970. */
  readonly heartbeatAt: number;
  /** What it ended with; absent while it runs. */
  readonly exitCode?: number;
  /** Its configuration, a JSON object: each value as `{"value": …}`. */
  readonly config: string;
  /** The last value of each metric, a JSON object. */
  readonly summary: string;
  /** Words that it is found by. */
  readonly tags: readonly string[];
  /** Words for people. */
  readonly notes?: string;
  /** Runs that belong together have the same one. */
  readonly group?: string;
  /** What kind of run it is, such as `train`. */
  readonly jobType?: string;
  /** Lines of each stream: the number of the next one. */
  readonly lines: Readonly<Record<Stream, number>>;
  /** The highest `_step` of its history; -1 without any. */
  readonly lastStep: number;
  /** Names of what its history has, at most `MOST_KEYS`, in the order of their first appearance. */
  readonly historyKeys: readonly string[];
  /** The trained model that the run belongs to, and goes with. */
  readonly modelId?: string;
}

/** How many names of metrics a run remembers. */
export const MOST_KEYS = 5000;

/** How a run is, as far as can be known. */
export type RunState = "running" | "finished" | "failed" | "crashed";

/** How long a client may be silent before its run counts as crashed: twenty times as long as it usually is. */
const SILENCE_MS = 5 * 60_000;

/** How the run is at `now`, in milliseconds since 1970. */
export function runState({ exitCode, heartbeatAt }: Run, now: number): RunState {
  if (exitCode !== undefined) return exitCode === 0 ? "finished" : "failed";
  return now - heartbeatAt > SILENCE_MS ? "crashed" : "running";
}

/** A line of a stream. */
export interface Line {
  /** Its place in the stream, from 0. */
  readonly line: number;
  /** The `_step` of a line of the history; of other lines their place. */
  readonly step: number;
  /** JSON, but for `output`, where it is what was printed. */
  readonly text: string;
}

/** A file that belongs to a run. */
export interface RunFile {
  /** A relative path with `/`. */
  readonly name: string;
  /** SHA-256 of its bytes, hexadecimal: their name in the artifact store. */
  readonly sha256: string;
  /** MD5 of its bytes, hexadecimal. */
  readonly md5: string;
  /** How many bytes it has. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}
