// The compared evaluations as chips: the baseline, the candidate, the progress of running ones, and a way to add and
// remove.

import type { CompareResults } from "@assay/eval-engine";
import { countText } from "@assay/eval-engine/words";
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ListedEvaluation } from "../../data/answers.ts";
import { without } from "../../data/choose.ts";
import type { Progress } from "../../data/hooks/use-watched.ts";
import { type Chosen, copiedQuestion, type PageBody } from "../../data/questions.ts";
import type { NamedEvaluation } from "../../format/evaluation-names.ts";
import { shown } from "../../format/shown.ts";
import { whenText } from "../../format/time.ts";
import { Letter } from "../../parts/letter.tsx";
import { useInitialFocus } from "../../parts/use-initial-focus.ts";
import { changed, linkTo, type Parts, useApp } from "../../state/app.tsx";
import { isInOpened } from "../../transport/opened-files.ts";
import { ExportMenu } from "./export-menu.tsx";

/** Properties of the bar. */
export interface EvaluationBarProps {
  readonly chosen: Chosen;
  /** How the evaluations were chosen, if none were named and there was a choice. */
  readonly among: string | undefined;
  /** The comparison's answer, once it is loaded. */
  readonly compared: CompareResults | undefined;
  readonly evaluations: readonly NamedEvaluation[];
  /** Those of them that are shown side by side. */
  readonly columns: readonly NamedEvaluation[];
  readonly listed: readonly ListedEvaluation[];
  readonly watched: ReadonlyMap<string, Progress>;
  /** The question that the rows below answer, and their number. */
  readonly question: PageBody;
  readonly total: number;
  /** Whether the export menu is open. */
  readonly exporting: boolean;
  readonly onExport: (open: boolean) => void;
  readonly onGo: (parts: Parts) => void;
}

/** The bar. */
export function EvaluationBar({
  chosen,
  among,
  compared,
  evaluations,
  columns,
  listed,
  watched,
  question,
  total,
  exporting,
  onExport,
  onGo,
}: EvaluationBarProps): JSX.Element {
  const { refresh, say, file } = useApp();
  const { baseline, candidate, place } = chosen;
  // Files that were opened on the page exist only in this browser, until it is reloaded.
  const shareable = !isInOpened(place);
  const others = listed.filter(({ id }) => !chosen.evaluations.includes(id));
  const [unfolded, setUnfolded] = useState(false);
  const fresh = evaluations.reduce((sum, { id, listed: of }) => {
    const now = watched.get(id)?.trial_count;
    return now === undefined || of === undefined ? sum : sum + Math.max(0, now - of.trials);
  }, 0);
  return (
    <div class="evaluation-bar">
      {(unfolded ? evaluations : columns).map((one) => (
        <EvaluationChip
          key={one.id}
          one={one}
          role={
            baseline === undefined
              ? "only"
              : one.id === baseline
                ? "baseline"
                : one.id === candidate
                  ? "candidate"
                  : "other"
          }
          progress={watched.get(one.id)}
          onBaseline={() =>
            onGo(one.id === candidate ? { baseline: one.id, candidate: baseline } : { baseline: one.id })
          }
          onCandidate={() =>
            onGo(one.id === baseline ? { candidate: one.id, baseline: candidate } : { candidate: one.id })
          }
          onRemove={
            evaluations.length > 1
              ? () => onGo(without({ ...place, evaluations: chosen.evaluations }, one.id))
              : undefined
          }
        />
      ))}
      {evaluations.length > columns.length && (
        <button type="button" class="link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? "fewer" : `+ ${evaluations.length - columns.length} more, in Matrix and Ranking`}
        </button>
      )}
      {others.length > 0 && (
        <select
          aria-label="add an evaluation"
          class="quiet"
          value=""
          onChange={(event) => {
            const id = event.currentTarget.value;
            if (id !== "") onGo({ evaluations: [...chosen.evaluations, id] });
          }}
        >
          <option value="">+ add</option>
          {others
            .toReversed()
            .slice(0, 500)
            .map(({ id, name, started_at }) => (
              <option key={id} value={id}>
                {shown(name ?? id)} {whenText(started_at)}
              </option>
            ))}
        </select>
      )}
      {fresh > 0 && (
        <button type="button" class="chip update" onClick={() => refresh.value++}>
          {countText(fresh, "new trial")} · update (u)
        </button>
      )}
      <span class="spring muted among" title={among}>
        {among !== undefined && shown(among)}
      </span>
      {shareable && (
        <button type="button" class="chip" onClick={() => void copied(linkOf(chosen), "the link", say)}>
          Share
        </button>
      )}
      {file.value === undefined && (
        <span class="anchor">
          <button type="button" class="chip" aria-expanded={exporting} onClick={() => onExport(!exporting)}>
            Export
          </button>
          {exporting && (
            <ExportMenu
              key={JSON.stringify(question)}
              project={chosen.place.project}
              question={question}
              total={total}
              onClose={() => onExport(false)}
            />
          )}
        </span>
      )}
      {shareable && <Copyable chosen={chosen} compared={compared} say={say} />}
    </div>
  );
}

