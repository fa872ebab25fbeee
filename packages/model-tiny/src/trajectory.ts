// A trajectory: what the model said and how well it went. Reads the choices of a chat as tokens to learn from.
import { bad, type Issue, ok, type Result } from "@assay/base";
import { type TinyMessage, textOf, writeMessage } from "./chat-template.ts";
import { isSayable, type Sequence, type SequenceWriter, sequenceWriter } from "./sequence.ts";
import { ASSISTANT, END } from "./vocabulary.ts";

/** A choice of a chat completion: what the model said, with the log-probability of each token. */
export interface TinyChoice {
  /** `stop` when the model ended its turn itself. */
  readonly finish_reason: string;
  /** The answer as a message. */
  readonly message: TinyMessage;
  /** The tokens, named `token_id:<n>`. */
  readonly logprobs?: { readonly content?: readonly TinyTokenLogprob[] | null } | null;
}

/** One token of a choice. */
export interface TinyTokenLogprob {
  /** `token_id:<n>`. */
  readonly token: string;
  /** Its log-probability when it was sampled. */
  readonly logprob: number;
}

/** What is said in turn. Only choices are learned from. */
export type TinyHistory = readonly (TinyMessage | TinyChoice)[];

/** One attempt at a task. */
export interface TinyTrajectory {
  /** What was said, oldest first. */
  readonly messages_and_choices: TinyHistory;
  /** Further conversations of the same attempt; the reward is theirs too. */
  readonly additional_histories?: readonly { readonly messages_and_choices: TinyHistory }[];
  /** How well it went: a finite number. */
  readonly reward: number;
}

/**
 * The tokens of a history, with those of its choices marked. With `bare`, a choice without log-probabilities is
 * learned from its text. Issues: `missing_logprobs`, `foreign_token` (not one that this model says).
 */
export function historySequence(history: TinyHistory, bare: boolean): Result<Sequence> {
  const writer = sequenceWriter();
  const issues: Issue[] = [];
  for (const [index, item] of history.entries()) {
    if (isChoice(item)) {
      const written = writeChoice(writer, item, bare);
      if (!written.ok) issues.push(...written.issues.map((i) => ({ ...i, path: [index, ...i.path] })));
    } else writeMessage(writer, item, false);
  }
  return issues.length === 0 ? ok(writer.sequence()) : bad(issues);
}

function isChoice(item: TinyMessage | TinyChoice): item is TinyChoice {
  return Object.hasOwn(item, "finish_reason") && Object.hasOwn(item, "message");
}

/** Adds a turn of the model. What the model did not end itself is ended here, and that end is not learned. */
function writeChoice(writer: SequenceWriter, choice: TinyChoice, bare: boolean): Result<void> {
  const said = choice.logprobs?.content;
  if (said === undefined || said === null) {
    if (bare) return ok(writer.turn(ASSISTANT, textOf(choice.message), true));
    return bad([
      { code: "missing_logprobs", path: ["logprobs"], message: "a choice without log-probabilities" },
    ]);
  }
  writer.token(ASSISTANT, false);
  let last = ASSISTANT;
  for (const [index, { token, logprob }] of said.entries()) {
    last = /^token_id:\d{1,3}$/.test(token) ? Number(token.slice("token_id:".length)) : -1;
    if (!isSayable(last)) {
      const message = `${token.slice(0, 40)} is not a token of this model`;
      return bad([{ code: "foreign_token", path: ["logprobs", "content", index, "token"], message }]);
    }
    writer.token(last, true, logprob);
  }
  if (last !== END) writer.token(END, false);
  return ok(undefined);
}
