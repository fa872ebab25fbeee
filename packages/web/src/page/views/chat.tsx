// Chats with up to four models side by side, which all get the same question. The conversation is only in memory.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../data/hooks/use-query.ts";
import { serverSentEvents } from "../data/server-sent-events.ts";
import { shown } from "../format/shown.ts";
import { Refused } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import type { PageRoute } from "../state/page-route.ts";
import { copied } from "./compare/evaluation-bar.tsx";

/** The most columns. */
const MOST = 4;

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

interface Question {
  readonly text: string;
  /** Incremented with each question, so that the same one can be asked again. */
  readonly number: number;
}

/** The chats. */
export function Chat({ place }: { readonly place: Extract<PageRoute, { view: "chat" }> }): JSX.Element {
  const { api, go, refresh } = useApp();
  const models = useQuery(`models ${refresh.value}`, (signal) =>
    api.json<{ data: readonly { id: string }[] }>("/v1/models", { signal }),
  );
  const known = (models.value?.data ?? []).map(({ id }) => id);
  const columns = place.models.length > 0 ? place.models.slice(0, MOST) : known.slice(0, 1);
  const [text, setText] = useState(place.rest.find(([key]) => key === "q")?.[1] ?? "");
  const [question, setQuestion] = useState<Question>({ text: "", number: 0 });
  const [stopped, setStopped] = useState(0);
  const [temperature, setTemperature] = useState("0");
  const choose = (chosen: readonly string[]) => go({ ...place, models: chosen }, true);
  const send = (): void => {
    if (text.trim() === "") return;
    setQuestion({ text, number: question.number + 1 });
    setText("");
  };
  const body = { model: columns[0] ?? "MODEL", messages: [{ role: "user", content: text || "Hello" }] };
  const curl = `curl -s ${api.address("/v1/chat/completions")} -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return (
    <section class="chat" aria-labelledby="chat">
      <h1 id="chat" class="unseen">
        Chat
      </h1>
      {models.error !== undefined && <Refused error={models.error} />}
      <datalist id="models">
        {known.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <div class="chat-columns">
        {columns.map((model, index) => (
          <Column
            key={index}
            model={model}
            question={question}
            stopped={stopped}
            temperature={Number(temperature)}
            onModel={(next) => choose(columns.map((one, at) => (at === index ? next : one)))}
            onRemove={columns.length > 1 ? () => choose(columns.filter((_, at) => at !== index)) : undefined}
          />
        ))}
        {columns.length < MOST && (
          <button type="button" class="add-column" onClick={() => choose([...columns, known[0] ?? ""])}>
            + model
          </button>
        )}
      </div>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          aria-label="message to all"
          rows={3}
          value={text}
          placeholder="Ask all models; Ctrl+Enter or ⌘+Enter sends"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            send();
          }}
        />
        <div class="line">
          <button type="submit" class="primary">
            Send{columns.length === 1 ? "" : ` to all ${columns.length}`}
          </button>
          <button type="button" onClick={() => setStopped(stopped + 1)}>
            Stop
          </button>
          <label>
            temperature{" "}
            <input
              type="number"
              min="0"
              max="2"
              step="0.1"
              value={temperature}
              onInput={(event) => setTemperature(event.currentTarget.value)}
            />
          </label>
          <CopyCurl curl={curl} />
        </div>
      </form>
    </section>
  );
}

function CopyCurl({ curl }: { readonly curl: string }): JSX.Element {
  const { say } = useApp();
  return (
    <button type="button" class="quiet" onClick={() => void copied(curl, "the command", say)}>
      copy as curl
    </button>
  );
}

interface ColumnProps {
  readonly model: string;
  readonly question: Question;
  readonly stopped: number;
  readonly temperature: number;
  readonly onModel: (model: string) => void;
  readonly onRemove: (() => void) | undefined;
}

interface Said extends Message {
  /** Tokens and speed, or why it broke off. */
  readonly note?: string;
  readonly failed?: boolean;
}

function Column({ model, question, stopped, temperature, onModel, onRemove }: ColumnProps): JSX.Element {
  const { api } = useApp();
  const [messages, setMessages] = useState<readonly Said[]>([]);
  const stop = useRef<AbortController | undefined>(undefined);
  const seen = useRef(question.number);
  useEffect(() => () => stop.current?.abort(), []);
  useEffect(() => stop.current?.abort(), [stopped]);
  useEffect(() => {
    if (question.number === seen.current) return;
    seen.current = question.number;
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    const asked: readonly Said[] = [...messages, { role: "user", content: question.text }];
    const show = (answer: Omit<Said, "role">): void =>
      setMessages([...asked, { role: "assistant", ...answer }]);
    show({ content: "" });
    void answered(show, async (write) => {
      const begun = performance.now();
      const response = await api.open("/v1/chat/completions", {
        signal: mine.signal,
        body: {
          model,
          messages: asked.filter(({ failed }) => !failed).map(({ role, content }) => ({ role, content })),
          temperature,
          stream: true,
          stream_options: { include_usage: true },
        },
      });
      let tokens = 0;
      for await (const { data } of serverSentEvents(response)) {
        if (data === "[DONE]") break;
        const chunk = JSON.parse(data) as Chunk;
        if (chunk.error !== undefined) throw new Error(chunk.error.message);
        write(chunk.choices?.[0]?.delta?.content ?? "");
        tokens = chunk.usage?.completion_tokens ?? tokens;
      }
      const seconds = (performance.now() - begun) / 1000;
      return tokens > 0 ? `${tokens} tokens, ${Math.round(tokens / seconds)}/s` : "";
    });
  }, [question.number]);
  return (
    <section class="chat-column" aria-label={`chat with ${shown(model)}`}>
      <header class="line">
        <input
          list="models"
          aria-label="model"
          value={model}
          onChange={(event) => onModel(event.currentTarget.value)}
        />
        {onRemove !== undefined && (
          <button type="button" class="quiet" aria-label={`remove ${shown(model)}`} onClick={onRemove}>
            ✕
          </button>
        )}
      </header>
      <ol class="messages" aria-live="polite">
        {messages.map(({ role, content, note, failed }, index) => (
          <li key={index} class={role}>
            <div class="whole">{shown(content)}</div>
            {note !== undefined && note !== "" && <div class={failed ? "worse" : "muted"}>{shown(note)}</div>}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly completion_tokens?: number } | null;
  readonly error?: { readonly message: string };
}

/** Shows an answer as it arrives. If it ends early, its beginning stays, with the reason. */
async function answered(
  show: (answer: Omit<Said, "role">) => void,
  ask: (write: (text: string) => void) => Promise<string>,
): Promise<void> {
  let content = "";
  try {
    const note = await ask((text) => {
      content += text;
      show({ content });
    });
    show({ content, note });
  } catch (error) {
    const stopped = error instanceof DOMException && error.name === "AbortError";
    show({ content, note: stopped ? "stopped" : (error as Error).message, failed: !stopped });
  }
}
