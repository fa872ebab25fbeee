// The columns and their kernels, each compared with its naive form.

import { compareText } from "@assay/base/internal";
import { asNumber, type Json, relateValues } from "@assay/query-lang";
import { asText, contains } from "@assay/query-lang/internal";
import { exactSum, newTotal, totalOf } from "@assay/statistics/exact";
import { CASES, check } from "@assay/testing/property";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { containsText } from "../src/columns/contains-text.ts";
import { DerivedTexts, NumberedTexts, numberedId } from "../src/columns/derived-texts.ts";
import { mapPredicate, truthOf } from "../src/columns/map-predicate.ts";
import { TextDictionary } from "../src/columns/text-dictionary.ts";
import { Texts } from "../src/columns/texts.ts";
import { ValueColumn } from "../src/columns/value-column.ts";
import { compareNumbers } from "../src/kernels/compare-numbers.ts";
import { filterNumbers, markNumbers } from "../src/kernels/filter-numbers.ts";
import { addRow, hasRow, intersectInto, noRows, rowsIn } from "../src/kernels/row-set.ts";
import { addSmall, NONE, StepFinder } from "../src/kernels/small-sums.ts";
import { sortByPrefix } from "../src/kernels/sorting/sort-by-prefix.ts";
import { topRows } from "../src/kernels/sorting/top-rows.ts";
import { andInto, negate, orInto } from "../src/kernels/truth.ts";
import { Work } from "../src/kernels/work.ts";
import {
  blocksOf,
  endsOf,
  SavedTexts,
  type Shortened,
  shortened,
  TextBlocks,
} from "../src/segment/file/lazy-texts.ts";
import { endsOfLengths, lengthsOf } from "../src/segment/file/lengths.ts";
import { BLOCK_BYTES, SegmentFile } from "../src/segment/file/segment-file.ts";
import { sixBitsOf, textsOfSixBits } from "../src/segment/file/six-bits.ts";
import { savedBytes } from "../src/segment/memory-segments.ts";
import { WrittenOutputs } from "../src/segment/written-outputs.ts";
import { LEAVES } from "../src/testing/index.ts";

function law<T>(name: string, values: fc.Arbitrary<T>, holds: (value: T) => void | Promise<void>): void {
  test(name, () => check(values, async (value) => void (await holds(value)), { numRuns: CASES / 100 }));
}

const word = fc.constantFrom(
  ...["", "a", "ab", "b", "ba", "A", "ä", "Ä", "\uffee", "\u{1f600}", "ſ", "İ"],
  ...["\ud83d", "\ude00", "a\udfff힣"],
);

// Long enough to fill several text blocks and leave a remainder outside any block.
const longText = fc
  .tuple(word, fc.constantFrom(0, 1, 9_000, 40_000, 70_000), fc.constantFrom("x", "\u0101"), word)
  .map(([before, length, filler, after]) => before + filler.repeat(length) + after);
const texts = fc.array(fc.oneof(word, longText), { maxLength: 24, size: "max" });

describe("a dictionary of texts", () => {
  law(
    "returns the texts that were added, with one code for equal texts",
    fc.array(fc.oneof(word, longText), { maxLength: 12 }),
    (added) => {
      const dictionary = new TextDictionary();
      const codes = added.map((text) => dictionary.add(text));
      expect(codes.map((code) => dictionary.get(code))).toEqual(added);
      expect(new Set(codes).size).toBe(new Set(added).size);
      const copy = dictionary.clone();
      copy.add("of the copy alone");
      expect(codes.map((code) => copy.get(code))).toEqual(added);
      expect(dictionary.length).toBe(new Set(added).size);
    },
  );

  law(
    "finds parts of texts, but never across two texts, even after more were added",
    fc.tuple(texts, texts, fc.array(word, { minLength: 2, maxLength: 4 }), fc.boolean()),
    async ([first, more, words, fold]) => {
      const part = words.join("");
      const dictionary = new TextDictionary();
      for (const batch of [first, more]) {
        for (const text of batch) dictionary.add(text);
        const found = await dictionary.containing(part, fold, new Work());
        const all = Array.from(found, (_, code) => dictionary.get(code));
        expect([...found]).toEqual(all.map((text) => Number(contains(text, part, fold))));
      }
    },
  );

  test("stops looking for repeats if there are few, and loses no text", async () => {
    const dictionary = new TextDictionary();
    const added = Array.from({ length: 10_000 }, (_, i) => `text ${i % 9000}`);
    const codes = added.map((text) => dictionary.add(text));
    expect(dictionary.length).toBeGreaterThan(9000);
    expect(codes.map((code) => dictionary.get(code))).toEqual(added);
    const found = await dictionary.containing("text 899", false, new Work());
    expect(codes.filter((code) => found[code] === 1)).toHaveLength(
      added.filter((text) => text.includes("text 899")).length,
    );
  });
});

