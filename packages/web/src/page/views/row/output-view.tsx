// One output or one field of a row: a conversation as its turns, an object as a tree, anything else as a text.

import type { Json } from "@assay/base";
import { cutText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { shown } from "../../format/shown.ts";
import {
  type Conversation,
  conversationOf,
  parsedJson,
  type Turn,
} from "../../format/values/conversation.ts";
import { cutNote, valueText } from "../../format/values/value-text.ts";
import { JsonView } from "../../parts/json-view.tsx";

/** The most characters of a text that are shown and compared. */
export const MOST_CHARACTERS = 20_000;

/** The output of a trial; a trial without one, mostly because it failed, shows `missing`. */
export function OutputView({
  value,
  missing,
}: {
  readonly value: Json;
  readonly missing: JSX.Element;
}): JSX.Element {
  return value === null ? missing : <ValueView value={parsedJson(value)} open={3} />;
}

/** A value, with `open` levels of an object unfolded. */
export function ValueView({
  value,
  open = 1,
}: {
  readonly value: Json;
  readonly open?: number;
}): JSX.Element {
  const conversation = conversationOf(value);
  if (conversation !== undefined) return <ConversationView conversation={conversation} />;
  if (typeof value === "object" && value !== null) return <JsonView value={value} open={open} />;
  return <WholeText text={valueText(value)} />;
}

function ConversationView({ conversation }: { readonly conversation: Conversation }) {
  const { turns, rest } = conversation;
  return (
    <div>
      <ol class="turns">
        {turns.map((turn, at) => (
          <li key={at} class={turn.role}>
            <TurnRole turn={turn} />
            <TurnView turn={turn} />
          </li>
        ))}
      </ol>
      {rest !== undefined && <JsonView value={rest as Json} />}
    </div>
  );
}

/** Who speaks, or which tool is called. */
export function TurnRole({ turn }: { readonly turn: Turn }): JSX.Element {
  return (
    <span class="role">
      {shown(cutText(turn.role, 40))}
      {turn.kind === "call" && (
        <>
          {" calls "}
          <code>{shown(cutText(turn.name, 200))}</code>
        </>
      )}
    </span>
  );
}

/** The content of a turn. The arguments and results of tools are folded. */
export function TurnView({ turn }: { readonly turn: Turn }): JSX.Element {
  if (turn.kind === "text") return <WholeText text={turn.text} />;
  const { value } = turn;
  return typeof value === "object" ? (
    <JsonView value={value} open={0} />
  ) : (
    <WholeText text={valueText(value)} />
  );
}

function WholeText({ text }: { readonly text: string }) {
  return (
    <div>
      <Note text={cutNote([text], MOST_CHARACTERS)} />
      <pre class="whole" dir="auto">
        {shown(cutText(text, MOST_CHARACTERS))}
      </pre>
    </div>
  );
}

/** A note on what is shown. */
export function Note({ text }: { readonly text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : <p class="muted">{text}</p>;
}
