import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readUpstreams } from "../src/index.ts";

const env = { ENGINE_KEY: "secret", EMPTY: "" };

function issues(text: string): readonly string[] {
  const result = readUpstreams(text, env);
  return result.ok ? [] : result.issues.map(({ message }) => message);
}

test("a file lists the engines", () => {
  const text = `
upstreams:
  - name: gpu
    url: http://127.0.0.1:8000/v1/
    key_env: ENGINE_KEY
    concurrency: 64
    timeouts: { connect: 2, first_byte: 0.5 }
    continuous_usage: true
    lora: { slots: 4 }
    models:
      org/model: true
      org/other: other:8b
  - name: laptop
    url: https://example.org/api
    models: { org/model: m }
`;
  expect(readUpstreams(text, env)).toEqual({
    ok: true,
    value: [
      {
        name: "gpu",
        url: "http://127.0.0.1:8000/v1",
        key: "secret",
        concurrency: 64,
        timeouts: { connect: 2000, firstByte: 500, idle: 60_000, whole: 600_000 },
        continuousUsage: true,
        loraSlots: 4,
        models: [
          { id: "org/model", engineName: "org/model" },
          { id: "org/other", engineName: "other:8b" },
        ],
      },
      {
        name: "laptop",
        url: "https://example.org/api",
        concurrency: 256,
        timeouts: { connect: 5000, firstByte: 300_000, idle: 60_000, whole: 600_000 },
        continuousUsage: false,
        models: [{ id: "org/model", engineName: "m" }],
      },
    ],
  });
});

test("a file may be JSON", () => {
  const upstreams = [{ name: "a", url: "http://localhost:1", models: { m: true } }];
  expect(readUpstreams(JSON.stringify({ upstreams }, null, 2), env).ok).toBe(true);
  expect(readUpstreams('{"upstreams": []}', env)).toEqual({ ok: true, value: [] });
});

describe("errors are reported with their line", () => {
  test("every issue at once", () => {
    const text = `upstreams:
  - name: a b
    url: ftp://x
    key_env: NO_SUCH
    concurrency: 1.5
    colour: red
    timeouts:
      idle: soon
    models:
      m: 7
      e: { serves: [chat, chat], nam: x }
  - 12
  - name: a b
    url: http://user:pw@host/?q
    continuous_usage: yes please
    lora: { slots: 0 }
`;
    expect(issues(text)).toEqual([
      expect.stringMatching(/^line 6, column 5: colour is not known here; known are name, /),
      "line 2, column 5: name must consist of letters, digits, dots, dashes and underscores",
      "line 4, column 5: key_env must name an environment variable that is set",
      "line 3, column 5: url must be an http or https address, without credentials and query",
      "line 5, column 5: concurrency must be a whole number",
      "line 8, column 7: idle must be a number of at least 0.001",
      "line 10, column 7: must be the engine's name of the model, true when it is the same, or an object of name and serves",
      "line 11, column 34: nam is not known here; known are name, serves",
      "line 11, column 12: serves must be a list of some of chat, completions, embeddings, each once",
      "line 12, column 5: an upstream must be an object",
      "line 13, column 5: another upstream has this name",
      "line 13, column 5: name must consist of letters, digits, dots, dashes and underscores",
      "line 15, column 5: continuous_usage must be true or false",
      "line 14, column 5: url must be an http or https address, without credentials and query",
      "line 16, column 13: slots must be a number of at least 1",
      expect.stringMatching(/^line 13, column 5: models must be an object/),
    ]);
  });

  test.each([
    ["", "upstreams is required"],
    ["upstreams: 7", "line 1, column 1: upstreams must be a list"],
    ["upstreams: []\nupstream: []", "line 2, column 1: upstream is not known here; known are upstreams"],
    ["upstreams: [", "not YAML"],
    ["upstreams:\n- name: a\n  name: b", "line 3, column 3: not YAML (DUPLICATE_KEY)"],
    ["a".repeat(2 ** 20 + 1), "the file is too large"],
  ])("%.20s", (text, message) => {
    expect(issues(text)[0]).toContain(message);
  });

  test("an empty key counts as unset, and keys are never shown", () => {
    const text = "upstreams: [{ name: a, url: 'http://h', models: { m: true }, key_env: EMPTY }]";
    expect(issues(text)).toEqual([
      "line 1, column 62: key_env must name an environment variable that is set",
    ]);
  });

  test("aliases that grow without bound are refused", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (let i = 0; i < 8; i++) {
      const [from, to] = ["abcdefghi"[i], "abcdefghi"[i + 1]];
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(",")}]`);
    }
    expect(issues(bomb.join("\n"))).toEqual(["too many aliases"]);
  });

  test("whatever the text is", () => {
    const line = fc.constantFrom(
      "upstreams:",
      "  - name: a",
      "    url: http://h",
      "    models:",
      "      m: x",
      "- &a",
      "*a",
      "[",
      "? x",
      "#",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const result = readUpstreams(lines.join("\n"), env);
        if (!result.ok) expect(result.issues.length).toBeGreaterThan(0);
      }),
    );
  });
});
