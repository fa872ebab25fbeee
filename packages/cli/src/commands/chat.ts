// assay chat: a conversation with a model, line by line. In a pipe it prints only the answers.

import { createInterface } from "node:readline";
import { Fault } from "@assay/base";
import { createParser } from "eventsource-parser";
import { EXIT, Failure } from "../failure.ts";
import { openService } from "../open-service.ts";
import { plainPiece } from "../plain-text.ts";
import type { Service, ServiceOptions } from "../service.ts";
import { type World, write } from "../world.ts";

/** Whom to talk to, and how. */
export interface ChatOptions extends ServiceOptions {
  /** As in a request: `org/model`, or the name of a trained model. */
  readonly model: string;
  /** What the model is told before the conversation. */
  readonly system: string | undefined;
  /** Sent with every request: `temperature`, `max_tokens`, `seed`. */
  readonly settings: { readonly [name: string]: number };
  /** The project that usage counts for, as `entity/project`. */
  readonly project: string | undefined;
}

type Turn = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Talks until the input ends. Gives the exit code. */
export async function chatCommand(world: World, options: ChatOptions): Promise<number> {
  const service = await openService(world, options);
  const terminal = world.stdout.columns !== undefined;
  const prompt = () => (terminal ? write(world, "> ") : Promise.resolve());
  await prompt();
  // From here to the loop nothing may wait: lines that come before someone asks for them are lost.
  const lines = createInterface({ input: world.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = () => lines.close();
  world.signal.addEventListener("abort", stop, { once: true });
  const turns: Turn[] = options.system === undefined ? [] : [{ role: "system", content: options.system }];
  try {
    for await (const line of lines) {
      if (line.trim() !== "") {
        turns.push({ role: "user", content: line });
        let answer = "";
        for await (const piece of answerOf(service, options, turns, world.signal)) {
          answer += piece;
          await write(world, plainPiece(piece));
        }
        await write(world, "\n");
        turns.push({ role: "assistant", content: answer });
      }
      await prompt();
    }
    return EXIT.ok;
  } catch (error) {
    // The user has stopped it in the middle of an answer.
    if (world.signal.aborted) return EXIT.ok;
    throw error instanceof Fault && error.code === "missing"
      ? await unknownModel(service, options.model)
      : error;
  } finally {
    world.signal.removeEventListener("abort", stop);
    if (terminal) await write(world, "\n");
    lines.close();
    await service.close();
  }
}

/** The texts of an answer, as they come. Throws a `Fault` when the answer is not whole. */
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

/** The text in an event: a piece of the answer, or why there is no more of it. */
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
