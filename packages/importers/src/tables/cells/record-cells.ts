// Writes the values of records as cells, for tables whose files cannot be read as the bytes of their values.

import { jsonText } from "@assay/base";
import { numberText } from "@assay/base/internal";
import { ByteWriter } from "../../collections/byte-writer.ts";
import type { JsonObject } from "../../json/json-text.ts";
import type { CellRows } from "./cell-rows.ts";
import { flattenedRecord } from "./flattened-record.ts";

/** The JSON of the values of records, in the same batches. Adds the names of new columns. */
export async function* recordRows(
  batches: AsyncIterable<readonly JsonObject[]>,
  names: string[],
): AsyncGenerator<CellRows> {
  const places = new Map(names.map((name, place) => [name, place]));
  const text = new ByteWriter();
  for await (const batch of batches) {
    const records = batch.map(flattenedRecord);
    for (const record of records)
      for (const name of Object.keys(record)) if (!places.has(name)) places.set(name, names.push(name) - 1);
    const size = records.length * names.length;
    const [starts, ends] = [new Uint32Array(size), new Uint32Array(size)];
    text.size = 0;
    for (const [row, record] of records.entries())
      for (const name of Object.keys(record)) {
        const cell = row * names.length + places.get(name)!;
        starts[cell] = text.size;
        text.text(numberText(record, name) ?? jsonText(record[name]));
        ends[cell] = text.size;
      }
    const bytes = text.bytes.subarray(0, text.size);
    yield { bytes, cells: { starts, ends, doubled: undefined }, first: 0, count: records.length };
  }
}
