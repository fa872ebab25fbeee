// Reads the events of a stream from the answer to a request, because `EventSource` cannot send a key.

import { createParser } from "eventsource-parser";

/** An event of a stream. */
interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** The events of an answer as they arrive. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  const waiting: ServerSentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data, id }) => waiting.push({ event, data, id }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(value);
      yield* waiting.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
