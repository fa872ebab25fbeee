// Two conversations side by side: turns that correspond are next to each other, and equal ones are shown once.

import type { Json } from "@assay/base";
import type { JSX } from "preact";
import { type TurnPair, turnPairs } from "../../format/diff/turn-pairs.ts";
import type { Conversation } from "../../format/values/conversation.ts";
import { TurnRole, TurnView } from "./output-view.tsx";
import { TextDiff, ValueDiff } from "./value-diff.tsx";

/** The conversations. */
export function ConversationDiff({
  before,
  after,
}: {
  readonly before: Conversation;
  readonly after: Conversation;
}): JSX.Element {
  return (
    <>
      <ol class="turns">
        {turnPairs(before.turns, after.turns).map((pair, at) => {
          const turn = (pair[1] ?? pair[0])!;
          return (
            <li key={at} class={turn.role}>
              <TurnRole turn={turn} />
              <PairView pair={pair} />
            </li>
          );
        })}
      </ol>
      {(before.rest ?? after.rest) !== undefined && (
        <ValueDiff before={(before.rest ?? {}) as Json} after={(after.rest ?? {}) as Json} />
      )}
    </>
  );
}

function PairView({ pair: [left, right] }: { readonly pair: TurnPair }) {
  if (left === undefined || right === undefined)
    return (
      <div class="side-by-side">
        {[left, right].map((turn, at) =>
          turn === undefined ? (
            <span key={at} class="muted">
              —
            </span>
          ) : (
            <TurnView key={at} turn={turn} />
          ),
        )}
      </div>
    );
  if (JSON.stringify(left) === JSON.stringify(right))
    return (
      <>
        <span class="muted"> equal</span>
        <TurnView turn={right} />
      </>
    );
  if (left.kind === "text" && right.kind === "text")
    return <TextDiff before={left.text} after={right.text} />;
  return <ValueDiff before={contentOf(left)} after={contentOf(right)} />;
}

function contentOf(turn: NonNullable<TurnPair[0]>): Json {
  return turn.kind === "text" ? turn.text : turn.value;
}
