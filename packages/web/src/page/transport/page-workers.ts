// Where the page has its workers from: a server has them among its files, and an exported file in itself.

/** Starts the worker that answers from data, or the one that reads files. */
export type StartPageWorker = (which: "worker" | "reader") => Promise<Worker>;
