// What is shown instead of an answer: that it is loading, or why it is missing, and what to do.

import type { ComponentChildren, JSX } from "preact";
import { Component } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSlow } from "../data/hooks/use-slow.ts";
import { shown } from "../format/shown.ts";
import { useApp } from "../state/app.tsx";
import { Refusal } from "../transport/ask.ts";

/** Why a question was not answered, and what to do. A 401 asks for a key. */
export function Refused({
  error,
  again,
}: {
  readonly error: Error;
  readonly again?: () => void;
}): JSX.Element {
  const app = useApp();
  if (error instanceof Refusal && error.status === 401 && app.setKey !== undefined)
    return <KeyForm refusal={error} />;
  const retryAfter = error instanceof Refusal ? error.retryAfter : undefined;
  return (
    <div class="notice worse" role="alert">
      <strong>{headline(error)}</strong> {shown(error.message)}
      {retryAfter !== undefined && <Countdown seconds={retryAfter} onEnd={again} />}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
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

function Countdown({
  seconds,
  onEnd,
}: {
  readonly seconds: number;
  readonly onEnd: (() => void) | undefined;
}) {
  const [left, setLeft] = useState(Math.min(600, Math.ceil(seconds)));
  useEffect(() => {
    if (left <= 0) {
      onEnd?.();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return <span class="muted"> retrying in {left} s </span>;
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
