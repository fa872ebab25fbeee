import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { microseconds } from "../src/call/timestamp.ts";

describe("microseconds", () => {
  test("reads the formats of the SDKs", () => {
    expect(microseconds("1970-01-01T00:00:00Z")).toBe(0);
    expect(microseconds("1970-01-01T00:00:01.5Z")).toBe(1_500_000);
    expect(microseconds("2026-01-01T00:00:00.123456Z")).toBe(1_767_225_600_123_456);
    expect(microseconds("2026-01-01T01:00:00.123456+01:00")).toBe(1_767_225_600_123_456);
    expect(microseconds("2026-01-01 00:00:00")).toBe(1_767_225_600_000_000);
  });

  test("gives NaN for texts that are not times", () => {
    for (const text of [
      "",
      "now",
      "2026-01-01",
      "2026-01-01T00:00:00.Z",
      "2026-0a-01T00:00:00Z",
      "20260101T000000Z",
    ])
      expect(microseconds(text)).toBeNaN();
    expect(microseconds(null)).toBeNaN();
  });

  test("gives NaN for dates and times that do not exist, in every format", () => {
    const none = [
      ...["2026-00-01T00:00:00", "2026-13-01T00:00:00", "2026-01-00T00:00:00", "2026-04-31T00:00:00"],
      ...["2026-02-29T00:00:00", "2026-01-01T24:00:00", "2026-01-01T12:99:00", "2026-01-01T12:60:00"],
      "2026-01-01T12:00:61",
    ];
    for (const text of none) {
      for (const rest of ["Z", ".5Z", "", "+01:00", ".123456789-0530"])
        expect([text, rest, microseconds(text + rest)]).toEqual([text, rest, Number.NaN]);
    }
    for (const zone of ["+24:00", "-00:60", "+9999"])
      expect(microseconds(`2026-01-01T00:00:00${zone}`)).toBeNaN();
    // A valid day right after an invalid one.
    expect(microseconds("2026-01-31T23:59:59Z")).toBe(1_769_903_999_000_000);
  });

  test("counts a leap second as the first of the next minute", () => {
    for (const zone of ["Z", "+00:00", ""])
      expect(microseconds(`2016-12-31T23:59:60.25${zone}`)).toBe(microseconds("2017-01-01T00:00:00.25Z"));
  });

  test("gives NaN when any character is not a digit", () => {
    const texts = ["1999-12-31T23:59:59Z", "1999-12-31T23:59:59.9Z", "1999-12-31T23:59:59.999999Z"];
    for (const text of texts) {
      for (let i = 0; i < text.length; i++) {
        if (!/\d/.test(text[i]!)) continue;
        for (const other of ["x", "-", ":", "/", "\u0139"])
          expect(microseconds(`${text.slice(0, i)}${other}${text.slice(i + 1)}`)).toBeNaN();
      }
    }
  });

  test("reads different days one after another, and the same day again", () => {
    const days = ["2026-01-01", "2026-01-02", "2026-01-01", "0099-03-04", "1999-12-31", "2024-02-29"];
    for (const day of [...days, ...days])
      expect(microseconds(`${day}T01:02:03.5Z`)).toBe(microseconds(`${day}T01:02:03.5+00:00`));
  });

  test("does not depend on the notation of the moment", () => {
    const moment = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 999 }), (ms, micros) => {
        const text = new Date(ms).toISOString().slice(0, -1);
        const expected = ms * 1000 + micros;
        const fine = `${text}${String(micros).padStart(3, "0")}`;
        for (const written of [`${fine}Z`, `${fine}+00:00`, fine, `${fine}000Z`])
          expect(microseconds(written)).toBe(expected);
        expect(microseconds(`${text}Z`)).toBe(ms * 1000);
      }),
    );
  });
});
