/**
 * What a page may do in a browser: run its own scripts, talk to its own server, and nothing else. No text can become
 * markup or a script: the only allowed Trusted Types policy passes the URLs of the page's own workers.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types assay-worker",
].join("; ");

/** The headers of every file of a page. */
export const PAGE_HEADERS: { readonly [name: string]: string } = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};
