// Which simulations are published, as tables: a row for each kind of value, a column for each number of rows.

import type { Adjustment } from "../src/index.ts";
import { LEVEL, RESAMPLES } from "./methods.ts";
import { lognormal, passing, type Quantity, type Random } from "./quantities.ts";
import { coverage, falseVerdicts, looks, rejections, type Setting, type Share } from "./simulate.ts";

/** A table of shares in percent. */
export interface Table {
  readonly title: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: readonly string[]; readonly shares: readonly (Share | null)[] }[];
  /** Between what the shares should lie; a table for contrast wants nothing. */
  readonly wanted?: { readonly from: number; readonly to: number } | undefined;
}

const ROWS = [12, 30, 100, 1000];
const CLUSTERS = 20;
const PASSING = [0.5, 0.9, 0.99];
const SIGMAS = [0.5, 1];
const COVERED = { from: 0.94, to: 0.965 };
const FALSE = { from: 0, to: 1 - LEVEL };

/** What is not in a setting yet: the number of rows. */
type Kind = Omit<Setting, "rows">;

const booleans = PASSING.map(passing);
const numbers = SIGMAS.map((sigma) => lognormal(sigma));

const kindsOf = (method: string, quantities: readonly Quantity[], trials: number, more = {}): Kind[] =>
  quantities.map((quantity) => ({ method, quantity, trials, ...more }));

/** The same with a candidate: one that differs, or not at all. */
function against(kinds: readonly Kind[], isDifferent: boolean): Kind[] {
  return kinds.map((kind) => ({ ...kind, candidate: isDifferent ? changed(kind.quantity) : kind.quantity }));
}

/** Of all rows a tenth fewer pass; a number is a tenth larger. */
function changed(quantity: Quantity): Quantity {
  const p = PASSING.find((_, i) => booleans[i] === quantity);
  if (p !== undefined) return passing(p - 0.1);
  return lognormal(SIGMAS.find((_, i) => numbers[i] === quantity)!, 1.1);
}

const labelOf = ({ method, quantity, trials, clusters }: Kind): string[] => [
  `\`${method}\``,
  quantity.label,
  trials === 1 ? "1" : String(trials),
  clusters === undefined ? "" : String(clusters),
];

function tableOf(
  { title, about, wanted }: Pick<Table, "title" | "about" | "wanted">,
  kinds: readonly Kind[],
  share: (setting: Setting) => Share,
): Table {
  return {
    ...{ title, about, wanted },
    columns: ["method", "values", "trials", "clusters", ...ROWS.map((n) => `n = ${n}`)],
    rows: kinds.map((kind) => ({
      label: labelOf(kind),
      // Fewer rows than clusters would be other clusters.
      shares: ROWS.map((rows) => (rows < (kind.clusters ?? 0) ? null : share({ ...kind, rows }))),
    })),
  };
}

/** Runs a cell of what takes long: the bootstrap, answers of 24 measures, 50 looks. */
export function fewerRuns(runs: number): number {
  return Math.ceil(runs / 5);
}

/** All tables, one after the other. */
export function* tables(runs: number, random: Random): Generator<Table, void, void> {
  const covered = (setting: Setting): Share =>
    coverage(setting, setting.method === "bootstrap_bca" ? fewerRuns(runs) : runs, random);
  yield tableOf(
    {
      title: "One evaluation: intervals that hold the true mean",
      about: `Percent of ${LEVEL * 100} % intervals. The bootstrap has ${RESAMPLES} resamples here and ${fewerRuns(runs)} runs a cell.`,
      wanted: COVERED,
    },
    [
      ...kindsOf("wilson", booleans, 1),
      ...kindsOf("t", booleans, 5),
      ...kindsOf("t", numbers, 1),
      ...kindsOf("t", numbers, 5),
      ...kindsOf("cluster_t", booleans, 1, { clusters: CLUSTERS }),
      ...kindsOf("cluster_t", numbers, 1, { clusters: CLUSTERS }),
      ...kindsOf("bootstrap_bca", booleans, 1),
      ...kindsOf("bootstrap_bca", booleans.slice(1), 5),
      ...kindsOf("bootstrap_bca", numbers, 1),
    ],
    covered,
  );
  const pairs = [
    ...kindsOf("bonett_price", booleans, 1),
    ...kindsOf("t", booleans, 5),
    ...kindsOf("t", numbers, 1),
    ...kindsOf("t", numbers, 5),
    ...kindsOf("cluster_t", booleans, 1, { clusters: CLUSTERS }),
    ...kindsOf("cluster_t", numbers, 1, { clusters: CLUSTERS }),
    ...kindsOf("newcombe", booleans, 1, { unpaired: true }),
    ...kindsOf("welch", numbers, 1, { unpaired: true }),
  ];
  const resampled = [...kindsOf("bootstrap_bca", [booleans[1]!, numbers[1]!], 1)];
  yield tableOf(
    {
      title: "Two evaluations that do not differ: intervals that hold 0",
      about:
        "Percent. `newcombe` and `welch` have rows of their own on each side; the others share their rows.",
      wanted: COVERED,
    },
    against([...pairs, ...resampled], false),
    covered,
  );
  yield tableOf(
    {
      title: "Two evaluations that differ: intervals that hold the true difference",
      about: "Percent. A tenth of all rows fewer pass, or numbers are a tenth larger.",
      wanted: COVERED,
    },
    against([...pairs, ...resampled], true),
    covered,
  );
  yield tableOf(
    {
      title: "p-values: tests that reject at 0.05 what is true",
      about:
        "Percent. `bonett_price` stands for McNemar's mid-p, `t` for the exact sign-flip test where differences lie on a grid and the t-test where they do not, `newcombe` for the test of two proportions.",
      wanted: FALSE,
    },
    against(pairs, false),
    (setting) => rejections(setting, runs, random),
  );
  yield* verdictTables(runs, random);
  yield lookTable(runs, random);
}

