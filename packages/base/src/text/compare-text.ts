// Compares text by Unicode code point, which is the order of UTF-8 bytes. JavaScript itself compares UTF-16 units.

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/** Negative if `a` comes before `b`, 0 if they are equal, positive if `a` comes after. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  // The first difference may be inside a surrogate pair: the code points that differ then start one unit before.
  if (i > 0 && isHighSurrogate(a.charCodeAt(i - 1))) {
    const difference = a.codePointAt(i - 1)! - b.codePointAt(i - 1)!;
    if (difference !== 0) return difference;
  }
  return i === shorter ? a.length - b.length : a.codePointAt(i)! - b.codePointAt(i)!;
}