interface EvaluationChipProps {
  readonly one: NamedEvaluation;
  readonly role: "baseline" | "candidate" | "other" | "only";
  readonly progress: Progress | undefined;
  readonly onBaseline: () => void;
  readonly onCandidate: () => void;
  readonly onRemove: (() => void) | undefined;
}

function EvaluationChip({ one, role, progress, onBaseline, onCandidate, onRemove }: EvaluationChipProps) {
  const running = one.listed !== undefined && one.listed.ended_at === null && progress?.ended_at == null;
  const started = whenText(one.listed?.started_at);
  return (
    <span class={`evaluation-chip ${role}`}>
      <Letter index={one.index} />
      <button
        type="button"
        class="link name"
        title={`${one.fullName}${started === "" ? "" : `, started ${started}`}; make it the candidate`}
        onClick={onCandidate}
      >
        {one.name}
      </button>
      {role === "baseline" ? (
        <span class="role">baseline</span>
      ) : role === "only" ? null : (
        <button type="button" class="role" title="make it the baseline" onClick={onBaseline}>
          {role === "candidate" ? "candidate" : "set baseline"}
        </button>
      )}
      {running && (
        <span class="running-dot">
          ● {countText(progress?.trial_count ?? one.listed?.trials ?? 0, "trial")}
          {progress !== undefined &&
            progress.trials_per_second > 0 &&
            `, ${progress.trials_per_second.toFixed(1)}/s`}
        </span>
      )}
      {onRemove !== undefined && (
        <button type="button" class="remove" aria-label={`remove ${one.name}`} onClick={onRemove}>
          ✕
        </button>
      )}
    </span>
  );
}

/** The same question as a shell command and for a program, so that the page teaches the interface. */
function Copyable({
  chosen,
  compared,
  say,
}: Pick<EvaluationBarProps, "chosen" | "compared"> & { readonly say: (text: string) => void }) {
  const { api, file } = useApp();
  const [open, setOpen] = useState(false);
  const { project } = chosen.place;
  const { command, body } = copiedQuestion(chosen, compared);
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  const curl = `curl -s ${api.address(`/v2/${project}/eval_results/compare`)} -H 'Content-Type: application/json' -d '${text}'`;
  return (
    <span class="anchor">
      <button type="button" class="chip" aria-expanded={open} onClick={() => setOpen(!open)}>
        {"Query </>"}
      </button>
      {open && (
        <Popover onClose={() => setOpen(false)}>
          {(file.value === undefined ? [command, curl] : [command]).map((text) => (
            <div key={text} class="copy-line">
              <pre>{text}</pre>
              <button type="button" onClick={() => void copied(text, "it", say)}>
                Copy
              </button>
            </div>
          ))}
        </Popover>
      )}
    </span>
  );
}

function Popover({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const self = useRef<HTMLElement>(null);
  useInitialFocus(self);
  return (
    <section
      ref={self}
      class="popover wide"
      aria-label="Query"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </section>
  );
}

/** The link to this comparison, which names its evaluations: those that a project opens with change as it grows. */
export function linkOf({ place, evaluations, baseline, candidate }: Chosen): string {
  return new URL(linkTo(changed(place, { evaluations, baseline, candidate })), location.href).href;
}

/** Copies a text, and announces whether it worked. */
export async function copied(text: string, what: string, say: (text: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`copied ${what}`);
  } catch {
    say("the browser blocked copying");
  }
}
