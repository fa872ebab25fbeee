// Detects texts that may be API keys, of this server or of another service, and must therefore not be logged.

/** An unbroken run of letters and digits, as long as the shortest common keys. */
const RUN = /[A-Za-z0-9]{20,}/g;
/** Digests (MD5, SHA-256) and hexadecimal IDs, which are as long as keys. */
const HEXADECIMAL = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/;

/** Whether `text` contains the prefix of our keys, or a mix of letters and digits typical of keys and digests. */
export function looksLikeKey(text: string): boolean {
  if (/assay_/i.test(text)) return true;
  return (text.match(RUN) ?? []).some(
    (run) => /[A-Za-z]/.test(run) && /\d/.test(run) && !HEXADECIMAL.test(run),
  );
}
