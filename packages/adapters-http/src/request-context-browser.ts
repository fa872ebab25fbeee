// The same in a browser's worker, which has no storage that follows asynchronous work: nobody is told of the id.

/** Runs `work`. */
export function asPartOf<T>(_id: string, work: () => T): T {
  return work();
}
