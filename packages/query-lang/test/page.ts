// The cases of the browser test: a query that is read, refused, printed and evaluated on documents.

import { getPath, printQuery, readQuery, testQuery } from "../src/index.ts";

const options = { at: ["query"], field: () => undefined };

export async function page(): Promise<unknown> {
  const query = {
    $expr: {
      $and: [
        { $gte: [{ $getField: "scores.s" }, { $literal: 0.5 }] },
        {
          $contains: {
            input: { $getField: "inputs.q" },
            substr: { $literal: "STRASSE" },
            case_insensitive: true,
          },
        },
      ],
    },
  };
  const documents = [
    { scores: { s: "0.9" }, inputs: { q: "die Strasse" } },
    { scores: { s: 0.1 }, inputs: { q: "die Straße" } },
    { inputs: {} },
  ];
  const read = readQuery(query, options);
  if (!read.ok) return read;
  return {
    printed: printQuery(read.value),
    answers: documents.map((document) => testQuery(read.value, (path) => getPath(document, path))),
    refused: readQuery({ $expr: { $gt: [{ $getField: "a..b" }] } }, options),
  };
}
