// Files that a reader opens on the page: read by one worker and answered by another, and nothing of them is sent.

import type { FromReader, ToReader, ToWorker } from "../../worker/messages.ts";
import { apiOf } from "../data/api.ts";
import type { Place } from "../state/place.ts";
import type { Ask } from "./ask.ts";
import type { StartPageWorker } from "./page-workers.ts";
import { sealedAsk } from "./sealed.ts";

/** Files that are open. */
export interface OpenedFiles {
  /** The project that they are looked at as. */
  readonly project: string;
  /** What the header says of them. */
  readonly label: string;
  /** What was passed over. */
  readonly notes: readonly string[];
  /** Ids of the evaluations in them, in order: who opens files together means to compare them. */
  readonly evaluations: readonly string[];
  readonly ask: Ask;
  /** Lets go of them. */
  close(): void;
}

/** Columns that fit on a screen. */
const MOST_COLUMNS = 5;

/** The entity of what is opened: no server has it. */
const ENTITY = "opened-here";

/** Whether a place is in files that were opened on the page. */
export function isInOpened(place: Place): boolean {
  return "project" in place && place.project.startsWith(`${ENTITY}/`);
}

/** Opens files. Rejects with an `Error` that says why nothing of them can be looked at. */
export async function openFiles(files: readonly File[], start: StartPageWorker): Promise<OpenedFiles> {
  const project = `${ENTITY}/${nameOf(files)}`;
  const reader = await start("reader");
  let read: FromReader;
  try {
    read = await answerOf(reader, { files, project });
  } finally {
    reader.terminate();
  }
  if (read.kind === "unreadable") throw new Error(read.notes.join("; "));
  const { data, notes } = read;
  const worker = await start("worker");
  // A page that was exported has a project of its own; here it is what was opened.
  const message: ToWorker = { kind: "open", data: { ...data, project } };
  worker.postMessage(
    message,
    [...data.calls, ...data.rows].map(({ buffer }) => buffer),
  );
  const ask = sealedAsk(Promise.resolve(worker));
  const listed = await apiOf(ask, "http://assay.invalid").evaluations(project);
  const label = files.length === 1 ? files[0]!.name : `${files.length} files`;
  return {
    project,
    label: `${label}, opened here`,
    notes,
    evaluations: listed.slice(-MOST_COLUMNS).map(({ id }) => id),
    ask,
    close: () => worker.terminate(),
  };
}

function answerOf(reader: Worker, asked: ToReader): Promise<FromReader> {
  return new Promise((answered, failed) => {
    reader.addEventListener("message", ({ data }: MessageEvent<FromReader>) => answered(data));
    reader.addEventListener("error", (event) =>
      failed(new Error(event.message || "the files cannot be read")),
    );
    reader.postMessage(asked);
  });
}

/** A name that a project may have. */
function nameOf(files: readonly File[]): string {
  const name = files[0]?.name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") ?? "";
  return name.slice(0, 60) || "files";
}
