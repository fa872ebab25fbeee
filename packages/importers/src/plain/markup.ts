// Reads the tags and texts of XML and HTML, without checking that they are balanced.

/** A tag, such as `<td>`, `</td>` or `<br/>`. */
export interface Tag {
  /** In lower case, with `/` before it if it is an end. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether it is its own end. */
  readonly isEmpty: boolean;
}

/** What is between angle brackets; `>` may be in quotes. */
const TAG = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;
const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
/** How comments and texts without tags begin and end. */
const RAW: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
];

/** The tags and texts in order. Ends at a tag that is not closed. */
export function* markupIn(text: string): Generator<Tag | string> {
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf("<", at);
    if (open !== at) yield textOf(text.slice(at, open === -1 ? text.length : open));
    if (open === -1) return;
    const raw = RAW.find(([begin]) => text.startsWith(begin, open));
    if (raw !== undefined) {
      const [begin, end] = raw;
      const close = text.indexOf(end, open + begin.length);
      if (begin !== "<!--" && close !== -1) yield text.slice(open + begin.length, close);
      at = close === -1 ? text.length : close + end.length;
      continue;
    }
    TAG.lastIndex = open + 1;
    const inside = TAG.exec(text)?.[0].slice(0, -1);
    if (inside === undefined) return;
    at = TAG.lastIndex;
    const name = /^\/?[\w:.-]+/.exec(inside)?.[0].toLowerCase();
    if (name !== undefined) yield { name, attributes: attributesIn(inside), isEmpty: inside.endsWith("/") };
  }
}

function attributesIn(inside: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(inside.matchAll(ATTRIBUTE), ([, name, ...values]) => [
      name!.toLowerCase(),
      textOf(values.find((value) => value !== undefined) ?? ""),
    ]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", check: "✓", cross: "✗" },
};

/** A text with the characters that its entities stand for. */
function textOf(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