const MEASURES = 24;

function* verdictTables(runs: number, random: Random): Generator<Table, void, void> {
  const families: [string, Kind[]][] = [
    ["booleans, 1 trial", against(kindsOf("bonett_price", booleans, 1), false)],
    ["booleans, 5 trials", against(kindsOf("t", booleans, 5), false)],
    ["lognormal, 1 trial", against(kindsOf("t", numbers, 1), false)],
    ["booleans, 20 clusters", against(kindsOf("cluster_t", booleans, 1, { clusters: CLUSTERS }), false)],
  ];
  const one = families.flatMap(([, kinds]) => kinds);
  const many = (adjustments: readonly Adjustment[]): Table["rows"] =>
    families.flatMap(([label, kinds]) => {
      const measures = Array.from({ length: MEASURES }, (_, i) => kinds[i % kinds.length]!);
      const byRows = ROWS.map((rows) => {
        if (rows < (kinds[0]!.clusters ?? 0)) return undefined;
        const settings = measures.map((kind) => ({ ...kind, rows }));
        return falseVerdicts(settings, adjustments, fewerRuns(runs), random);
      });
      return adjustments.map((adjustment, k) => ({
        label: [label, adjustment],
        shares: byRows.map((shares) => shares?.[k] ?? null),
      }));
    });
  yield tableOf(
    {
      title: "False verdicts with one measure",
      about: "Percent of answers that say improved or regressed where nothing differs.",
      wanted: FALSE,
    },
    one,
    (setting) => falseVerdicts([setting], ["none"], runs, random)[0]!,
  );
  const columns = ["values", "adjustment", ...ROWS.map((n) => `n = ${n}`)];
  yield {
    title: `False verdicts with ${MEASURES} measures`,
    about: `Percent of answers with at least one verdict of improved or regressed where nothing differs. The measures are independent of each other, which is the hardest case, and at each of the rates or skews above in turn. ${fewerRuns(runs)} runs a cell.`,
    columns,
    rows: many(["holm", "bh"]),
    wanted: FALSE,
  };
  yield {
    title: `For contrast: ${MEASURES} measures, not adjusted`,
    about: `The same percent when each measure is tested as if it were alone. ${fewerRuns(runs)} runs a cell.`,
    columns,
    rows: many(["none"]),
  };
}

function lookTable(runs: number, random: Random): Table {
  const kinds: [Quantity, number][] = [
    ...booleans.map((quantity): [Quantity, number] => [quantity, 1]),
    [booleans[1]!, 5],
    ...numbers.map((quantity): [Quantity, number] => [quantity, 1]),
  ];
  return {
    title: "50 looks at two running evaluations that do not differ",
    about: `Percent of evaluations of 1,000 rows, looked at after every 20, in which any look would have said improved or regressed: by \`confidence_sequence\`, and, for contrast, by the interval meant for one look. ${fewerRuns(runs)} runs a cell.`,
    wanted: FALSE,
    columns: ["values", "trials", "`confidence_sequence`", "`t` at each look"],
    rows: kinds.map(([quantity, trials]) => {
      const { sequence, plain } = looks(
        { quantity, candidate: quantity, trials, rows: 1000, looks: 50 },
        fewerRuns(runs),
        random,
      );
      return { label: [quantity.label, String(trials)], shares: [sequence, plain] };
    }),
  };
}
