// Which simulations are published, as tables: a row for each kind of value, a column for each number of rows.

import type { Adjustment } from "@assay/statistics";
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
interface Kind extends Omit<Setting, "rows"> {
  /** The method that a comparison chooses of such values, but where all of them are 0 and 1. */
  readonly method: string;
}

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

async function tableOf(
  { title, about, wanted }: Pick<Table, "title" | "about" | "wanted">,
  kinds: readonly Kind[],
  share: (setting: Setting) => Promise<Share>,
): Promise<Table> {
  const found: Table["rows"][number][] = [];
  for (const kind of kinds) {
    const shares: (Share | null)[] = [];
    // Fewer rows than clusters would be other clusters.
    for (const rows of ROWS) shares.push(rows < (kind.clusters ?? 0) ? null : await share({ ...kind, rows }));
    found.push({ label: labelOf(kind), shares });
  }
  const columns = ["method", "values", "trials", "clusters", ...ROWS.map((n) => `n = ${n}`)];
  return { ...{ title, about, wanted }, columns, rows: found };
}

/** Runs a cell of what takes long: the bootstrap, answers of 24 measures, 50 looks. */
export function fewerRuns(runs: number): number {
  return Math.ceil(runs / 5);
}

/** All tables, one after the other. */
export async function* tables(runs: number, random: Random): AsyncGenerator<Table, void, void> {
  const covered = (setting: Setting): Promise<Share> =>
    coverage(setting, setting.bootstrap === true ? fewerRuns(runs) : runs, random);
  yield await tableOf(
    {
      title: "One evaluation: intervals that contain the true mean",
      about: `Percent of ${LEVEL * 100}% intervals. The bootstrap has ${RESAMPLES} resamples here and ${fewerRuns(runs)} runs per cell.`,
      wanted: COVERED,
    },
    [
      ...kindsOf("wilson", booleans, 1),
      ...kindsOf("cluster_wilson", booleans, 5),
      ...kindsOf("t", numbers, 1),
      ...kindsOf("t", numbers, 5),
      ...kindsOf("cluster_wilson", booleans, 1, { clusters: CLUSTERS }),
      ...kindsOf("cluster_t", numbers, 1, { clusters: CLUSTERS }),
      ...kindsOf("bootstrap_bca", booleans, 1, { bootstrap: true }),
      ...kindsOf("bootstrap_bca", booleans.slice(1), 5, { bootstrap: true }),
      ...kindsOf("bootstrap_bca", numbers, 1, { bootstrap: true }),
    ],
    covered,
  );
  const pairs = [
    ...kindsOf("bonett_price", booleans, 1),
    ...kindsOf("t", booleans, 5),
    ...kindsOf("t", numbers, 1),
    ...kindsOf("t", numbers, 5),
    ...kindsOf("cluster_bonett_price", booleans, 1, { clusters: CLUSTERS }),
    ...kindsOf("cluster_t", numbers, 1, { clusters: CLUSTERS }),
    ...kindsOf("newcombe", booleans, 1, { unpaired: true }),
    ...kindsOf("welch", numbers, 1, { unpaired: true }),
  ];
  const resampled = [...kindsOf("bootstrap_bca", [booleans[1]!, numbers[1]!], 1, { bootstrap: true })];
  yield await tableOf(
    {
      title: "Two evaluations that do not differ: intervals that contain 0",
      about:
        "Percent. `newcombe` and `welch` have different rows on each side; the others have the same rows.",
      wanted: COVERED,
    },
    against([...pairs, ...resampled], false),
    covered,
  );
  yield await tableOf(
    {
      title: "Two evaluations that differ: intervals that contain the true difference",
      about: "Percent. Either a tenth fewer of all rows pass, or numbers are a tenth larger.",
      wanted: COVERED,
    },
    against([...pairs, ...resampled], true),
    covered,
  );
  yield await tableOf(
    {
      title: "p-values: tests that reject a true hypothesis at 0.05",
      about:
        "Percent. `bonett_price` stands for McNemar's mid-p, `t` for the exact sign-flip test where differences lie on a grid and the t-test where they do not, `newcombe` for the test of two proportions.",
      wanted: FALSE,
    },
    against(pairs, false),
    (setting) => rejections(setting, runs, random),
  );
  yield* clusterTables(runs, random);
  yield* verdictTables(runs, random);
  yield await lookTable(runs, random);
}

const FEW_CLUSTERS = [3, 5, 8, 12, 20, 30];
const ROWS_OF_CLUSTER = 10;
const ALIKE = [0.5, 1];

