// How the page presents texts: differences, cuts, and invisible characters.

import { cutText } from "@assay/eval-engine/words";
import { diffWordsWithSpace } from "diff";
import fc from "fast-check";
import type { ComponentChildren, VNode } from "preact";
import { describe, expect, test } from "vitest";
import type { ListedEvaluation } from "../../src/page/data/answers.ts";
import { curvesOf, curvesOfLines, thinned } from "../../src/page/format/curves.ts";
import { jsonDiff } from "../../src/page/format/diff/json-diff.ts";
import { wordDiff } from "../../src/page/format/diff/word-diff.ts";
import { columnsOf, namedEvaluations } from "../../src/page/format/evaluation-names.ts";
import { shown } from "../../src/page/format/shown.ts";
import { durationText } from "../../src/page/format/time.ts";
import { cutNote } from "../../src/page/format/values/value-text.ts";
import { rowWindow } from "../../src/page/format/windowing.ts";
import { Isolated } from "../../src/page/parts/isolated.tsx";

describe("a word diff", () => {
  const word = fc.constantFrom("a", "b", "the", "answer", "is", "42", "\n", "é");
  const sentence = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));

  test("is skipped exactly if a search would give up", () => {
    fc.assert(
      fc.property(sentence, sentence, fc.integer({ min: 0, max: 40 }), (before, after, edits) => {
        fc.pre(before !== after && ![before, after].every((text) => /^\S+$/.test(text)));
        const searched = diffWordsWithSpace(before, after, { maxEditLength: edits });
        const same = searched?.reduce((sum, { added, removed, value }) => {
          return sum + (added || removed ? 0 : value.length);
        }, 0);
        const alike = same !== undefined && same >= 0.4 * Math.max(before.length, after.length);
        expect(wordDiff(before, after, edits) !== undefined).toBe(alike);
      }),
      { numRuns: 500 },
    );
  });

  test("contains both texts, if it exists", () => {
    fc.assert(
      fc.property(sentence, sentence, (before, after) => {
        const parts = wordDiff(before, after, 100);
        if (parts === undefined) return;
        const side = (other: string) =>
          parts
            .filter(({ kind }) => kind !== other)
            .map(({ text }) => text)
            .join("");
        expect(side("added")).toBe(before);
        expect(side("removed")).toBe(after);
      }),
    );
  });

  test("does not exist for texts with little in common", () => {
    expect(wordDiff("the capital of France is Paris", "42", 100)).toBeUndefined();
    expect(wordDiff("one two three four", "five six seven eight", 100)).toBeUndefined();
  });

  test("marks single words, whatever they have in common", () => {
    expect(wordDiff("42", "seven", 0)).toEqual([
      { kind: "removed", text: "42" },
      { kind: "added", text: "seven" },
    ]);
  });

  test("gives up by work done, not by time", () => {
    const words = (from: number) => Array.from({ length: 3000 }, (_, i) => `w${from + 2 * i}`).join(" ");
    expect(wordDiff(words(0), words(1), 100)).toBeUndefined();
  });
});

test("a word diff compares characters of scripts without spaces", () => {
  expect(wordDiff("巴黎是法国的首都", "巴黎是法国的首都，毫无疑问", 100)).toEqual([
    { kind: "same", text: "巴黎是法国的首都" },
    { kind: "added", text: "，毫无疑问" },
  ]);
  expect(wordDiff("北京", "上海", 100)).toEqual([
    { kind: "removed", text: "北京" },
    { kind: "added", text: "上海" },
  ]);
});

test("names written from right to left are isolated in a sentence, whose text stays the same", () => {
  const names = ["דגם", "דגם חדש"];
  const text = "דגם חדש is better than דגם: +3 points";
  const html = (part: ComponentChildren): string => {
    if (Array.isArray(part)) return part.map(html).join("");
    if (typeof part !== "object" || part === null) return String(part);
    const { type, props } = part as VNode<{ children: ComponentChildren; text: string; names: string[] }>;
    if (type === Isolated) return html(Isolated(props));
    return type === "bdi" ? `<${html(props.children)}>` : html(props.children);
  };
  expect(html(Isolated({ text, names }))).toBe("<דגם חדש> is better than <דגם>: +3 points");
  expect(html(Isolated({ text: "b: +3", names: ["b"] }))).toBe("b: +3");
});

describe("two values by path", () => {
  test("show what changed, what only one side has, and what is equal", () => {
    expect(
      jsonDiff({ value: 1, unit: "m", a: { b: [1] } }, { value: 2, unit: "m", a: { c: 1 } }).changes,
    ).toEqual([
      { path: "value", kind: "changed", before: 1, after: 2 },
      { path: "unit", kind: "equal", before: "m", after: "m" },
      { path: "a.b", kind: "removed", before: [1], after: undefined },
      { path: "a.c", kind: "added", before: undefined, after: 1 },
    ]);
  });

  test("of different kinds are one change", () => {
    const { changes } = jsonDiff({ a: 1 }, [1]);
    expect(changes).toEqual([{ path: "", kind: "changed", before: { a: 1 }, after: [1] }]);
  });

  test("show a change behind any number of equal values, and count what is left out", () => {
    const long = Array.from({ length: 2000 }, (_, at) => at);
    const { changes, left } = jsonDiff(long, [...long.slice(0, -1), "last"]);
    expect(changes.at(-1)).toEqual({ path: "1999", kind: "changed", before: 1999, after: "last" });
    expect(changes.length + left.equal + left.changed).toBe(2000);
  });
});

