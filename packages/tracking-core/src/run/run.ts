// Run: one execution of a user's program, with its configuration and logged data. The lengths of its streams are stored
// with it, so that a resuming client learns them without counting.

/** A project of an entity, which is the scope of keys. */
export interface ProjectName {
  /** The team or person that owns it. */
  readonly entity: string;
  /** The project's name. */
  readonly project: string;
}

/** A run's name, unique in its project. W&B clients call it the run's ID. */
export interface RunName extends ProjectName {
  /** The run's name. */
  readonly name: string;
}

/** `history`: what the program logs, by step. `events`: metrics of its machine. `output`: what it prints. */
export type Stream = "history" | "events" | "output";

/** A run. JSON is kept as the text that was received. */
export interface Run extends RunName {
  /** UUID. */
  readonly id: string;
  /** Increases with each change of the run and of its lines; 1 when new. */
  readonly version: number;
  /** Its display name. */
  readonly displayName: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When its client last sent data, in milliseconds since 1970. */
  readonly heartbeatAt: number;
  /** Its exit code; absent while it runs. */
  readonly exitCode?: number;
  /** Its configuration, a JSON object with each value as `{"value": …}`. */
  readonly config: string;
  /** The last value of each metric, as a JSON object. */
  readonly summary: string;
  /** Its tags. */
  readonly tags: readonly string[];
  /** A description for people. */
  readonly notes?: string;
  /** The group of related runs. */
  readonly group?: string;
  /** The kind of run, such as `train`. */
  readonly jobType?: string;
  /** The number of the next line of each stream. */
  readonly lines: Readonly<Record<Stream, number>>;
  /** The highest `_step` of its history; -1 without any. */
  readonly lastStep: number;
  /** Names of the metrics in its history, at most `MOST_KEYS`, in order of first appearance. */
  readonly historyKeys: readonly string[];
  /** The trained model that the run belongs to, and with which it is deleted. */
  readonly modelId?: string;
}

/** The most names of metrics that a run remembers. */
export const MOST_KEYS = 5000;

/** The state of a run, as far as it can be known. */
export type RunState = "running" | "finished" | "failed" | "crashed";

/** How long a client may be silent before its run counts as crashed: twenty times its usual interval. */
const SILENCE_MS = 5 * 60_000;

/** The state of the run at `now`, in milliseconds since 1970. */
export function runState({ exitCode, heartbeatAt }: Run, now: number): RunState {
  if (exitCode !== undefined) return exitCode === 0 ? "finished" : "failed";
  return now - heartbeatAt > SILENCE_MS ? "crashed" : "running";
}

/** A line of a stream. */
export interface Line {
  /** Its index in the stream, from 0. */
  readonly line: number;
  /** The `_step` of a line of the history; for other lines, their index. */
  readonly step: number;
  /** JSON, except for `output`, where it is the printed text. */
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
  /** Its size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}
