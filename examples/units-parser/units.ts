// The units of versions 2 and 3.

/** One meaning of a unit's name: `value * factor + offset` is the amount in the base unit. */
export interface Unit {
  readonly base: string;
  readonly factor: number;
  readonly offset: number;
}

const unit = (base: string, factor: number, offset = 0): Unit => ({ base, factor, offset });

/** The prefixes of metric symbols, smallest first. */
export const PREFIXES: ReadonlyMap<string, number> = new Map([
  ["n", 1e-9],
  ["μ", 1e-6],
  ["m", 1e-3],
  ["c", 1e-2],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
]);

/** Symbols that take a prefix. */
export const METRIC: ReadonlyMap<string, Unit> = new Map([
  ["m", unit("m", 1)],
  ["g", unit("kg", 1e-3)],
  ["s", unit("s", 1)],
  ["L", unit("L", 1)],
  ["W", unit("W", 1)],
  ["J", unit("J", 1)],
  ["B", unit("B", 1)],
]);

/** Full names in the singular. An ambiguous name has two meanings; only the context can decide between them. */
export const NAMES: ReadonlyMap<string, readonly Unit[]> = new Map([
  ["metre", [unit("m", 1)]],
  ["kilometre", [unit("m", 1e3)]],
  ["centimetre", [unit("m", 1e-2)]],
  ["inch", [unit("m", 0.0254)]],
  ["in", [unit("m", 0.0254)]],
  ["foot", [unit("m", 0.3048)]],
  ["feet", [unit("m", 0.3048)]],
  ["ft", [unit("m", 0.3048)]],
  ["mile", [unit("m", 1609.344)]],
  ["mi", [unit("m", 1609.344)]],
  ["kilogram", [unit("kg", 1)]],
  ["gram", [unit("kg", 1e-3)]],
  ["pound", [unit("kg", 0.45359237)]],
  ["lb", [unit("kg", 0.45359237)]],
  ["oz", [unit("kg", 0.028349523125), unit("L", 0.0295735295625)]],
  ["second", [unit("s", 1)]],
  ["minute", [unit("s", 60)]],
  ["min", [unit("s", 60)]],
  ["hour", [unit("s", 3600)]],
  ["h", [unit("s", 3600)]],
  ["day", [unit("s", 86_400)]],
  ["d", [unit("s", 86_400)]],
  ["litre", [unit("L", 1)]],
  ["watt", [unit("W", 1)]],
  ["joule", [unit("J", 1)]],
  ["byte", [unit("B", 1)]],
  ["K", [unit("K", 1)]],
]);
