// What may be an API key, of this server or of another service, and is therefore never logged.

/** Letters and digits in one piece, as long as the shortest of the usual keys. */
const RUN = /[A-Za-z0-9]{20,}/g;
/** Digests (MD5, SHA-256) and hexadecimal ids, which are as long. */
const HEXADECIMAL = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/;

/** Whether `text` has the prefix of our keys in it, or letters and digits mixed as only keys and digests have them. */
export function looksLikeKey(text: string): boolean {
  if (/assay_/i.test(text)) return true;
  return (text.match(RUN) ?? []).some(
    (run) => /[A-Za-z]/.test(run) && /\d/.test(run) && !HEXADECIMAL.test(run),
  );
}