describe("an untrusted text", () => {
  test("cannot hide or reverse anything", () => {
    expect(shown("pay \u202Eevil\u2066\u200B\u0000")).toBe("pay ⟨U+202E⟩evil⟨U+2066⟩⟨U+200B⟩⟨U+0000⟩");
    expect(shown("two\nlines\tand 👩‍👩‍👧 stay")).toBe("two\nlines\tand 👩‍👩‍👧 stay");
  });

  test("is cut between characters", () => {
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("ab👩‍👩‍👧cd", 5)).toBe("ab…");
    expect(cutText("e\u0301e\u0301", 3)).toBe("e\u0301…");
  });
});

test("visible rows are drawn, and only a limited number of others", () => {
  const natural = fc.nat(2_000_000);
  fc.assert(
    fc.property(
      natural,
      fc.nat(2000),
      fc.constantFrom(44, 96),
      fc.nat(200_000),
      (top, height, rowHeight, total) => {
        const { from, to } = rowWindow({ top, height, rowHeight, total });
        expect(to - from).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 8);
        for (let row = Math.floor(top / rowHeight); row * rowHeight < top + height && row < total; row++)
          expect(row >= from && row < to).toBe(true);
      },
    ),
  );
});

describe("curves of a job", () => {
  const step = (data: { readonly [name: string]: number }, at: number) => ({
    id: String(at),
    type: "gradient_step",
    created_at: "2026-01-01T00:00:00Z",
    data,
  });

  test("are the numbers of its steps, the most informative first", () => {
    const events = [
      step({ grad_norm: 2, reward: 0.5 }, 1),
      { ...step({}, 0), type: "resumed" },
      step({ reward: 1 }, 2),
    ];
    expect(curvesOf(events)).toEqual([
      { name: "reward", steps: [1, 2], values: [0.5, 1] },
      { name: "grad_norm", steps: [1], values: [2] },
    ]);
  });

  test("of a run are plotted over the steps that its client named, or over its lines otherwise", () => {
    const named = [
      { _step: 3, loss: 2 },
      { _step: 7, loss: 1, _runtime: 1 },
    ];
    expect(curvesOfLines(named)).toEqual([{ name: "loss", steps: [3, 7], values: [2, 1] }]);
    const unnamed = [{ loss: 2 }, { loss: 1, _step: null }];
    expect(curvesOfLines(unnamed)).toEqual([{ name: "loss", steps: [0, 1], values: [2, 1] }]);
  });

  test("are thinned if long, without losing their smallest or largest value", () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(numbers, (values) => {
        const steps = values.map((_, at) => at + 1);
        const thin = thinned({ name: "reward", steps, values }, 40);
        expect(thin.values.length).toBeLessThanOrEqual(40);
        expect(Math.max(...thin.values)).toBe(Math.max(...values));
        expect(Math.min(...thin.values)).toBe(Math.min(...values));
        expect(thin.steps).toEqual([...thin.steps].sort((a, b) => a - b));
        for (const [at, one] of thin.steps.entries()) expect(thin.values[at]).toBe(values[one - 1]);
      }),
    );
  });
});

test("with many evaluations, the compared pair and the last others are shown side by side", () => {
  const all = namedEvaluations(["a", "b", "c", "d", "e", "f", "g"], []);
  const ids = (of: typeof all, baseline: string | undefined, candidate: string) =>
    columnsOf(of, { baseline, candidate })
      .map(({ id }) => id)
      .join("");
  expect(ids(all, "a", "c")).toBe("acefg");
  expect(ids(all, "f", "g")).toBe("cdefg");
  expect(ids(all.slice(0, 5), "a", "b")).toBe("abcde");
});

test("a long name keeps both ends, unless names differ only in the middle", () => {
  const named = (...names: readonly string[]) => {
    const listed = names.map((name, at) => ({ id: String(at), name, model: null }) as ListedEvaluation);
    return namedEvaluations(
      listed.map(({ id }) => id),
      listed,
    ).map(({ name }) => name);
  };
  const [long, middle] = ["model=".repeat(20), "m".repeat(60)];
  expect(named(`${long}v1`, `${long}v2`)).toEqual([
    expect.stringMatching(/^model=.{26}….*v1$/),
    expect.stringMatching(/^model=.{26}….*v2$/),
  ]);
  expect(named(`${middle}1${middle}`, `${middle}2${middle}`)).toEqual([
    `${middle}1${middle}`,
    `${middle}2${middle}`,
  ]);
  expect(named("short", "other")).toEqual(["short", "other"]);
});

test("a truncated text has a note with its length", () => {
  expect(cutNote(["a".repeat(20), ""], 20)).toBeUndefined();
  expect(cutNote(["a".repeat(1021)], 1020)).toBe("Only the first 1,020 of 1,021 characters are shown.");
  expect(cutNote(["", "ab"], 1)).toBe("Only the first 1 of 2 characters are shown and compared.");
});

test("a duration never shows 60 seconds beside its minutes", () => {
  const seconds = fc.double({ min: 1, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(seconds, (given) => {
      const [, minutes, rest] = /^(?:(\d+) min )?([\d.]+) s$/.exec(durationText(given)) ?? [];
      expect(Number(rest)).toBeLessThan(60);
      expect(Math.abs(60 * Number(minutes ?? 0) + Number(rest) - given)).toBeLessThanOrEqual(0.5);
    }),
    { numRuns: 300, examples: [[119.7], [59.97], [59.9]] },
  );
});