law(
  "texts as bytes equal the texts, and have the same order",
  fc.array(fc.oneof(word, longText)),
  async (all) => {
    const bytes = new Texts();
    for (const text of all) bytes.push(text);
    const order = Uint32Array.from(all.keys()).reverse();
    const next = bytes.continued();
    next.push("of the next one alone");
    for (const list of [bytes, next]) {
      expect(all.map((_, i) => list.get(i))).toEqual(all);
      expect(all.map((_, i) => list.lengthOf(i))).toEqual(all.map((_, i) => list.bytesOf(i).length));
    }
    const picked = await bytes.pick(order, new Work());
    expect(all.map((_, i) => picked.get(i))).toEqual(all.toReversed());
    for (let i = 1; i < all.length; i++) {
      expect(Math.sign(bytes.compare(i - 1, picked, i))).toBe(
        Math.sign(compareText(all[i - 1]!, all.toReversed()[i]!)),
      );
    }
  },
);

law(
  "equal lists of texts share memory, until one of them grows",
  fc.tuple(fc.array(word), fc.array(word)),
  async ([these, those]) => {
    const packed = async (all: readonly string[]): Promise<Texts> => {
      const texts = new Texts();
      for (const text of all) texts.push(text);
      return texts.pick(Uint32Array.from(all.keys()), new Work());
    };
    const [a, b] = [await packed(these), await packed(those)];
    expect(await a.share(b, new Work())).toBe(JSON.stringify(these) === JSON.stringify(those));
    a.push("of one");
    b.push("of the other");
    expect([...these, "of one"].map((_, i) => a.get(i))).toEqual([...these, "of one"]);
    expect([...those, "of the other"].map((_, i) => b.get(i))).toEqual([...those, "of the other"]);
    expect(await a.share(b, new Work())).toBe(false);
  },
);

law(
  "reordered ids equal the picked ones, including ids added later",
  fc.record({
    prefix: word.filter((text) => !/\p{Cs}/u.test(text)),
    first: fc.oneof(fc.nat(), fc.constantFrom(9_999_990, 999_999_995)),
    digits: fc.integer({ min: 1, max: 9 }),
    numbers: fc.array(fc.nat({ max: 20 }), { maxLength: 30 }),
  }),
  ({ prefix, first, digits, numbers }) => {
    const ids = { prefix, first, digits };
    const order = Uint32Array.from(numbers);
    const texts = new DerivedTexts(new NumberedTexts(ids, order));
    texts.push("later");
    const all = [...Array.from(order, (i) => numberedId(ids, i)), "later"];
    expect(all.map((_, i) => texts.get(i))).toEqual(all);
    expect(all.map((_, i) => texts.lengthOf(i))).toEqual(all.map((_, i) => texts.bytesOf(i).length));
  },
);

law(
  "reordered written outputs can be read again, however many are in memory",
  fc.tuple(
    fc
      .array(fc.tuple(fc.oneof(word, longText), fc.nat()), { maxLength: 20 })
      .map((pairs) => pairs.map(([text, rank]) => ({ bytes: Buffer.from(text), rank }))),
    fc.nat({ max: 100 }),
  ),
  async ([outputs, window]) => {
    const order = Uint32Array.from(outputs.keys()).sort((a, b) => outputs[a]!.rank - outputs[b]!.rank);
    const written = {
      async writeOutputs(into: Uint8Array, placeOf: (trial: number) => number) {
        for (const [i, { bytes }] of outputs.entries()) if (placeOf(i) !== -1) into.set(bytes, placeOf(i));
      },
    };
    const lengths = Uint32Array.from(outputs, ({ bytes }) => bytes.length);
    const scan = new DerivedTexts(new WrittenOutputs(written, lengths, order, window)).scan();
    const found: string[] = [];
    for (const i of [...order.keys(), ...order.keys()]) {
      await scan.ahead(i);
      found.push(scan.get(i));
    }
    const all = Array.from(order, (trial) => outputs[trial]!.bytes.toString());
    expect(found).toEqual([...all, ...all]);
    const held = new DerivedTexts(await new WrittenOutputs(written, lengths, order, window).held());
    expect(Array.from(order.keys(), (i) => held.get(order.length - 1 - i)).reverse()).toEqual(all);
  },
);

