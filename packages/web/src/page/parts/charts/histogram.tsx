// A histogram: the distribution of values over rows, as bars side by side. Each bar is a button that opens exactly the
// rows it counts.

import { countText } from "@assay/eval-engine/words";
import type { JSX } from "preact";

/** A bar: some rows, and a link to them. */
interface Bar {
  /** The common property of its rows, in words. */
  readonly label: string;
  readonly rows: number;
  readonly tone: "better" | "worse" | "even" | "missing";
  /** Shows its rows. */
  readonly onOpen: () => void;
}

/** Properties of the histogram. */
export interface HistogramProps {
  readonly title: JSX.Element | string;
  readonly bars: readonly Bar[];
  /** The count that corresponds to the full height: for histograms side by side, the highest of all. */
  readonly highest: number;
  /** The index of the evaluation whose colour the bars have; undefined if the tone determines it. */
  readonly colour: number | undefined;
}

/** The most bars that all have labels; with more, only the first and the last have. */
const LABELLED = 7;
/** The most bars that have their counts above them. */
const COUNTED = 14;

/** The histogram. */
export function Histogram({ title, bars, highest, colour }: HistogramProps): JSX.Element {
  const rows = bars.reduce((sum, bar) => sum + bar.rows, 0);
  const each = bars.length <= LABELLED;
  return (
    <figure class={`histogram${colour === undefined ? "" : ` c${colour % 8}`}`}>
      <figcaption>
        {title} <span class="muted">{countText(rows, "row")}</span>
      </figcaption>
      <ol class="bars">
        {bars.map((bar, at) => {
          const count = countText(bar.rows, "row");
          const height = highest === 0 ? 0 : (100 * bar.rows) / highest;
          return (
            <li key={bar.label}>
              <button
                type="button"
                class={`bar ${bar.tone}`}
                aria-label={`${bar.label}: ${count}`}
                title={`${bar.label}: ${count}`}
                disabled={bar.rows === 0}
                onClick={bar.onOpen}
              >
                <span class="bar-count" aria-hidden="true">
                  {bars.length <= COUNTED && bar.rows > 0 ? bar.rows.toLocaleString("en") : ""}
                </span>
                <span class="bar-fill" style={{ height: `${bar.rows > 0 ? Math.max(1.5, height) : 0}%` }} />
              </button>
              <span class="bar-label" aria-hidden="true">
                {each || at === 0 || at === bars.length - 1 ? bar.label : ""}
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
