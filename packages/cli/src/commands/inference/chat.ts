// assay chat: one message to a model, or a conversation line by line. In a pipe it prints only the answers.

import { createInterface } from "node:readline";
import { Fault } from "@assay/base";
import { createParser } from "eventsource-parser";
import { openService } from "../../data/open-service.ts";
import type { Service, ServiceOptions } from "../../data/service.ts";
import { type CliContext, write } from "../../terminal/cli-context.ts";
import { EXIT, Failure } from "../../terminal/failure.ts";
import { plainPiece } from "../../terminal/plain-text.ts";

/** The model to chat with, and options. */
export interface ChatOptions extends ServiceOptions {
  /** As in a request: `org/model`, or the name of a trained model. */
  readonly model: string;
  /** The only message. Default: each line of the input is one. */
  readonly message?: string | undefined;
  /** The system message. */
  readonly system?: string | undefined;
  /** Sent with every request: `temperature`, `max_tokens`, `seed`. */
  readonly settings: { readonly [name: string]: number };
  /** The project that usage counts towards, as `entity/project`. */
  readonly project?: string | undefined;
}

type Turn = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Chats until there are no more messages. Returns the exit code. */
export async function chatCommand(context: CliContext, options: ChatOptions): Promise<number> {
  const service = await openService(context, { ...options, creates: true });
  const { message } = options;
  const terminal = message === undefined && context.stdout.columns !== undefined;
  const prompt = () => (terminal ? write(context, "> ") : Promise.resolve());
  await prompt();
  // Nothing may be awaited between here and the loop: lines that arrive before they are read would be lost.
  const lines =
    message === undefined
      ? createInterface({ input: context.stdin, crlfDelay: Number.POSITIVE_INFINITY })
      : undefined;
  const stop = () => lines?.close();
  context.signal.addEventListener("abort", stop, { once: true });
  const turns: Turn[] = options.system === undefined ? [] : [{ role: "system", content: options.system }];
  try {
    for await (const line of lines ?? [message!]) {
      if (line.trim() !== "") {
        turns.push({ role: "user", content: line });
        let answer = "";
        for await (const piece of answerOf(service, options, turns, context.signal)) {
          answer += piece;
          await write(context, plainPiece(piece));
        }
        await write(context, "\n");
        turns.push({ role: "assistant", content: answer });
      }
      await prompt();
    }
    return EXIT.ok;
  } catch (error) {
    // The user interrupted an answer.
    if (context.signal.aborted) return EXIT.ok;
    throw error instanceof Fault && error.code === "missing"
      ? await unknownModel(service, options.model)
      : error;
  } finally {
    context.signal.removeEventListener("abort", stop);
    if (terminal) await write(context, "\n");
    lines?.close();
    await service.close();
  }
}

/** The texts of an answer, as they arrive. Throws a `Fault` if the answer is incomplete. */
async function* answerOf(
  service: Service,
  { model, settings, project }: ChatOptions,
  messages: readonly Turn[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const response = await service.client.open("POST /v1/chat/completions", {
    body: { ...settings, model, messages, stream: true },
    ...(project !== undefined && { headers: { "Compat-Project": project } }),
    signal,
  });
  const texts: string[] = [];
  let whole = false;
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") whole = true;
      else texts.push(textOf(data));
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* texts.splice(0);
  }
  if (!whole) throw new Fault("unavailable", "the answer was cut off");
}

/** The text in an event. Throws if the event reports a failure. */
function textOf(data: string): string {
  const { choices, error } = JSON.parse(data) as {
    readonly choices?: readonly { readonly delta: { readonly content?: string | null } }[];
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Fault("unavailable", error.message);
  return choices?.[0]?.delta.content ?? "";
}

async function unknownModel(service: Service, model: string): Promise<Failure> {
  const { data } = await service.client.ask("GET /v1/models");
  const known = data.slice(0, 10).map(({ id }) => id);
  const more = data.length > known.length ? ", …" : "";
  return new Failure(EXIT.failed, `model not found: ${model}; available: ${known.join(", ")}${more}`);
}
