// Two outputs side by side, with their differences: conversations by turn, other values by path or by words.

import type { JSX } from "preact";
import { conversationOf, parsedJson } from "../../format/values/conversation.ts";
import { ConversationDiff } from "./conversation-diff.tsx";
import { OutputView } from "./output-view.tsx";
import { type DiffProps, ValueDiff } from "./value-diff.tsx";

/** The outputs; `marked` says whether their differences are. */
export function OutputDiff({ before, after, marked }: DiffProps & { readonly marked: boolean }): JSX.Element {
  // A missing answer is not a difference.
  if (!marked || before === null || after === null)
    return (
      <div class="side-by-side">
        <OutputView value={before} />
        <OutputView value={after} />
      </div>
    );
  const [left, right] = [parsedJson(before), parsedJson(after)];
  const [first, second] = [conversationOf(left), conversationOf(right)];
  if (first !== undefined && second !== undefined) return <ConversationDiff before={first} after={second} />;
  return <ValueDiff before={left} after={right} />;
}
