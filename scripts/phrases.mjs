// `npm run phrases` finds turns of phrase that must not come back, and says what to write instead. It skips fenced blocks and
// inline code of documents: they show what commands print. `--counts` prints how often each phrase occurs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** What is checked, as paths for Git: of tests only the titles. */
const CHECKED = [
  "*.md",
  "packages/*/src/*",
  ...["bench", "examples", "python", "scripts", "workers"],
  "*.test.ts",
  "*.test.tsx",
  ":!CHANGELOG.md",
  ":!docs/decisions",
  // Its meanings are those of query-lang/src/parse/operators.ts.
  ":!docs/reference/operators.md",
  ":!bench/results",
  ":!examples/*/data",
  ":!**/etc/*.md",
  ":!**/fixtures/**",
  ":!scripts/phrases.mjs",
];

/** A pattern, and what to write instead. */
const PHRASES = [
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)/gi, "is not a …, there is no …"],
  // But as a value: `"nobody"`.
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
];

const { values } = parseArgs({ options: { counts: { type: "boolean", default: false } } });
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = execFileSync("git", ["ls-files", "-z", "--", ...CHECKED], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "");

/** The text with a space for every character that is not checked, so that positions stay the same. */
function checked(file, text) {
  if (file.endsWith(".md")) return text.replaceAll(/^```.*?^```|`[^`\n]*`/gms, blank);
  return /\.test\.tsx?$/.test(file) ? titles(text) : text;
}

/** Only the titles of a test file. */
function titles(text) {
  const title = /\b(?:describe|it|test)\b[^"'`]{0,80}?\(\s*(["'`])(?<title>.+?)\1,/dg;
  const kept = [...text.matchAll(title)].map(({ indices }) => indices.groups.title);
  let from = 0;
  const pieces = kept.map(([start, end]) => {
    const piece = blank(text.slice(from, start)) + text.slice(start, end);
    from = end;
    return piece;
  });
  return pieces.join("") + blank(text.slice(from));
}

function blank(text) {
  return text.replaceAll(/[^\n]/g, " ");
}

/** The pattern, with lines that may break where it has a space. */
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
