// A trajectory: the model's messages in one attempt, and its reward. Reads the choices of a chat as tokens to learn
// from.
import { bad, type Issue, ok, type Result } from "@assay/base";
import { type TinyMessage, textOf, writeMessage } from "../tokens/chat-template.ts";
import { isSayable, type Sequence, type SequenceWriter, sequenceWriter } from "../tokens/sequence.ts";
import { ASSISTANT, END } from "../tokens/vocabulary.ts";

/** A choice of a chat completion: the model's answer, with the log-probability of each token. */
export interface TinyChoice {
  /** `stop` if the model ended its turn itself. */
  readonly finish_reason: string;
  /** The answer as a message. */
  readonly message: TinyMessage;
  /** The tokens, named `token_id:<n>`. */
  readonly logprobs?: { readonly content?: readonly TinyTokenLogprob[] | null } | null;
}

/** One token of a choice. */
interface TinyTokenLogprob {
  /** `token_id:<n>`. */
  readonly token: string;
  /** Its log-probability when it was sampled. */
  readonly logprob: number;
}

/** The turns of a conversation. Only choices are learned. */
export type TinyHistory = readonly (TinyMessage | TinyChoice)[];

/** One attempt at a task. */
export interface TinyTrajectory {
  /** The turns, oldest first. */
  readonly messages_and_choices: TinyHistory;
  /** Further conversations of the same attempt, with the same reward. */
  readonly additional_histories?: readonly { readonly messages_and_choices: TinyHistory }[];
  /** The reward: a finite number. */
  readonly reward: number;
}

/**
 * The tokens of a history, with those of its choices marked. A choice without log-probabilities is context; with
 * `bare`, its text is learned. Issues: `foreign_token`, for a token that this model cannot sample.
 */
export function historySequence(history: TinyHistory, bare: boolean): Result<Sequence> {
  const writer = sequenceWriter();
  const issues: Issue[] = [];
  for (const [index, item] of history.entries()) {
    if (!isChoice(item)) writeMessage(writer, item, false);
    else if (item.logprobs?.content == null) writer.turn(ASSISTANT, textOf(item.message), bare);
    else {
      const written = writeChoice(writer, item.logprobs.content);
      const path = [index, "logprobs", "content"];
      if (!written.ok) issues.push(...written.issues.map((i) => ({ ...i, path: [...path, ...i.path] })));
    }
  }
  return issues.length === 0 ? ok(writer.sequence()) : bad(issues);
}

function isChoice(item: TinyMessage | TinyChoice): item is TinyChoice {
  return Object.hasOwn(item, "finish_reason") && Object.hasOwn(item, "message");
}

/** Adds a turn of the model. If the model did not end it, an end is added that is not learned. */
function writeChoice(writer: SequenceWriter, sampled: readonly TinyTokenLogprob[]): Result<void> {
  const tokens = sampled.map(({ token }) => tokenOf(token));
  const foreign = tokens.findIndex((token) => !isSayable(token));
  if (foreign >= 0) {
    const message = `${sampled[foreign]!.token.slice(0, 40)} is not a token of this model`;
    return bad([{ code: "foreign_token", path: [foreign, "token"], message }]);
  }
  const logprobs = sampled.map(({ logprob }) => logprob);
  writer.add([ASSISTANT], false);
  writer.add(tokens, true, logprobs);
  if (tokens.at(-1) !== END) writer.add([END], false);
  return ok(undefined);
}

/** The token that `token_id:<n>` names; -1 for any other text. */
function tokenOf(text: string): number {
  return /^token_id:\d{1,3}$/.test(text) ? Number(text.slice("token_id:".length)) : -1;
}
