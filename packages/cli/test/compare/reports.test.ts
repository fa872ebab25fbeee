// Reports of statistics answers, on terminals of 80 and 120 columns, as Markdown and as JUnit.

import type { MeasureComparison } from "@assay/eval-engine";
import type { RankedEvaluation } from "@assay/eval-engine/internal";
import { verdictSentence } from "@assay/eval-engine/words";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { marked, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { compareReport } from "../../src/report/compare-report.ts";
import { axisOf, plotInterval } from "../../src/report/interval-plot.ts";
import { junitXml } from "../../src/report/junit.ts";
import { bestSentence, rankingReport } from "../../src/report/ranking-report.ts";
import { reportMarkdown } from "../../src/report/report-markdown.ts";
import { drawingWidth, reportText } from "../../src/report/report-text.ts";
import { slicesReport } from "../../src/report/slices-report.ts";
import { comparison, LABELS, measure, rankingAnswer, slicesAnswer, UNEVEN, UNSETTLED } from "./answers.ts";

const NAMES = { baseline: "gpt-a", candidate: "gpt-b" };
const say = (of: Partial<MeasureComparison>) => verdictSentence(NAMES, measure(of), 0.95);
const labels = new Map([...LABELS, ["id-c", "gpt-c"]]);
const look = { labels, drawing: 17 };

const mixed = () =>
  comparison(
    [
      measure(),
      measure({
        ...UNSETTLED,
        field: "scores.parts.value.within_1_percent",
        baseline: { ...measure().baseline, missing: 154 },
      }),
      measure({
        field: "model_latency_seconds",
        kind: "number",
        direction: "lower",
        difference: -0.51,
        interval: { low: -0.7, high: -0.3, method: "t" },
      }),
    ],
    { warnings: [UNEVEN] },
  );

describe("a verdict in a sentence", () => {
  test("suggests neither a number of rows that both sides already have, nor one for a single look when many tests run", () => {
    const apart = { ...UNSETTLED, paired: false, pairs: 0 };
    expect(say({ ...apart, rows_needed: 240 })).not.toContain("would settle");
    expect(say({ ...apart, rows_needed: 241 })).toContain("About 241 rows would settle");
    const among = { ...UNSETTLED, interval: measure().interval, reason: "p is 0.021 by itself" };
    const { tables } = compareReport(comparison([measure(among)]), { ...look, headline: undefined });
    expect(tables[0]!.rows[0]!.at(-1)).not.toContain("needs 2,940 rows");
  });

  test("counts rows with too few trials for pass@k separately from unscored ones", () => {
    const lines = (reduce: string) => {
      const of = measure({ reduce, baseline: { ...measure().baseline, missing: 154 } });
      return compareReport(comparison([of]), { ...look, headline: undefined }).tables[0]!.rows[0]![1]!.at(-1);
    };
    expect(["mean", "pass@1", "pass@12", "pass^2"].map(lines)).toEqual([
      ...["154 unscored", "154 unscored"],
      ...["154 with too few trials", "154 with too few trials"],
    ]);
  });

  test("is followed by the number of tests, and by the validity of anytime-valid intervals", () => {
    const how = (...measures: readonly Partial<MeasureComparison>[]) =>
      compareReport(comparison(measures.map(measure)), { ...look, headline: undefined }).how;
    const untested = { p_value: null, adjusted_p: null, interval: null };
    expect(how({}, {}, untested)).toBe("240 rows; 95% CI for each measure; p adjusted by Holm over 2 tests");
    const atEveryLook = {
      ...untested,
      interval: { low: 0.02, high: 0.34, method: "confidence_sequence" },
    } as const;
    expect(how(atEveryLook, atEveryLook)).toBe(
      "240 rows; 95% CI for each measure; anytime-valid intervals hold for all 2 at once",
    );
    expect(how(atEveryLook)).toBe("240 rows; 95% CI for each measure");
  });

  test.each<[string, Partial<MeasureComparison>, string]>([
    [
      "improved",
      {},
      "gpt-b is better than gpt-a on correct: +18.3 points (95% CI +12.9 to +23.7), 240 rows, paired.",
    ],
    [
      "regressed, for a number where lower is better",
      {
        field: "model_latency_seconds",
        kind: "number",
        difference: 0.5125,
        interval: { low: 0.25, high: 0.775, method: "t" },
        verdict: "regressed",
      },
      "gpt-b is worse than gpt-a on model_latency_seconds: +0.5125 (95% CI +0.25 to +0.775), 240 rows, paired.",
    ],
    [
      "equivalent",
      {
        difference: 0.001,
        interval: { low: -0.004, high: 0.006, method: "bonett_price" },
        margin: 0.01,
        verdict: "equivalent",
      },
      "gpt-b is equivalent to gpt-a on correct, within 1 point: +0.1 points (95% CI −0.4 to +0.6), 240 rows, paired.",
    ],
    [
      "not worse",
      {
        difference: 0.01,
        interval: { low: -0.015, high: 0.035, method: "bonett_price" },
        margin: 0.02,
        verdict: "not_worse",
      },
      "gpt-b is not worse than gpt-a on correct by 2 points or more: +1.0 points (95% CI −1.5 to +3.5), 240 rows, paired.",
    ],
    [
      "inconclusive, with the rows needed to settle it",
      UNSETTLED,
      "Whether gpt-b is better than gpt-a on correct is inconclusive: +1.2 points (95% CI −3.0 to +5.4), 240 rows, paired. About 2,940 rows would settle a difference of this size.",
    ],
    [
      "inconclusive, if more trials would help",
      {
        ...UNSETTLED,
        margin: 0.01,
        noise: {
          baseline_within: 0.1,
          candidate_within: 0.1,
          share_from_trials: 0.8,
          flaky_rows: 60,
          rows_needed_with_4x_trials: 1176,
        },
      },
      "About 2,940 rows would settle a margin of 1 point, or 1,176 rows with four times the trials.",
    ],
    [
      "inconclusive among many",
      {
        verdict: "inconclusive",
        reason: "p is 0.021 by itself and 0.17 adjusted for 8 tests, above 0.05",
      },
      "The interval excludes 0, but p is 0.021 by itself and 0.17 adjusted for 8 tests, above 0.05.",
    ],
    [
      "unknown",
      {
        difference: null,
        interval: null,
        pairs: 0,
        verdict: "inconclusive",
        reason: "no row has a value in both",
      },
      "Whether gpt-b is better than gpt-a on correct is unknown: no row has a value in both.",
    ],
    [
      "of different rows",
      { paired: false, wins: null, losses: null, ties: null },
      "(95% CI +12.9 to +23.7), 240 and 240 rows, not paired.",
    ],
    [
      "of a running evaluation",
      { interval: { low: 0.02, high: 0.34, method: "confidence_sequence" } },
      "+18.3 points (anytime-valid 95% CI +2.0 to +34.0), 240 rows, paired.",
    ],
    [
      "of a million rows, with enough digits",
      { difference: 0.0004, interval: { low: 0.0001, high: 0.0007, method: "bonett_price" }, pairs: 1e6 },
      "+0.04 points (95% CI +0.01 to +0.07), 1,000,000 rows, paired.",
    ],
  ])("%s", (_, of, sentence) => {
    expect(say(of)).toContain(sentence);
  });
});

describe("a drawn interval", () => {
  test("is positioned by its numbers on the axis, with 0 marked", () => {
    const axis = axisOf([{ low: -10, high: 10 }], 21);
    expect(plotInterval(axis, { low: 2, high: 8 }, 5)).toBe("··········0·├──●──┤··");
    expect(plotInterval(axis, { low: -4, high: 4 }, 2)).toBe("······├───0─●─┤······");
    expect(plotInterval(axis, { low: 5, high: 5 }, 5)).toBe("··········0····●·····");
  });

  test("on an axis of zero length is in the middle", () => {
    expect(plotInterval(axisOf([{ low: 3, high: 3 }], 5), { low: 3, high: 3 }, 3)).toBe("··●··");
  });
});

describe("on a terminal", () => {
  test.each([80, 120])("of %i columns a comparison is readable", (width) => {
    const report = compareReport(mixed(), {
      labels,
      drawing: drawingWidth(width),
      headline: "scores.correct",
    });
    const text = reportText(report, width);
    for (const line of text.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(width);
    expect(text).not.toContain("\u001b");
    expect(`\n${text}\n`).toMatchSnapshot();
  });

  test("of 80 columns slices and a ranking are readable", () => {
    const options = { ...look, baseline: "id-a", candidate: "id-b", level: 0.95, most: 2, isNamed: true };
    expect(`\n${reportText(slicesReport(slicesAnswer(), options), 80)}\n`).toMatchSnapshot();
    const ranking = rankingReport(rankingAnswer(), {
      ...look,
      field: "scores.correct",
      kind: "boolean",
      level: 0.95,
    });
    expect(`\n${reportText(ranking, 80)}\n`).toMatchSnapshot();
  });

  const rankedAs = (different: Partial<RankedEvaluation>, of = rankingAnswer()) =>
    bestSentence(
      of.evaluations.map((one, i) => (i === 0 ? one : { ...one, ...different })),
      { labels, field: "scores.correct", kind: "boolean", level: 0.95 },
    );

  test("an evaluation without a value is not counted as beaten", () => {
    expect(rankedAs({ mean: null, interval: null, rank: null, rows: 0 })).toBe(
      "Only gpt-b of 3 evaluations has a value for correct: 55.0%.",
    );
    const [first, second] = rankingAnswer().evaluations;
    const third = { ...second!, evaluation_call_id: "id-a", mean: null, interval: null, rank: null };
    const evaluations = [first!, { ...second!, rank: { low: 2, high: 2 } }, third];
    expect(rankedAs({}, { ...rankingAnswer(), evaluations })).toMatch(
      /^gpt-b is the best of 2 evaluations on /,
    );
  });

  test("no evaluation is the best if they beat each other in a circle", () => {
    const evaluations = rankingAnswer().evaluations.map((of) => ({ ...of, rank: { low: 2, high: 2 } }));
    expect(rankedAs({}, { ...rankingAnswer(), evaluations })).toMatch(
      /^Which of 3 evaluations is best on correct is inconclusive: gpt-b leads .*, but gpt-c, gpt-a may be/,
    );
  });

  test("slices that were not tested, or have no direction, do not count as having no findings", () => {
    const options = { ...look, baseline: "id-a", candidate: "id-b", level: 0.95, most: 20, isNamed: true };
    const said = (of: Parameters<typeof slicesAnswer>[0]) =>
      slicesReport(slicesAnswer(of), options).sentences[1];
    expect(said({ tested: 0, looked_at: 12, slices: [] })).toBe(
      "No slice stands out, because none of 12 has enough rows to test.",
    );
    const slices = slicesAnswer().slices.map((of) => ({ ...of, verdict: "no_direction" as const }));
    expect(said({ slices })).toBe("gpt-b differs from gpt-a where category is law.");
  });

  test("slices without findings are an answer", () => {
    const slices = slicesAnswer().slices.slice(1);
    const options = { ...look, baseline: "id-a", candidate: "id-b", level: 0.95, most: 20, isNamed: true };
    expect(slicesReport(slicesAnswer({ slices, looked_at: 46 }), options).sentences[1]).toBe(
      "Nothing stands out in 46 slices.",
    );
  });

  test("fields that only identify rows are named in place of their slices, unless requested", () => {
    const [tested] = slicesAnswer().slices;
    const by = (field: string, value: string, rows: number) => ({
      ...tested!,
      fields: [{ field: `inputs.${field}`, value, low: null, high: null }],
      rows,
      ...(rows < 10 && { interval: null, q_value: null, verdict: "inconclusive" as const }),
    });
    const slices = [
      ...["law", "math"].map((value) => by("category", value, 20)),
      ...["a", "b"].map((value) => by("author", value, 2)),
      ...["1", "2", "3"].map((value) => by("id", value, 1)),
      // Mostly unique values, but one of its slices was tested.
      by("source", "many", 20),
      ...Array.from({ length: 30 }, (_, i) => by("source", `once ${i}`, 1)),
    ];
    const options = { ...look, baseline: "id-a", candidate: "id-b", level: 0.95, most: 99 };
    const shown = (isNamed: boolean) => {
      const { tables, how } = slicesReport(slicesAnswer({ slices }), { ...options, isNamed });
      return [tables[0]!.rows.map(([cell]) => cell![0]), how.match(/not shown: .*? each/)?.[0]] as const;
    };
    expect(shown(false)).toEqual([
      ["category is law", "category is math", "author is a", "author is b", "source is many"],
      "not shown: slices by id, source, of about one row each",
    ]);
    expect(shown(true)[0]).toHaveLength(slices.length);
  });

  test("warnings name evaluations, and many of one kind are counted", () => {
    const alike = (code: "same_model" | "rows_not_shared", i: number) => ({
      code,
      text: `${i} things`,
      evaluations: ["id-a", "id-b"],
      count: i,
    });
    const warnings = [
      UNEVEN,
      ...[1, 2, 3, 4, 5].map((i) => alike("same_model", i)),
      alike("rows_not_shared", 9),
    ];
    const { notes } = compareReport(comparison([measure()], { warnings }), { ...look, headline: undefined });
    expect(notes).toEqual([
      expect.stringMatching(
        /^scores\.correct: missing in 154 of 240 rows of gpt-a .*; --missing fail counts them as failed$/,
      ),
      "gpt-a and gpt-b: 1 things",
      "gpt-a and gpt-b: 2 things",
      "gpt-a and gpt-b: 3 things",
      "2 more like this; see --format json for all",
      "gpt-a and gpt-b: 9 things",
    ]);
  });
});

describe("as Markdown", () => {
  const hostile = new Map([
    ["id-a", "a|b `c` *d* <script>x</script> @everyone [e](javascript:f) https://g.example\n# h"],
    ["id-b", "gpt_b__x__"],
  ]);
  const tokens = (names: ReadonlyMap<string, string>) => {
    const report = compareReport(mixed(), { labels: names, drawing: 31, headline: "scores.correct" });
    return marked.lexer(reportMarkdown(report), { gfm: true });
  };

  test("it has a sentence, notes and one table with a row for each measure", () => {
    const found = tokens(LABELS);
    expect(found.map(({ type }) => type).filter((type) => type !== "space")).toEqual([
      "paragraph",
      "paragraph",
      "blockquote",
      "table",
      "paragraph",
    ]);
    const table = found.find((token): token is Tokens.Table => token.type === "table")!;
    expect(table.header.map(({ text }) => text)).toEqual([
      "measure",
      "gpt-a",
      "gpt-b",
      "difference, 95% CI",
      "verdict",
    ]);
    expect(table.rows.map((row) => row.length)).toEqual([5, 5, 5]);
    expect(table.rows[0]![3]!.tokens.find(({ type }) => type === "codespan")).toMatchObject({
      text: expect.stringMatching(/^·+0·+├─+●─+┤$/),
    });
  });

  test("names from data are plain text, whatever they contain", async () => {
    const kinds = new Set<string>();
    const walk = marked.walkTokens(tokens(hostile), (token) => {
      kinds.add(token.type);
      if (token.type === "html") expect(token.raw).toMatch(/^<(?:br|\/?sub)>$/);
    });
    await Promise.all(walk);
    expect([...kinds].filter((kind) => ["link", "image", "em", "heading", "del"].includes(kind))).toEqual([]);
    const html = marked.parser(tokens(hostile));
    expect(html).toContain("a|b `c` *d* &lt;script&gt;x&lt;/script&gt; @\u200beveryone [e](javascript:f)");
    expect(html).toContain("gpt_b__x__ is better than");
  });
});

test("any text from data is the same text in Markdown, without any markup", () => {
  const piece = fc.constantFrom(
    ...[
      "- ",
      "+ ",
      "1. ",
      "2) ",
      "* ",
      "> ",
      "# ",
      "    ",
      "---",
      "===",
      "\n",
      "\t",
      " ",
      "a",
      "é",
      "😀",
      "\\",
      "|",
    ],
    ...[
      "*b*",
      "__b__",
      "`c`",
      "~~d~~",
      "$x$",
      "<b>",
      "&amp;",
      "&#58;",
      "[l](m)",
      "![i](j)",
      "[^1]",
      "#12",
      "@bob",
    ],
    ...["www.h.example", "https://h.example", "HTTP://h.example", "ftp://h.example", "p@h.example", "http:"],
  );
  const allowed = [
    "space",
    "paragraph",
    "strong",
    "text",
    "escape",
    "blockquote",
    "heading",
    "table",
    "html",
  ];
  const readable = (html: string): string =>
    html
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code?: string, name?: string) =>
        code === undefined ? { amp: "&", lt: "<", gt: ">", quot: '"' }[name!]! : String.fromCodePoint(+code),
      )
      .replaceAll(/\u200b|\s/g, "");
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
      const name = pieces.join("");
      const report = {
        ...{
          sentences: [`${name} is better`, `${name} is worse`],
          notes: [`${name} runs`],
          how: `${name} how`,
        },
        tables: [{ title: `${name} title`, head: [name, `${name} head`], rows: [[[name], [name, "x"]]] }],
      };
      const tokens = marked.lexer(reportMarkdown(report), { gfm: true });
      void marked.walkTokens(tokens, ({ type, raw }) => {
        expect(allowed).toContain(type);
        if (type === "html") expect(raw).toMatch(/^<(?:br|\/?sub)>$/);
      });
      const ends = ["is better", "is worse", "runs", "title", "", "head", "", "x", "how"];
      const said = ends.map(
        (end) => `${end === "runs" ? "Note: " : ""}${end === "x" ? `${name}x` : `${name} ${end}`}`,
      );
      expect(readable(marked.parser(tokens))).toBe(said.join("").replaceAll(/\s/g, ""));
    }),
    { numRuns: 300 },
  );
});

describe("as JUnit", () => {
  test("it has a suite for each pair and a case for each measure, with failures of the gate", () => {
    const xml = junitXml([
      {
        name: 'b "against" <a>\u0000\ud800',
        notes: ["one & two"],
        cases: [
          { name: "correct", text: "better]]>", failure: undefined, skipped: undefined },
          { name: "fast", text: "slower & worse", failure: "regressed", skipped: undefined },
        ],
      },
      { name: "none", notes: [], cases: [] },
    ]);
    expect(XMLValidator.validate(xml)).toBe(true);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(xml) as { testsuites: object };
    expect(testsuites).toMatchObject({
      "@_tests": "2",
      "@_failures": "1",
      testsuite: [
        {
          "@_name": 'b "against" <a>\ufffd',
          "@_failures": "1",
          "system-out": "one & two",
          testcase: [
            { "@_name": "correct", "system-out": "better]]>" },
            { "@_name": "fast", failure: { "@_type": "regressed", "@_message": "slower & worse" } },
          ],
        },
        { "@_name": "none", "@_tests": "0" },
      ],
    });
  });
});
