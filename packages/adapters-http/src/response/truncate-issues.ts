// Limits the length of refusals: a small request must not cause megabytes of response, nor receive its own data back.

import type { Issue } from "@assay/base";
import { shownName } from "@assay/base/internal";

/** The most issues in an answer. */
const MOST_ISSUES = 100;
/** The most characters of JSON: some answers contain everything in two forms, and twice this is below 64 KiB. */
const MOST_CHARACTERS = 28 * 1024;
const LONGEST_MESSAGE = 1000;

const encoder = new TextEncoder();

/** The first of `issues` that fit into one answer, with messages and names in paths cut. */
export function truncateIssues(issues: readonly Issue[]): readonly Issue[] {
  const kept: Issue[] = [];
  let left = MOST_CHARACTERS;
  for (const { code, path, message } of issues.slice(0, MOST_ISSUES)) {
    const short: Issue = {
      code,
      path: path.map((part) => (typeof part === "string" ? shownName(part) : part)),
      message: boundedText(message),
    };
    left -= encoder.encode(JSON.stringify(short)).length;
    // At least one is always included: its path is limited by the depth of a body.
    if (left < 0 && kept.length > 0) break;
    kept.push(short);
  }
  return kept;
}

/** The first of `issues` as one text, for clients that show one. */
export function issuesText(issues: readonly Issue[]): string {
  return issues
    .slice(0, 5)
    .map(({ message }) => message)
    .join("; ");
}

/** The sentence of a refusal, cut if it is too long to read. */
function boundedText(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
}
