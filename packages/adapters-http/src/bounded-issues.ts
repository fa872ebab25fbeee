// How much a refusal says. A request of some bytes must not get an answer of megabytes, nor its own data back.

import type { Issue } from "@assay/base";
import { shownName } from "@assay/base/internal";

/** No one reads more. */
const MOST_ISSUES = 100;
/** Characters of JSON, in all: twice as much, as some answers say everything in two forms, is below 64 KiB. */
const MOST_CHARACTERS = 28 * 1024;
const LONGEST_MESSAGE = 1000;

const encoder = new TextEncoder();

/** The first of `issues`, as many as one answer may hold, with their words and the names in their paths cut short. */
export function boundedIssues(issues: readonly Issue[]): readonly Issue[] {
  const kept: Issue[] = [];
  let left = MOST_CHARACTERS;
  for (const { code, path, message } of issues.slice(0, MOST_ISSUES)) {
    const short: Issue = {
      code,
      path: path.map((part) => (typeof part === "string" ? shownName(part) : part)),
      message: boundedText(message),
    };
    left -= encoder.encode(JSON.stringify(short)).length;
    // One is always said: whatever its path, it is not longer than the depth of a body allows.
    if (left < 0 && kept.length > 0) break;
    kept.push(short);
  }
  return kept;
}

/** A sentence of a refusal, cut where it is too long to read. */
function boundedText(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
}
