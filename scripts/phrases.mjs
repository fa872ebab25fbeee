// `npm run phrases`: finds banned phrases and prints what to write instead. Skips fenced blocks and inline code of
// documents, which show what commands print. `--counts` prints how often each phrase occurs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** The files to check, as pathspecs of Git. */
const CHECKED = [
  "*.md",
  "packages/*/src/*",
  "packages/*/test/*.test.ts",
  "packages/*/test/*.test.tsx",
  ...["bench", "deploy", "examples", "mutation", "python", "scripts", "site", "test", "testing", "workers"],
  ...[".ci", ".github", "pnpm-workspace.yaml", "vitest*.ts"],
  ":!CHANGELOG.md",
  ":!docs/decisions",
  // Generated from query-lang/src/parse/operators.ts.
  ":!docs/reference/operators.md",
  ":!bench/results",
  ":!examples/*/data",
  ":!testing/data",
  ":!*.json.br",
  ":!*pnpm-lock.yaml",
  ":!**/etc/*.md",
  ":!**/fixtures/**",
  ":!scripts/phrases.mjs",
];

/** Patterns, with what to write instead. */
const PHRASES = [
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)/gi, "is not a …, there is no …"],
  // Allows the value `"nobody"`.
  [/\bnobody\b(?!")/gi, "no one, or the active voice"],
  [/\b(?:some|every)body\b/gi, "someone, everyone, or the active voice"],
  [/\bone's own\b/gi, "your own"],
  [/\b(?:is|are) wanted\b/gi, "is needed, is the target"],
  [/\bwho (?:asks|sends) (?:for|what|it)\b/gi, "name them: the client, the caller"],
  [/\bwhoever\b/gi, "you, anyone who …"],
  [/(?<!\b(?:stands?|let|leave|leaves|left)(?: \w+)? )\balone\b/gi, "only"],
  [/\bmakes? no sense\b/gi, "say what is wrong"],
  [/\bfor ever\b/gi, "permanently, forever"],
  [/\bcannot be told\b/gi, "is unknown, cannot be distinguished"],
  [/\b(?:is|are|was|were) (?:said\b|meant\b(?! to| for))/gi, "name who says it, or state it"],
  [/\bto the last case\b/gi, "in full"],
  [/\bin brackets\b/gi, "in parentheses"],
  [/\bso many (?:days|rows|bytes|seconds)\b/gi, "N days, a number of …"],
  [/\bwho (?:begins|comes from|looks something up|has a task)\b/gi, "address the reader: you"],
  [/(?:^|[.:;|] )Who (?!is\b)[a-z]+s\b(?![^.|]*\?)/gm, "address the reader: if you …"],
  [/\b(?:which|that|what) (?:is|are|was|were) there\b/gi, "exists, is present"],
  [/\bsettings file\b/gi, "configuration file"],
  [/\bwhen a score regressed\b/gi, "when a score regresses"],
  [/\bthe beginning of it\b|\bor its beginning\b/gi, "a prefix of it"],
  [/\banswers only (?:its|programs|the same)\b/gi, "accepts requests only from"],
  [/\band said\b/gi, "and reported"],
  [/\bnothing but\b/gi, "only"],
  [/\bin silence\b/gi, "silently"],
  [/\bfor want of\b/gi, "without, because … is missing"],
  [/\bheld against\b/gi, "compared with, checked against"],
  [/\bgives? back\b/gi, "returns"],
  [/\btak(?:es?|en) away\b/gi, "deletes, removes"],
  [/\bas ever\b/gi, "as usual"],
];

const { values } = parseArgs({ options: { counts: { type: "boolean", default: false } } });
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = execFileSync("git", ["ls-files", "-z", "--", ...CHECKED], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "");

const TEST = /^(?:packages\/[^/]+\/)?test(?:ing)?\//;
const COMMENT = /(?<=^|\s)\/\/ .*|\/\*[\s\S]*?\*\/|(?<=^\s*)# .*/gm;
const TITLE = /\b(?:describe|it|test)\b[^"'`]{0,80}?\(\s*(["'`])(?<title>.+?)\1,/dg;

/** The text with spaces in place of unchecked characters, so that positions stay the same. */
function checked(file, text) {
  if (file.endsWith(".md")) return text.replaceAll(/^```.*?^```|`[^`\n]*`/gms, blank);
  const kept = TEST.test(file) ? commentsAndTitles(text) : text;
  // A phrase may continue on the next line of a comment.
  return kept.replaceAll(/^\s*(?:\/\/|\*|#)(?= )/gm, blank);
}

/** The comments of test code, and the titles of its tests: its strings are data. */
function commentsAndTitles(text) {
  const kept = [
    ...Array.from(text.matchAll(COMMENT), ({ 0: comment, index }) => [index, index + comment.length]),
    ...Array.from(text.matchAll(TITLE), ({ indices }) => indices.groups.title),
  ].sort(([a], [b]) => a - b);
  let from = 0;
  const pieces = kept.map(([start, end]) => {
    const piece = blank(text.slice(from, start)) + text.slice(Math.max(from, start), end);
    from = Math.max(from, end);
    return piece;
  });
  return pieces.join("") + blank(text.slice(from));
}

function blank(text) {
  return text.replaceAll(/[^\n]/g, " ");
}

/** The pattern, with line breaks allowed at its spaces. */
function acrossLines({ source, flags }) {
  return new RegExp(source.replaceAll(" ", "\\s+"), flags);
}

const counts = new Map(PHRASES.map(([pattern]) => [pattern.source, 0]));
let found = 0;
for (const file of files) {
  const text = checked(file, readFileSync(join(root, file), "utf8"));
  for (const [pattern, instead] of PHRASES)
    for (const { 0: phrase, index } of text.matchAll(acrossLines(pattern))) {
      found++;
      counts.set(pattern.source, counts.get(pattern.source) + 1);
      const line = text.slice(0, index).split("\n").length;
      if (!values.counts)
        console.log(`${file}:${line}: "${phrase.trim().replaceAll(/\s+/g, " ")}": ${instead}`);
    }
}
if (values.counts)
  for (const [pattern, count] of counts) console.log(`${String(count).padStart(5)}  ${pattern}`);
console.log(`${found} phrases to rewrite in ${files.length} files`);
if (found > 0) process.exitCode = 1;
