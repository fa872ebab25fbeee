// What a single evaluation shows about the measure in focus: its mean, and how far it may be off.

import { countText, type MeasureKind, meanBoundsText, meanText, measureName } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, rankingBody } from "../../data/questions.ts";
import { shown } from "../../format/shown.ts";
import { useApp } from "../../state/app.tsx";

/** The sentence; nothing until it is known. */
export function SingleResult({
  chosen,
  measure,
  kind,
}: {
  readonly chosen: Chosen;
  readonly measure: string;
  readonly kind: MeasureKind;
}): JSX.Element | null {
  const { api, refresh } = useApp();
  const { project } = chosen.place;
  const body = rankingBody(chosen, measure);
  const { value } = useQuery(JSON.stringify(["ranking", project, body, refresh.value]), (signal) =>
    api.ranking(project, body, signal),
  );
  const [only] = value?.evaluations ?? [];
  if (value === undefined || only === undefined || only.mean === null) return null;
  const bounds = only.interval === null ? "" : ` (95% CI ${meanBoundsText(kind, only.interval)})`;
  return (
    <p class="sentence">
      {shown(measureName(measure))}: {meanText(kind, only.mean)}
      {bounds}, {countText(only.rows, "row")}.
    </p>
  );
}
