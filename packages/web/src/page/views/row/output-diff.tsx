// Two outputs side by side, with their differences: conversations by turn, other values by path or by words.

import type { JSX } from "preact";
import { conversationOf, lastText, parsedJson } from "../../format/values/conversation.ts";
import { ConversationDiff } from "./conversation-diff.tsx";
import { OutputView } from "./output-view.tsx";
import { type DiffProps, TextDiff, ValueDiff } from "./value-diff.tsx";

/** Properties of the outputs. */
export interface OutputDiffProps extends DiffProps {
  /** Whether their differences are marked. */
  readonly marked: boolean;
  /** In place of an output that is null. */
  readonly missing: readonly [JSX.Element, JSX.Element];
}

/** The outputs. */
export function OutputDiff({ before, after, marked, missing }: OutputDiffProps): JSX.Element {
  // A missing answer is not a difference.
  if (!marked || before === null || after === null)
    return (
      <div class="side-by-side">
        <OutputView value={before} missing={missing[0]} />
        <OutputView value={after} missing={missing[1]} />
      </div>
    );
  const [left, right] = [parsedJson(before), parsedJson(after)];
  const [first, second] = [conversationOf(left), conversationOf(right)];
  if (first !== undefined && second !== undefined) return <ConversationDiff before={first} after={second} />;
  // A text is compared with what the conversation comes to.
  if (first !== undefined && typeof right === "string")
    return <TextDiff before={lastText(first, "assistant") ?? ""} after={right} />;
  if (second !== undefined && typeof left === "string")
    return <TextDiff before={left} after={lastText(second, "assistant") ?? ""} />;
  return <ValueDiff before={left} after={right} />;
}
