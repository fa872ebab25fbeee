// Weights as text with six bits per weight, the form in which the base model ships. 64 weights share a scale. Reading
// takes milliseconds, and gives the same numbers on every engine, because it only multiplies by exact numbers.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The number of weights that share a scale. */
const BLOCK = 64;
/** A weight is a whole number from -31 to 31, times the scale of its block. */
const MOST = 31;
/** The exponent of a block of zeros, after which no weights follow. */
const NOTHING = 63;

const VALUES: Uint8Array = valuesOf(ALPHABET);
/** The scale of an exponent: 8, 4, 2, 1, 1/2, … */
const POWERS: Float64Array = halvings(8, NOTHING);

/** `weights` as text; the result of `readQuantised` differs by at most half of the scale of each block. */
export function printQuantised(weights: Float32Array): string {
  const parts: string[] = [];
  for (let at = 0; at < weights.length; at += BLOCK) parts.push(printBlock(weights.subarray(at, at + BLOCK)));
  return parts.join("");
}

/** Reads `length` weights from `text`. Throws if the text is too short or too long. */
export function readQuantised(text: string, length: number): Float32Array {
  const weights = new Float32Array(length);
  let from = 0;
  const next = () => VALUES[text.charCodeAt(from++)]!;
  for (let at = 0; at < length; at += BLOCK) {
    const exponent = next();
    if (exponent === NOTHING) continue;
    const scale = scaleOf(exponent, next());
    const end = Math.min(at + BLOCK, length);
    for (let i = at; i < end; i++) weights[i] = (next() - MOST) * scale;
  }
  if (from !== text.length) throw new Error(`${text.length} characters do not hold ${length} weights`);
  return weights;
}

function printBlock(weights: Float32Array): string {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  if (largest === 0) return ALPHABET[NOTHING]!;
  // The smallest scale that fits the largest weight.
  let exponent = NOTHING - 1;
  while (exponent > 0 && scaleOf(exponent, 63) * MOST < largest) exponent--;
  let fraction = 0;
  while (fraction < 63 && scaleOf(exponent, fraction) * MOST < largest) fraction++;
  const scale = scaleOf(exponent, fraction);
  const letters = Array.from(weights, (weight) => {
    const rounded = Math.max(-MOST, Math.min(MOST, Math.round(weight / scale)));
    return ALPHABET[rounded + MOST]!;
  });
  return ALPHABET[exponent]! + ALPHABET[fraction]! + letters.join("");
}

function scaleOf(exponent: number, fraction: number): number {
  return POWERS[exponent]! * (1 + fraction / 64);
}

function halvings(first: number, count: number): Float64Array {
  const powers = new Float64Array(count);
  for (let i = 0, power = first; i < count; i++, power /= 2) powers[i] = power;
  return powers;
}

function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128);
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;
  return values;
}
