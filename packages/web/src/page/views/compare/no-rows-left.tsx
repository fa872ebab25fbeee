// Shows which rows each filter excludes, if no row is left.

import { countText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import type { ComparisonData } from "../../data/hooks/use-comparison.ts";
import { useQuery } from "../../data/hooks/use-query.ts";
import { type Chosen, pageBody } from "../../data/questions.ts";
import { ConditionChips } from "../../parts/filter/condition-chips.tsx";
import { Link } from "../../parts/link.tsx";
import { type Parts, useApp } from "../../state/app.tsx";

interface NoRowsLeftProps {
  readonly chosen: Chosen;
  readonly data: ComparisonData;
  readonly onGo: (parts: Parts) => void;
}

/** Shows what each filter excludes, with a small question each. */
export function NoRowsLeft({ chosen, data, onGo }: NoRowsLeftProps): JSX.Element {
  const { api } = useApp();
  const { place } = chosen;
  const { evaluations, measure, rowsKey } = data;
  const without = useQuery(`without ${rowsKey ?? ""}`, (signal) =>
    Promise.all(
      place.chips.map(async (_, index) => {
        const chips = place.chips.filter((_, at) => at !== index);
        const body = pageBody({ ...chosen, place: { ...place, chips } }, measure, 0);
        const page = await api.page(place.project, { ...body, query: { ...body.query, limit: 0 } }, signal);
        return page.total_rows;
      }),
    ),
  );
  if (place.chips.length === 0 && place.change === undefined)
    return (
      <div class="notice">
        <h2>No rows yet</h2>
        <p>
          Nothing has been logged to {evaluations.map(({ name }) => name).join(", ")} in {place.project}.
        </p>
        <Link to={{ view: "evaluations", project: place.project, rest: [] }}>All evaluations</Link>
      </div>
    );
  return (
    <div class="notice">
      <h2>No row matches all filters</h2>
      {place.change !== undefined && (
        <p>
          <button type="button" class="link" onClick={() => onGo({ change: undefined })}>
            Show all rows, not only “{place.change}”
          </button>
        </p>
      )}
      <ul>
        {place.chips.map((chip, index) => (
          <li key={JSON.stringify(chip)}>
            <ConditionChips
              chips={[chip]}
              evaluations={evaluations}
              onRemove={() => onGo({ chips: place.chips.filter((_, at) => at !== index) })}
            />{" "}
            without it: {without.value === undefined ? "…" : countText(without.value[index] ?? 0, "row")}
          </li>
        ))}
      </ul>
    </div>
  );
}
