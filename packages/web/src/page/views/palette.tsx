// A palette with all places, by name.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../data/hooks/use-query.ts";
import { shown } from "../format/shown.ts";
import { whenText } from "../format/time.ts";
import { useApp } from "../state/app.tsx";
import { comparisonOf, type PageRoute } from "../state/page-route.ts";

interface Target {
  readonly text: string;
  readonly to: PageRoute;
}

/** Areas of a server in addition to evaluation results. */
const OTHER_AREAS: readonly Target[] = [
  { text: "Training", to: { view: "training", rest: [] } },
  { text: "Models", to: { view: "models", rest: [] } },
  { text: "Chat", to: { view: "chat", models: [], rest: [] } },
  { text: "Usage", to: { view: "usage", by: [], rest: [] } },
  { text: "Keys", to: { view: "keys", rest: [] } },
];

/** The maximum number of listed names. */
const LISTED = 12;

/** The list, which typing filters. */
export function Palette({
  project,
  onClose,
}: {
  readonly project: string | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const { api, go, served } = useApp();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const evaluations = useQuery(project && `palette ${project}`, (signal) =>
    api.evaluations(project!, signal),
  );
  const targets: readonly Target[] = [
    ...(project === undefined
      ? []
      : [
          { text: `Compare the latest of ${project}`, to: comparisonOf(project) },
          { text: `Evaluations of ${project}`, to: { view: "evaluations", project, rest: [] } as const },
        ]),
    { text: "Projects", to: { view: "start", rest: [] } },
    ...(served ? OTHER_AREAS : []),
    ...(evaluations.value ?? []).toReversed().map(({ id, name, started_at }) => ({
      text: `${name ?? id}, ${whenText(started_at)}`,
      to: comparisonOf(project!, { evaluations: [id] }),
    })),
  ];
  const words = text.toLowerCase().split(/\s+/);
  const found = targets
    .filter((one) => words.every((word) => one.text.toLowerCase().includes(word)))
    .slice(0, LISTED);
  const pick = (target: Target | undefined): void => {
    if (target === undefined) return;
    dialog.current?.close();
    go(target.to);
  };
  return (
    <dialog class="dialog palette" ref={dialog} aria-label="Go to" onClose={onClose}>
      <input
        aria-label="Go to"
        placeholder="Go to …"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          else if (event.key === "Enter") pick(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul>
        {found.map((target, index) => (
          <li key={target.text}>
            <button type="button" class={index === at ? "current" : ""} onClick={() => pick(target)}>
              {shown(target.text)}
            </button>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
