// Reads JSON lines: one value per line.

import type { Json } from "@assay/base";
import { lineSplitter } from "@assay/base/internal";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { LONGEST, textPieces } from "../files/text-pieces.ts";
import { type LargeIntegers, parseJson } from "./json-text.ts";

/** The values of a file of JSON lines. Blank lines are skipped. */
export async function* jsonLines(file: ImportFile, large?: LargeIntegers): AsyncGenerator<Json> {
  const splitter = lineSplitter(LONGEST);
  let number = 0;
  const values = function* (lines: readonly (string | undefined)[]): Generator<Json> {
    for (const line of lines) {
      number++;
      if (line === undefined) throw new Unreadable(`line ${number}: longer than ${LONGEST} characters`);
      if (line.trim() !== "") yield parseJson(line, `line ${number}`, large);
    }
  };
  for await (const text of textPieces(file)) yield* values(splitter.push(text));
  yield* values(splitter.end());
}
