// What surrounds every view: where one can go, the theme, the list of keys, and what is said to who cannot see.

import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Link } from "../parts/link.tsx";
import { Guarded } from "../parts/states.tsx";
import { useApp } from "../state/app.tsx";
import { COMPARISON_KEYS } from "../state/comparison-keys.ts";
import { lettersOn, setLetters, useKeys } from "../state/keys.ts";
import { comparisonOf, type Place } from "../state/place.ts";
import { nextTheme, type Theme, theme } from "../state/theme.ts";
import { shown } from "../words/shown.ts";
import { Compare } from "./compare.tsx";
import { Evaluations } from "./evaluations.tsx";
import { Palette } from "./palette.tsx";
import { Start } from "./start.tsx";

/** The page. */
export function Shell({ said }: { readonly said: Signal<string> }): JSX.Element {
  const { place, go } = useApp();
  const [dialog, setDialog] = useState<"keys" | "palette" | undefined>(undefined);
  const [look, setLook] = useState<Theme>(theme());
  const here = place.value;
  const project = "project" in here ? here.project : undefined;
  const to = (target: Place) => () => go(target);
  useKeys({
    "?": () => setDialog("keys"),
    "mod+k": () => setDialog("palette"),
    ...(project !== undefined && {
      "g c": to(comparisonOf(project)),
      "g e": to({ view: "evaluations", project, rest: [] }),
    }),
  });
  return (
    <div class="shell">
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
            </>
          )}
        </nav>
        <span class="spring" />
        <button type="button" class="quiet" onClick={() => setDialog("palette")}>
          Ctrl K
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="keys of the keyboard"
          onClick={() => setDialog("keys")}
        >
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

function View({ place }: { readonly place: Place }) {
  switch (place.view) {
    case "start":
      return <Start />;
    case "evaluations":
      return <Evaluations project={place.project} />;
    case "compare":
      return <Compare key={place.project} place={place} />;
    default:
      return <Start />;
  }
}

/** Said to who cannot see the page, and shown for a moment when it answers what somebody did. */
function Said({ said }: { readonly said: Signal<string> }) {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}

function KeyList({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(lettersOn());
  return (
    <dialog
      class="dialog"
      aria-label="Keys"
      ref={(element) => {
        if (element !== null && !element.open) element.showModal();
      }}
      onClose={onClose}
    >
      <h2>Keys</h2>
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
        keys of one letter
      </label>{" "}
      <button type="button" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
        Close
      </button>
    </dialog>
  );
}
