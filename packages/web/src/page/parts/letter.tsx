// The letter of what is in a column, in its colour.

import type { JSX } from "preact";
import { letterOf } from "../format/evaluation-names.ts";

/** The number of colours. */
const COLOURS = 8;

/** The classes of the letter at a place, from 0. */
export function letterClass(index: number): string {
  return `letter c${index % COLOURS}`;
}

/** The letter at a place, from 0. */
export function Letter({ index }: { readonly index: number }): JSX.Element {
  return <span class={letterClass(index)}>{letterOf(index)}</span>;
}
