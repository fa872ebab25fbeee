// The panel below the tabs of a comparison.

import type { JSX } from "preact";
import type { PageRow } from "../../data/answers.ts";
import type { ComparisonData } from "../../data/hooks/use-comparison.ts";
import type { Chosen } from "../../data/questions.ts";
import { Grid } from "../../parts/grid.tsx";
import { Guarded } from "../../parts/states.tsx";
import type { Parts } from "../../state/app.tsx";
import type { Tab } from "../../state/page-route.ts";
import { Distribution } from "./distribution.tsx";
import { Matrix } from "./matrix.tsx";
import { NoRowsLeft } from "./no-rows-left.tsx";
import { RankingView } from "./ranking.tsx";
import { Slices } from "./slices.tsx";

interface TabPanelProps {
  readonly chosen: Chosen;
  readonly data: ComparisonData;
  /** The index of the current row. */
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (row: PageRow) => void;
  readonly onFocus: (field: string) => void;
  readonly onGo: (parts: Parts, replace?: boolean) => void;
}

/** The tabs about the measure in focus. */
const OF_A_MEASURE: readonly Tab[] = ["distribution", "slices", "ranking"];

/** The content of the current tab. */
export function TabPanel({
  chosen,
  data,
  cursor,
  onCursor,
  onOpen,
  onFocus,
  onGo,
}: TabPanelProps): JSX.Element {
  const { place } = chosen;
  const { directions, evaluations, focus, rows, shown } = data;
  return (
    <Guarded key={place.tab}>
      {place.tab === "rows" &&
        (rows.latest !== undefined && data.total === 0 ? (
          <NoRowsLeft chosen={chosen} data={data} onGo={onGo} />
        ) : (
          <Grid
            rows={rows}
            evaluations={shown.columns}
            baseline={shown.baseline}
            candidate={shown.candidate}
            measure={shown.focus}
            directions={directions}
            diff={place.diff}
            dense={place.dense}
            cursor={cursor}
            onCursor={onCursor}
            onOpen={onOpen}
            open={place.row}
          />
        ))}
      {place.tab === "matrix" && data.summary.value !== undefined && (
        <Matrix
          summary={data.summary.value.summary}
          evaluations={evaluations}
          compared={data.all}
          baseline={chosen.baseline}
          focus={focus}
          onFocus={onFocus}
        />
      )}
      {focus === undefined && data.summary.value !== undefined && OF_A_MEASURE.includes(place.tab) && (
        <p class="notice">No row has a score that is a number or a boolean.</p>
      )}
      {place.tab === "distribution" && focus !== undefined && (
        <Distribution
          chosen={chosen}
          evaluations={data.columns}
          measure={focus}
          kind={data.kind}
          compared={data.measures[0]}
          direction={directions.get(focus) ?? null}
          onGo={onGo}
        />
      )}
      {place.tab === "slices" && focus !== undefined && (
        <Slices chosen={chosen} evaluations={evaluations} measure={focus} onGo={onGo} />
      )}
      {place.tab === "ranking" && focus !== undefined && (
        <RankingView chosen={chosen} evaluations={evaluations} measure={focus} kind={data.kind} />
      )}
    </Guarded>
  );
}
