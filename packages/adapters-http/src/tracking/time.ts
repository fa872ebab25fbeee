/** A time as clients read it. */
export function time(at: number): string {
  return new Date(at).toISOString();
}
