// Sizes of files in words.

/** A number of bytes in a readable unit. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(0)} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
