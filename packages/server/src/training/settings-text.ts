// Parses a text of settings in YAML or JSON.

import { bad, ok, type Result } from "@assay/base";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/** The most characters of a settings text. */
const LONGEST = 2 ** 20;

/**
 * The value of a YAML text as JSON; an empty text is an empty object. It is an `invalid` issue if the text is not
 * YAML, is too long, repeats a key, or has aliases that expand too far or contain themselves.
 */
export function readSettingsText(text: string): Result<unknown> {
  const refused = (message: string) => bad([{ code: "invalid", path: [], message }]);
  if (text.length > LONGEST) return refused(`${text.length} characters; at most ${LONGEST} are allowed`);
  const lines = new LineCounter();
  // Unique keys are checked below: the library compares each key with all before it.
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error", uniqueKeys: false });
  const [broken] = document.errors;
  if (broken?.code === "RESOURCE_EXHAUSTION") return refused("nested too deeply");
  if (broken !== undefined) return refused(`neither YAML nor JSON: ${broken.message.split("\n")[0]}`);
  const repeated = repeatedKey(document);
  if (repeated !== undefined) {
    const { line, col } = lines.linePos(repeated);
    return refused(`neither YAML nor JSON: Map keys must be unique at line ${line}, column ${col}:`);
  }
  try {
    // Converted through JSON, to exclude values that contain themselves.
    return ok(JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? {})));
  } catch (error) {
    const unresolved = /unresolved alias.*: (.*)/i.exec((error as Error).message)?.[1];
    if (unresolved !== undefined)
      return refused(`there is no anchor &${unresolved} before the alias *${unresolved}`);
    return refused("aliases that expand too far or contain themselves: write the values out");
  }
}

/** The position of a key that repeats another one of its map. */
function repeatedKey(document: Parameters<typeof visit>[0]): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}
