// Reads values in Python notation: pandas writes a column of dicts to CSV as `{'correct': True, 'f1':
// np.float64(0.5)}`.

// A string without an end matches too: otherwise each of its quotes would be tried as a start.
const TOKEN =
  /'((?:[^'\\]|\\[\s\S]?)*)(?:'|$)|"((?:[^"\\]|\\[\s\S]?)*)(?:"|$)|(\b(?:True|False|None|nan|inf)\b|-inf\b)|\bnp\.\w+\(([^()'"]*)\)|,(?=\s*[)\]}])|[()]/g;
const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi;
const WORDS: Readonly<Record<string, string>> = {
  ...{ True: "true", False: "false", None: "null", nan: "null", inf: "null", "-inf": "null" },
};
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "\n": "" };

/**
 * Converts a dict, list or tuple in Python's `repr` notation to JSON: None, nan and infinities become null, tuples become lists,
 * NumPy numbers become numbers. Anything else is left unchanged, and then is not JSON.
 */
export function pythonToJson(text: string): string {
  return text.replace(TOKEN, (token, single?: string, double?: string, word?: string, number?: string) => {
    const quoted = single ?? double;
    if (quoted !== undefined && token.length < quoted.length + 2) return token;
    if (quoted !== undefined) return JSON.stringify(quoted.replace(ESCAPE, unescaped));
    if (word !== undefined) return WORDS[word]!;
    if (number !== undefined) return WORDS[number] ?? number;
    return token === "(" ? "[" : token === ")" ? "]" : "";
  });
}

function unescaped(_: string, hex?: string, unicode?: string, letter?: string): string {
  const code = hex ?? unicode;
  return code === undefined ? (ESCAPED[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16));
}
