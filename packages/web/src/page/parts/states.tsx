// What is shown instead of an answer: that it is loading, or why it is missing, and what to do.

import type { ComponentChildren, JSX } from "preact";
import { Component } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSlow } from "../data/hooks/use-slow.ts";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";
import { Refusal } from "../transport/ask.ts";

/** Seconds between attempts to reach a server that does not answer. */
const RETRY_SECONDS = 5;

/**
 * Why a question was not answered, and what to do: a 401 asks for a key, and a server that does not answer or is busy
 * is asked again after a while. `isAction` says that it was not a question that the page can repeat.
 */
export function Refused({
  error,
  isAction = false,
}: {
  readonly error: Error;
  readonly isAction?: boolean;
}): JSX.Element {
  const app = useApp();
  const again = () => app.refresh.value++;
  if (error instanceof Refusal && error.status === 401 && app.setKey !== undefined)
    return <KeyForm refusal={error} />;
  const seconds = error instanceof Refusal ? secondsToRetry(error) : undefined;
  return (
    <div class="notice worse" role="alert">
      <strong>{headline(error)}</strong> {shown(error.message)}
      {!isAction && seconds !== undefined && <Countdown error={error} seconds={seconds} onEnd={again} />}
      {!isAction && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

function secondsToRetry({ status, retryAfter }: Refusal): number | undefined {
  return retryAfter ?? (status === 0 ? RETRY_SECONDS : undefined);
}

function headline(error: Error): string {
  if (!(error instanceof Refusal)) return "This part of the page failed:";
  switch (error.status) {
    case 0:
      return "No connection:";
    case 404:
      return "Not found:";
    case 422:
      return "Invalid request:";
    case 429:
    case 503:
      return "The server is busy:";
    default:
      return `Refused (${error.status}):`;
  }
}

/** Counts down after each error. Not announced: a screen reader would read every second. */
function Countdown({
  error,
  seconds,
  onEnd,
}: {
  readonly error: Error;
  readonly seconds: number;
  readonly onEnd: () => void;
}) {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    let now = Math.min(600, Math.ceil(seconds));
    setLeft(now);
    const timer = setInterval(() => {
      now--;
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      onEnd();
    }, 1000);
    return () => clearInterval(timer);
  }, [error]);
  return (
    <span class="muted" aria-live="off">
      {" "}
      retrying in {left} s{" "}
    </span>
  );
}

/** The headline of the form that asks for an API key; it mentions if a key was sent and rejected. */
export function keyHeadline({ hadKey }: Pick<Refusal, "hadKey">): string {
  return hadKey
    ? "The server rejected this API key: it is mistyped, expired or revoked"
    : "This server requires an API key";
}

/** Asks for the API key. */
function KeyForm({ refusal }: { readonly refusal: Refusal }): JSX.Element {
  const app = useApp();
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  // Clears the field, so that the next key is typed from the start and the reader sees that the last one was tried.
  useEffect(() => setKey(""), [refusal]);
  return (
    <form
      class={`notice key-form${refusal.hadKey ? " worse" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "") app.setKey?.(key.trim(), remember);
      }}
    >
      <h2 aria-live="assertive">{keyHeadline(refusal)}</h2>
      <p class="muted">
        Run <code>assay keys create</code> to make one. This tab keeps it and sends it with each request,
        never as a cookie.
      </p>
      <label>
        API key{" "}
        <input
          type="password"
          name="key"
          autoComplete="off"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />{" "}
        remember it in this browser
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  );
}

/** Keeps a failure in one part from affecting the others. */
export class Guarded extends Component<{ readonly children: ComponentChildren }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};
  static override getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
  override render(): ComponentChildren {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div class="notice worse" role="alert">
        <strong>This part of the page failed.</strong> <span>{shown(error.message)}</span>{" "}
        <button type="button" onClick={() => this.setState({})}>
          Reload this part
        </button>
      </div>
    );
  }
}

/** A thin bar while something is loading; only after a moment, to avoid flickering. */
export function Busy({ on }: { readonly on: boolean }): JSX.Element {
  const slow = useSlow(on);
  return <div class={`busy${on ? " on" : ""}${slow ? " slow" : ""}`} aria-hidden="true" />;
}
