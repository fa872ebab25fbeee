// Growing curves of a metric on a canvas, with the same numbers as a table for screen readers.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Curve } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";
import { Letter, letterClass } from "../letter.tsx";

const HEIGHT = 170;
/** The number of values in the table of a curve. */
const IN_TABLE = 20;

/** A line of a chart. */
export interface ChartLine {
  readonly curve: Curve;
  /** Whose it is, if a chart has several: the place among its owners, from 0, and the owner's name. */
  readonly owner?: { readonly index: number; readonly name: string };
}

/** The chart of a metric. Its lines must have the same owners whenever it is drawn. */
export function CurveChart({
  name,
  lines,
}: {
  readonly name: string;
  readonly lines: readonly ChartLine[];
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const latest = useRef(lines);
  latest.current = lines;
  useEffect(() => {
    const place = box.current!;
    const made = new uPlot(optionsFor(place, latest.current), dataOf(latest.current), place);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(dataOf(lines)), [lines]);
  return (
    <figure class="curve">
      <figcaption>
        <strong>{shown(name)}</strong>
        {lines.map(({ curve: { steps, values }, owner }) => (
          <span class="muted" key={owner?.index}>
            {" "}
            {owner !== undefined && <Letter index={owner.index} />} {numberText(values.at(-1)!)}
            {owner === undefined && ` at step ${steps.at(-1)}`}
          </span>
        ))}
      </figcaption>
      <div ref={box} aria-hidden="true" />
      <table class="unseen">
        <caption>{shown(name)}, its last values</caption>
        <tbody>
          {lines.flatMap(({ curve: { steps, values }, owner }) =>
            steps.slice(-IN_TABLE).map((step, at) => (
              <tr key={`${owner?.index} ${step}`}>
                <th scope="row">
                  {owner !== undefined && `${shown(owner.name)}, `}step {step}
                </th>
                <td>{numberText(values.slice(-IN_TABLE)[at]!)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </figure>
  );
}

function dataOf(lines: readonly ChartLine[]): uPlot.AlignedData {
  const tables = lines.map(({ curve }): uPlot.AlignedData => [[...curve.steps], [...curve.values]]);
  return tables.length === 1 ? tables[0]! : uPlot.join(tables);
}

function optionsFor(place: HTMLElement, lines: readonly ChartLine[]): uPlot.Options {
  const colour = (name: string): string => {
    // The theme's colours are functions in the style sheet; the canvas needs the computed values.
    const probe = place.appendChild(document.createElement("span"));
    probe.className = name;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const soft = colour("muted");
  const axis = { stroke: soft, grid: { stroke: soft, width: 0.25 }, ticks: { stroke: soft, width: 0.25 } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: 56, values: (_, ticks) => ticks.map(numberText) }],
    series: [
      {},
      ...lines.map(({ owner }) => ({
        stroke: colour(owner === undefined ? "better" : letterClass(owner.index)),
        ...{ width: 1.5, spanGaps: true, points: { show: false } },
      })),
    ],
    cursor: { y: false },
  };
}
