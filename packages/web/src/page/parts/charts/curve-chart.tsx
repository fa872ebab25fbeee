// A growing curve on a canvas, with the same numbers as a table for screen readers.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Curve } from "../../format/curves.ts";
import { shown } from "../../format/shown.ts";

const HEIGHT = 170;
/** The number of values in the table of a curve. */
const IN_TABLE = 20;

/** The chart. */
export function CurveChart({ curve }: { readonly curve: Curve }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const latest = useRef(curve);
  latest.current = curve;
  useEffect(() => {
    const place = box.current!;
    const made = new uPlot(optionsFor(place), dataOf(latest.current), place);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(dataOf(curve)), [curve]);
  const name = shown(curve.name);
  const last = curve.values.at(-1);
  return (
    <figure class="curve">
      <figcaption>
        <strong>{name}</strong>{" "}
        {last !== undefined && (
          <span class="muted">
            {numberText(last)} at step {curve.steps.at(-1)}
          </span>
        )}
      </figcaption>
      <div ref={box} aria-hidden="true" />
      <table class="unseen">
        <caption>{name}, its last values</caption>
        <tbody>
          {curve.steps.slice(-IN_TABLE).map((step, at) => (
            <tr key={step}>
              <th scope="row">step {step}</th>
              <td>{numberText(curve.values.slice(-IN_TABLE)[at]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function dataOf({ steps, values }: Curve): uPlot.AlignedData {
  return [[...steps], [...values]];
}

function optionsFor(place: HTMLElement): uPlot.Options {
  const colour = (name: string): string => {
    // The theme's colours are functions in the style sheet; the canvas needs the computed values.
    const probe = place.appendChild(document.createElement("span"));
    probe.className = name;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const [line, soft] = [colour("better"), colour("muted")];
  const axis = { stroke: soft, grid: { stroke: soft, width: 0.25 }, ticks: { stroke: soft, width: 0.25 } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [axis, { ...axis, size: 56 }],
    series: [{}, { stroke: line, width: 1.5, points: { show: false } }],
    cursor: { y: false },
  };
}