law(
  "texts in a file equal the originals, even beside other columns and with some added later",
  fc.tuple(
    fc
      .tuple(
        fc.oneof(fc.constant(""), longText),
        fc.array(fc.tuple(fc.oneof(word, longText), word), { maxLength: 20 }),
      )
      .map(([prefix, pairs]) => pairs.map(([one, other]): [string, string] => [prefix + one, other])),
    fc.array(word),
    fc.nat(),
  ),
  async ([pairs, later, seed]) => {
    const lists: Shortened[] = [];
    for (const k of [0, 1]) {
      const texts = new Texts();
      for (const pair of pairs) texts.push(pair[k]!);
      lists.push(await shortened(texts));
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of blocksOf(lists, seed, 5, new Work())) pieces.push(piece.slice());
    const room = new Uint8Array(5 * BLOCK_BYTES);
    const file = new SegmentFile(savedBytes(Buffer.concat([room, ...pieces])), 0, seed);
    const blocks = new TextBlocks(file, 5, endsOf(lists));
    for (const k of [0, 1]) {
      const all = [...pairs.map((pair) => pair[k]!), ...later];
      const order = Uint32Array.from(all.keys()).reverse();
      const saved = new DerivedTexts(new SavedTexts(blocks, 2, k, lists[k]!.prefix));
      for (const text of later) saved.push(text);
      const copy = saved.continued();
      saved.continued().push("of one that nobody uses");
      copy.continued().push("of the next one alone");
      const picked = await copy.pick(order, new Work());
      expect(copy.length).toBe(all.length);
      expect(all.map((_, i) => copy.get(i))).toEqual(all);
      expect(all.map((_, i) => saved.get(i))).toEqual(all);
      expect(all.map((_, i) => copy.lengthOf(i))).toEqual(all.map((text) => Buffer.byteLength(text)));
      expect(all.map((_, i) => picked.get(i))).toEqual(all.toReversed());
    }
  },
);

const value = fc.oneof(
  fc.constantFrom<Json>(...LEAVES),
  fc.constantFrom<Json>([], {}, [1], { a: "ä" }, "[1]"),
);

function columnOf(values: readonly Json[]): ValueColumn {
  const column = new ValueColumn();
  for (const [i, one] of values.entries()) column.set(i, one);
  column.extend(values.length);
  return column;
}

