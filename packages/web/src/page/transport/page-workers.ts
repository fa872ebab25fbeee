// The source of the page's workers: separate files of a server, or parts of an exported file.

/** Starts the worker that answers from data, or the one that reads files. */
export type StartPageWorker = (which: "worker" | "reader") => Promise<Worker>;
