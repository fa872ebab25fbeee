/** A time in the format of clients. */
export function time(at: number): string {
  return new Date(at).toISOString();
}