/** How methods for clusters do with few of them. */
async function* clusterTables(runs: number, random: Random): AsyncGenerator<Table, void, void> {
  const columns = ["method", "values", "alike", ...FEW_CLUSTERS.map((clusters) => `${clusters} clusters`)];
  const rowsOf = async (
    kinds: readonly Kind[],
    share: (setting: Setting) => Promise<Share>,
  ): Promise<Table["rows"]> => {
    const found: Table["rows"][number][] = [];
    for (const alike of ALIKE)
      for (const kind of kinds) {
        const shares: Share[] = [];
        for (const clusters of FEW_CLUSTERS)
          shares.push(await share({ ...kind, alike, clusters, rows: clusters * ROWS_OF_CLUSTER }));
        const side = kind.candidate === undefined ? "" : ` and ${Number(kind.candidate.mean.toFixed(2))}`;
        found.push({ label: [`\`${kind.method}\``, `${kind.quantity.label}${side}`, String(alike)], shares });
      }
    return found;
  };
  const pairs = (method: string, more = {}): Kind[] => [
    ...against(kindsOf(method, booleans, 1, more), false),
    ...against(kindsOf(method, booleans, 1, more), true),
  ];
  const about = `${ROWS_OF_CLUSTER} rows of 1 trial in each cluster; *alike* is how often a row copies its cluster: with 0.5, rows of a cluster have a correlation of 0.06, with 1 one of 0.25.`;
  yield {
    title: "Few clusters: intervals of rates and of their differences that contain the truth",
    about: `Percent. ${about}`,
    columns,
    rows: [
      ...(await rowsOf(kindsOf("cluster_wilson", booleans, 1), (setting) => coverage(setting, runs, random))),
      ...(await rowsOf(pairs("cluster_bonett_price"), (setting) => coverage(setting, runs, random))),
      ...(await rowsOf(pairs("cluster_newcombe", { unpaired: true }), (setting) =>
        coverage(setting, runs, random),
      )),
    ],
    wanted: COVERED,
  };
  yield {
    title: "Few clusters: tests that reject a true hypothesis at 0.05",
    about: `Percent. \`cluster_newcombe\` stands for the test of two proportions with effective sizes. ${about}`,
    columns,
    rows: [
      ...(await rowsOf(against(kindsOf("cluster_bonett_price", booleans, 1), false), (setting) =>
        rejections(setting, runs, random),
      )),
      ...(await rowsOf(
        against(kindsOf("cluster_newcombe", booleans, 1, { unpaired: true }), false),
        (setting) => rejections(setting, runs, random),
      )),
    ],
    wanted: FALSE,
  };
  yield {
    title: "For contrast: few clusters, rates and differences by t",
    about: `Percent of intervals by \`cluster_t\`, which can leave the range of a rate: the method that those above replace. ${about}`,
    columns,
    rows: [
      ...(await rowsOf(kindsOf("cluster_t", booleans, 1, { unbounded: true }), (setting) =>
        coverage(setting, runs, random),
      )),
      ...(await rowsOf(pairs("cluster_t", { unbounded: true }), (setting) =>
        coverage(setting, runs, random),
      )),
    ],
  };
}

const MEASURES = 24;

async function* verdictTables(runs: number, random: Random): AsyncGenerator<Table, void, void> {
  const families: [string, Kind[]][] = [
    ["booleans, 1 trial", against(kindsOf("bonett_price", booleans, 1), false)],
    ["booleans, 5 trials", against(kindsOf("t", booleans, 5), false)],
    ["lognormal, 1 trial", against(kindsOf("t", numbers, 1), false)],
    [
      "booleans, 20 clusters",
      against(kindsOf("cluster_bonett_price", booleans, 1, { clusters: CLUSTERS }), false),
    ],
  ];
  const one = families.flatMap(([, kinds]) => kinds);
  const many = async (adjustments: readonly Adjustment[]): Promise<Table["rows"]> => {
    const found: Table["rows"][number][] = [];
    for (const [label, kinds] of families) {
      const measures = Array.from({ length: MEASURES }, (_, i) => kinds[i % kinds.length]!);
      const byRows: (readonly Share[] | undefined)[] = [];
      for (const rows of ROWS) {
        const settings = measures.map((kind) => ({ ...kind, rows }));
        const few = rows < (kinds[0]!.clusters ?? 0);
        byRows.push(few ? undefined : await falseVerdicts(settings, adjustments, fewerRuns(runs), random));
      }
      for (const [k, adjustment] of adjustments.entries())
        found.push({ label: [label, adjustment], shares: byRows.map((shares) => shares?.[k] ?? null) });
    }
    return found;
  };
  yield await tableOf(
    {
      title: "False verdicts with one measure",
      about: "Percent of answers that say improved or regressed although nothing differs.",
      wanted: FALSE,
    },
    one,
    async (setting) => (await falseVerdicts([setting], ["none"], runs, random))[0]!,
  );
  const columns = ["values", "adjustment", ...ROWS.map((n) => `n = ${n}`)];
  yield {
    title: `False verdicts with ${MEASURES} measures`,
    about: `Percent of answers with at least one verdict of improved or regressed although nothing differs. The measures are independent of each other, which is the hardest case, and go through the rates or skews above in turn. ${fewerRuns(runs)} runs per cell.`,
    columns,
    rows: await many(["holm", "bh"]),
    wanted: FALSE,
  };
  yield {
    title: `For contrast: ${MEASURES} measures, not adjusted`,
    about: `The same percentage if each measure is tested as if it were the only one. ${fewerRuns(runs)} runs per cell.`,
    columns,
    rows: await many(["none"]),
  };
}

async function lookTable(runs: number, random: Random): Promise<Table> {
  const kinds: [Quantity, number][] = [
    ...booleans.map((quantity): [Quantity, number] => [quantity, 1]),
    [booleans[1]!, 5],
    ...numbers.map((quantity): [Quantity, number] => [quantity, 1]),
  ];
  const rows: Table["rows"][number][] = [];
  for (const [quantity, trials] of kinds) {
    const setting = { quantity, candidate: quantity, trials, rows: 1000, looks: 50 };
    const { sequence, plain } = await looks(setting, fewerRuns(runs), random);
    rows.push({ label: [quantity.label, String(trials)], shares: [sequence, plain] });
  }
  return {
    title: "50 looks at two running evaluations that do not differ",
    about: `Percent of evaluations of 1,000 rows, looked at after every 20 rows, in which any look would have given improved or regressed: by \`confidence_sequence\`, and, for contrast, by the interval meant for one look. ${fewerRuns(runs)} runs per cell.`,
    wanted: FALSE,
    columns: ["values", "trials", "`confidence_sequence`", "as if it were the only look"],
    rows,
  };
}