describe("a column of values", () => {
  law("reads each value unchanged, as a number and as text", fc.array(value), (values) => {
    const column = columnOf(values);
    const order = Uint32Array.from(values.keys()).reverse();
    for (const [one, wanted] of [
      [column, values],
      [column.clone(), values],
      [column.pick(order), values.toReversed()],
    ] as const) {
      expect(wanted.map((_, i) => one.get(i))).toEqual(wanted);
      expect(wanted.map((_, i) => one.text(i))).toEqual(wanted.map(asText));
      expect(wanted.map((_, i) => one.numbers.array[i])).toEqual(
        wanted.map((item) => asNumber(item) ?? Number.NaN),
      );
    }
  });

  law(
    "lists the items of each text, or nothing if an item has none",
    fc.tuple(
      fc.array(fc.constantFrom("a", "b", "c"), { minLength: 16, maxLength: 60, size: "max" }),
      fc.boolean(),
    ),
    ([categories, gap]) => {
      const values: Json[] = gap ? [...categories, null] : categories;
      const column = columnOf(values);
      for (const change of [values[0]!, "new"]) {
        values[0] = change;
        column.set(0, change);
        const lists = column.byCode(values.length);
        expect(lists === undefined).toBe(gap || column.texts.length * 8 > values.length);
        for (let code = 0; lists !== undefined && code < column.texts.length; code++) {
          const items = lists.items.subarray(lists.starts[code], lists.starts[code + 1]);
          const text = column.texts.get(code);
          expect([...items]).toEqual(values.flatMap((one, i) => (one === text ? [i] : [])));
        }
      }
    },
  );

  law(
    "a text is searched in each value",
    fc.tuple(fc.array(value), fc.constantFrom("", "a", "A", "1", "ä", "e", "["), fc.boolean()),
    async ([values, part, fold]) => {
      const column = columnOf(values);
      const found = await column.texts.containing(part, fold, new Work());
      expect([...containsText(column, values.length, part, fold, found)]).toEqual(
        values.map((one) => truthOf(contains(one, part, fold))),
      );
    },
  );

  law("each value is tested, and equal texts only once", fc.array(value), async (values) => {
    const ask = (one: Json) => relateValues("lt", one, "b", "right");
    expect([...(await mapPredicate(columnOf(values), values.length, ask, new Work()))]).toEqual(
      values.map((one) => truthOf(ask(one))),
    );
  });

  law(
    "a number is compared with each value",
    fc.tuple(
      fc.array(value),
      fc.constantFrom("eq", "gt", "lt", "gte", "lte"),
      fc.constantFrom(0, 1, 0.5, -1, 1e16),
    ),
    ([values, op, literal]) => {
      const { numbers } = columnOf(values);
      const truths = values.map((one) => relateValues(op, one, literal, "right"));
      expect([...compareNumbers(op, numbers.array, literal, values.length)]).toEqual(truths.map(truthOf));
      const odd = Uint32Array.from(values.keys()).filter((i) => i % 2 === 1);
      expect([...filterNumbers(odd.slice(), op, numbers.array, literal)]).toEqual(
        [...odd].filter((i) => truths[i] === true),
      );
    },
  );

  // Neighbouring values of the literal decide whether a bound is open.
  const edge = fc.constantFrom(0, -0, 1, -1, 1 - 2 ** -53, 5e-324, -5e-324, 1.7e308, Number.MAX_VALUE);
  law(
    "a number is compared with each row's",
    fc.tuple(fc.array(edge), edge, fc.constantFrom("eq", "gt", "lt", "gte", "lte")),
    ([numbers, literal, op]) => {
      const all = Float64Array.of(...numbers, Number.NaN);
      const set = noRows(all.length);
      const rows = Int32Array.from(all.keys()).reverse();
      markNumbers(set, rows, op, all.toReversed(), literal);
      expect([...rowsIn(set)]).toEqual(
        numbers.flatMap((number, row) => (relateValues(op, number, literal, "right") === true ? [row] : [])),
      );
    },
  );
});

test("three-valued logic is complete", () => {
  const [no, yes, unknown] = [0, 1, 2];
  const all = [no, yes, unknown];
  const pairs = all.flatMap((a) => all.map((b) => [a, b] as const));
  const [lefts, rights] = [Uint8Array.from(pairs, ([a]) => a), Uint8Array.from(pairs, ([, b]) => b)];
  const truthTable = (loop: (into: Uint8Array, other: Uint8Array) => void) => {
    const into = lefts.slice();
    loop(into, rights);
    return [...into].join("");
  };
  //                                 no and …  yes and …  unknown and …
  expect(truthTable(andInto)).toBe(`${"000"}${"012"}${"022"}`);
  expect(truthTable(orInto)).toBe(`${"012"}${"111"}${"212"}`);
  const negated = Uint8Array.from(all);
  negate(negated);
  expect([...negated]).toEqual([yes, no, unknown]);
});

law(
  "the first rows of an order equal those of a full sort, with and without a heap",
  fc.tuple(
    fc.array(fc.constantFrom(0, 1, 2, 3, Number.NaN), { minLength: 1, maxLength: 200, size: "max" }),
    fc.nat({ max: 40 }),
    fc.boolean(),
    fc.boolean(),
  ),
  async ([numbers, wanted, descending, some]) => {
    const first = { numbers: Float64Array.from(numbers), descending };
    const compare = (a: number, b: number): number => {
      const [x, y] = [numbers[a]!, numbers[b]!];
      if (Number.isNaN(x) || Number.isNaN(y))
        return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
      return (descending ? y - x : x - y) || a - b;
    };
    const rows = [...numbers.keys()].filter((row) => !some || row % 3 !== 0);
    const selection = some ? Uint32Array.from(rows) : undefined;
    const top = await topRows(numbers.length, selection, wanted, first, compare, new Work());
    expect([...top]).toEqual(rows.toSorted(compare).slice(0, wanted));
  },
);

