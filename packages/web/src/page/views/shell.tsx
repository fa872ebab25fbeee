// The frame of every view: navigation, theme, list of shortcuts, and announcements for screen readers.

import type { Signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useDropped } from "../data/hooks/use-dropped.ts";
import { useOpening } from "../data/hooks/use-opening.ts";
import { shown } from "../format/shown.ts";
import { Link } from "../parts/link.tsx";
import { Busy, Guarded } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { COMPARISON_KEYS } from "../state/comparison-keys.ts";
import { lettersOn, setLetters, useKeys } from "../state/keys.ts";
import { comparisonOf, type PageRoute } from "../state/page-route.ts";
import { nextTheme, type Theme, theme } from "../state/theme.ts";
import { Compare } from "./compare/compare.tsx";
import { Evaluations } from "./evaluations.tsx";
import { Palette } from "./palette.tsx";
import { Start } from "./start.tsx";

/** The page. */
export function Shell({ said }: { readonly said: Signal<string> }): JSX.Element {
  const { place, go, file, served, reference, open } = useApp();
  const [dialog, setDialog] = useState<"keys" | "palette" | undefined>(undefined);
  const [look, setLook] = useState<Theme>(theme());
  const here = place.value;
  // After a look at a training job, the reader returns to the project that was open.
  const last = useRef<string | undefined>(undefined);
  if ("project" in here) last.current = here.project;
  const project = last.current;
  const to = (target: PageRoute) => () => go(target);
  useKeys({
    "?": () => setDialog("keys"),
    "mod+k": () => setDialog("palette"),
    ...(served && {
      "g t": to({ view: "training", rest: [] }),
      "g m": to({ view: "chat", models: [], rest: [] }),
      "g u": to({ view: "usage", by: [], rest: [] }),
    }),
    ...(project !== undefined && {
      "g c": to(comparisonOf(project)),
      "g e": to({ view: "evaluations", project, rest: [] }),
    }),
  });
  const { refused, opening, open: openDropped } = useOpening();
  const dragged = useDropped(open && openDropped);
  return (
    <div class={`shell${dragged ? " dragged" : ""}`}>
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector<HTMLElement>("#main")?.focus()}
      >
        Skip to the content
      </button>
      <header class="top">
        <Link to={{ view: "start", rest: [] }}>
          <strong class="brand">
            <span aria-hidden="true">▪ </span>Assay
          </strong>
        </Link>
        {project !== undefined && <span class="project">{shown(project)}</span>}
        <nav aria-label="Views">
          {project !== undefined && (
            <>
              <Link to={comparisonOf(project)} current={here.view === "compare"}>
                Compare
              </Link>
              <Link to={{ view: "evaluations", project, rest: [] }} current={here.view === "evaluations"}>
                Evaluations
              </Link>
              {file.value === undefined && (
                <>
                  <Link
                    to={{ view: "calls", project, rest: [] }}
                    current={here.view === "calls" || here.view === "call"}
                  >
                    Calls
                  </Link>
                  <Link to={{ view: "runs", project, runs: [], rest: [] }} current={here.view === "runs"}>
                    Runs
                  </Link>
                </>
              )}
            </>
          )}
          {served && <OtherAreas here={here} />}
          {open !== undefined && (
            <Link to={{ view: "open", rest: [] }} current={here.view === "open"}>
              Open a file
            </Link>
          )}
        </nav>
        {file.value !== undefined && <span class="muted file">{shown(file.value)}</span>}
        <span class="spring" />
        {reference !== undefined && (
          <a class="quiet" href={reference} title="HTTP API reference">
            API
          </a>
        )}
        <button type="button" class="quiet" onClick={() => setDialog("palette")}>
          Ctrl K
        </button>
        <button type="button" class="quiet" aria-label="keyboard shortcuts" onClick={() => setDialog("keys")}>
          ?
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`theme: ${look}; change it`}
          title={`theme: ${look}`}
          onClick={() => setLook(nextTheme())}
        >
          ◐
        </button>
      </header>
      {refused !== undefined && (
        <div class="notice worse" role="alert">
          <strong>Can't open this file:</strong> {shown(refused)}
        </div>
      )}
      <Busy on={opening} />
      <main id="main" tabIndex={-1}>
        <Guarded key={here.view}>
          <View place={here} />
        </Guarded>
      </main>
      <Said said={said} />
      {dialog === "keys" && <KeyList onClose={() => setDialog(undefined)} />}
      {dialog === "palette" && <Palette project={project} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

/** Areas of a server in addition to evaluation results. */
function OtherAreas({ here }: { readonly here: PageRoute }) {
  return (
    <>
      <Link to={{ view: "training", rest: [] }} current={here.view === "training" || here.view === "job"}>
        Training
      </Link>
      <Link to={{ view: "models", rest: [] }} current={here.view === "models" || here.view === "model"}>
        Models
      </Link>
      <Link to={{ view: "chat", models: [], rest: [] }} current={here.view === "chat"}>
        Chat
      </Link>
      <Link to={{ view: "usage", by: [], rest: [] }} current={here.view === "usage"}>
        Usage
      </Link>
      <Link to={{ view: "keys", rest: [] }} current={here.view === "keys"}>
        Keys
      </Link>
    </>
  );
}

/** Views that are loaded on first use. */
const LATER = {
  runs: async () => (await import("./training/runs.tsx")).Runs,
  calls: async () => (await import("./calls.tsx")).Calls,
  call: async () => (await import("./calls.tsx")).Calls,
  training: async () => (await import("./training/jobs.tsx")).Training,
  job: async () => (await import("./training/jobs.tsx")).Training,
  models: async () => (await import("./training/models.tsx")).Models,
  model: async () => (await import("./training/models.tsx")).Models,
  chat: async () => (await import("./chat.tsx")).Chat,
  usage: async () => (await import("./usage.tsx")).Usage,
  keys: async () => (await import("./keys.tsx")).Keys,
  open: async () => (await import("./open.tsx")).Open,
} as const;

function View({ place }: { readonly place: PageRoute }) {
  switch (place.view) {
    case "start":
      return <Start />;
    case "evaluations":
      return <Evaluations project={place.project} />;
    case "compare":
      return <Compare key={place.project} place={place} />;
    default:
      return <Later key={place.view} view={place.view} place={place} />;
  }
}

function Later({ view, place }: { readonly view: keyof typeof LATER; readonly place: PageRoute }) {
  const [part, setPart] = useState<{ readonly View: ComponentType<{ readonly place: never }> } | undefined>(
    undefined,
  );
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    LATER[view]().then(
      (View) => setPart({ View: View as ComponentType<{ readonly place: never }> }),
      (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
  }, [view]);
  // Thrown while drawing, so that the failing part shows the error.
  if (error !== undefined) throw error;
  return part === undefined ? <Busy on /> : <part.View place={place as never} />;
}

/** How long a text is shown, at least, and for each of its characters. */
const SAID_MS = { least: 4000, character: 60 } as const;

/** Announced to screen readers, and shown for a moment. */
function Said({ said }: { readonly said: Signal<string> }) {
  const text = said.value;
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(
      () => {
        said.value = "";
      },
      Math.max(SAID_MS.least, SAID_MS.character * text.length),
    );
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class={text === "" ? "unseen" : "toast"} role="status" aria-live="polite">
      {said.value}
    </div>
  );
}

function KeyList({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(lettersOn());
  return (
    <dialog
      class="dialog"
      aria-label="Keyboard shortcuts"
      ref={(element) => {
        if (element !== null && !element.open) element.showModal();
      }}
      onClose={onClose}
    >
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        {COMPARISON_KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            setLetters(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />{" "}
        single-letter shortcuts
      </label>{" "}
      <button type="button" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
        Close
      </button>
    </dialog>
  );
}
