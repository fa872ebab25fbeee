// Files opened on the page: one worker reads them, another answers questions about them, and none of them is
// uploaded.

import type { FromReader, ToReader, ToWorker } from "../../worker/messages.ts";
import { apiOf } from "../data/api.ts";
import type { CompareRoute, PageRoute } from "../state/page-route.ts";
import type { Ask } from "./ask.ts";
import type { StartPageWorker } from "./page-workers.ts";
import { workerTransport } from "./worker-transport.ts";

/** The open files. */
export interface OpenedFiles {
  /** The project under which they are shown. */
  readonly project: string;
  /** The title in the header. */
  readonly label: string;
  /** What was skipped. */
  readonly notes: readonly string[];
  /** Whether their rows were selected by their scores. */
  readonly picked: boolean;
  /** The IDs of their evaluations, in order: files opened together are compared. */
  readonly evaluations: readonly string[];
  readonly ask: Ask;
  /** Releases them. */
  close(): void;
}

/** The number of columns that fit on a screen. */
const MOST_COLUMNS = 5;

/** The entity of opened files, which no server has. */
const ENTITY = "opened-here";

/** Whether a place is in files that were opened on the page. */
export function isInOpened(place: PageRoute | CompareRoute): boolean {
  return "project" in place && place.project.startsWith(`${ENTITY}/`);
}

/** Opens files. Rejects with an `Error` that explains why none of them can be shown. */
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
  // An exported page has its own project; here it is the opened one.
  const message: ToWorker = { kind: "open", data: { ...data, project } };
  worker.postMessage(
    message,
    [...data.calls, ...data.rows].map(({ buffer }) => buffer),
  );
  const ask = workerTransport(Promise.resolve(worker));
  const listed = await apiOf(ask, "http://assay.invalid").evaluations(project);
  const label = files.length === 1 ? files[0]!.name : `${files.length} files`;
  return {
    project,
    label: `${label}, opened here`,
    notes,
    picked: data.picked === true,
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

/** Turns a name into a valid name of a project. */
function nameOf(files: readonly File[]): string {
  const name = files[0]?.name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") ?? "";
  return name.slice(0, 60) || "files";
}