law(
  "sums of small numbers are exact, and other numbers are detected",
  fc.array(
    fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(0, -0, 1, 0.5, -3, 4.75, 1 / 1024, Number.NaN, 2) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(32_767, -32_767, 32_768, 2 ** -14, 2 ** -15, 0.1, 1e300, Infinity),
      },
    ),
    { maxLength: 60 },
  ),
  (values) => {
    const finder = new StepFinder();
    const isSmall =
      finder.add(Float64Array.from(values.slice(0, 20))) && finder.add(Float64Array.from(values.slice(20)));
    const known = values.filter((value) => !Number.isNaN(value));
    const fits = [...Array(15).keys()].some((shift) =>
      known.every((value) => Number.isInteger(value * 2 ** shift) && Math.abs(value * 2 ** shift) <= 32_767),
    );
    expect(isSmall).toBe(fits);
    if (!isSmall) return;
    expect(finder.found).toBe(known.length > 0);
    // Pairs of numbers; the second of each pair is summed.
    const numbers = Int16Array.from(
      values.flatMap((value) => [7, Number.isNaN(value) ? NONE : value / finder.step]),
    );
    const total = newTotal();
    addSmall(
      total,
      numbers,
      Uint32Array.from(values.keys(), (k) => 2 * k),
      1,
      finder.step,
    );
    expect([totalOf(total), total.count]).toEqual([exactSum([0, ...known]), known.length]);
  },
);

law(
  "sorting items by a prefix equals a stable sort",
  fc.array(fc.oneof(fc.nat({ max: 2 ** 48 - 1 }), fc.constantFrom(0, 1, 65_535, 65_536, 2 ** 48 - 1)), {
    maxLength: 60,
    size: "max",
  }),
  async (prefixes) => {
    const items = Uint32Array.from(prefixes.keys()).reverse();
    expect([...(await sortByPrefix(items, Float64Array.from(prefixes), new Work()))]).toEqual(
      [...items].sort((a, b) => prefixes[a]! - prefixes[b]!),
    );
  },
);

law(
  "a set of rows contains the rows added, in order",
  fc.tuple(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(999)), fc.array(fc.nat(999))),
  ([length, some, others]) => {
    const setOf = (rows: readonly number[]) => {
      const set = noRows(length);
      for (const row of rows) addRow(set, row % length);
      return set;
    };
    const naive = (rows: readonly number[]) =>
      [...new Set(rows.map((row) => row % length))].sort((a, b) => a - b);
    expect([...rowsIn(setOf(some))]).toEqual(naive(some));
    expect(Array.from({ length }, (_, row) => hasRow(setOf(some), row))).toEqual(
      Array.from({ length }, (_, row) => naive(some).includes(row)),
    );
    const common = setOf(some);
    intersectInto(common, setOf(others));
    expect([...rowsIn(common)]).toEqual(naive(some).filter((row) => naive(others).includes(row)));
  },
);

describe("compact storage", () => {
  law(
    "lengths use as few bytes each as the longest needs",
    fc.array(fc.constantFrom(0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 1_000_000)),
    (lengths) => {
      let end = 0;
      const ends = Uint32Array.from(lengths, (length) => (end += length));
      const narrow = lengthsOf(ends);
      const longest = Math.max(0, ...lengths);
      expect(narrow.BYTES_PER_ELEMENT).toBe(longest < 2 ** 8 ? 1 : longest < 2 ** 16 ? 2 : 4);
      const bytes = new Uint8Array(narrow.buffer);
      expect(endsOfLengths(bytes, narrow.BYTES_PER_ELEMENT)).toEqual(ends);
    },
  );

  law(
    "letters, digits and two other characters use six bits, and other bytes are not packed",
    fc.array(
      fc.oneof({ weight: 200, arbitrary: fc.constantFrom(..."azAZ09-_") }, { weight: 1, arbitrary: word }),
    ),
    async (characters) => {
      const bytes = new Uint8Array(Buffer.from(characters.join("")));
      const packed = await sixBitsOf(bytes, new Work());
      if (/^[\w-]*$/.test(characters.join("")))
        expect(await textsOfSixBits(packed!, bytes.length, new Work())).toEqual(bytes);
      else expect(packed).toBeUndefined();
    },
  );
});
