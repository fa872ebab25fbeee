// Generates TESTING.md: each promise, the tests that check it in every run, the command of one part, and the combined
// results of its parts. A test compares the file with this.

import { FAULTS_BY_HAND } from "./faults-by-hand.mjs";

/** The page, from the promises and their saved parts. */
export function testingPage(promises, kept) {
  return `# What Assay promises, and how it is tested

\`npm test\` runs a short form of every test. \`.ci/run\` runs all files of the lanes that a change triggers
(\`test/lanes.ts\`), with more random cases, and the short form of the other lanes. It runs three files at a time, in
parallel with \`npm run check\`.

\`npm run testing\` tests each promise for longer, in parts of at most ten minutes (\`--minutes\`), and writes this page
from \`scripts/promises.mjs\` and \`testing.json\`. It saves the figures of each part, adds them up, and resumes where it
was interrupted. \`npm run testing -- ID\` runs one part of one promise.

${promises.map((promise) => section(promise, kept[promise.id] ?? [])).join("\n")}
## Faults inserted by hand

We inserted each of these faults by hand, and removed it once a test of \`npm test\` or of the package's lane had failed. Times are those of whole runs on a busy machine.

${FAULTS_BY_HAND.map(([name, fault, failed, seconds]) => `- ${name}: ${fault}. Failed: ${failed}${seconds === undefined ? "" : `, ${seconds} s`}.`).join("\n")}
`;
}

/** The combined figures of the parts of a promise, with the number of parts. */
export function added({ most }, parts) {
  const sums = { parts: parts.length };
  for (const { counts } of parts)
    for (const [name, count] of Object.entries(counts))
      sums[name] = most?.includes(name) ? Math.max(sums[name] ?? count, count) : (sums[name] ?? 0) + count;
  return sums;
}

/** The share of the target that the parts reach, at most 1. */
export function shareOf(promise, parts) {
  const [[name, wanted]] = Object.entries(promise.whole);
  return Math.min(1, (added(promise, parts)[name] ?? 0) / wanted);
}

function section(promise, parts) {
  const { id, brief, command } = promise;
  return `## ${id}

${promise.promise}

- Tests in every run: ${brief.map((path) => `[\`${path}\`](${path})`).join(", ")}
- One part: \`${command({ seed: "SEED", minutes: 10, part: 0 })}\`
- Result: ${seen(promise, parts)}
`;
}

function seen(promise, parts) {
  if (parts.length === 0) return `not measured yet; start with \`npm run testing -- ${promise.id}\`.`;
  const sums = added(promise, parts);
  const words = Object.fromEntries(
    Object.entries(sums).map(([name, count]) => [
      name,
      count.toLocaleString("en", { maximumFractionDigits: 2 }),
    ]),
  );
  const share = shareOf(promise, parts);
  const each = (name) => [...new Set(parts.map((part) => part[name]).filter((one) => one !== undefined))];
  const [[unit, wanted]] = Object.entries(promise.whole);
  const of = share === 1 ? "" : ` So far ${percent(share)} of ${wanted.toLocaleString("en")} ${unit}.`;
  const minutes = Math.ceil(parts.reduce((sum, part) => sum + part.minutes, 0));
  const facts = [
    `${parts.length} ${parts.length === 1 ? "part" : "parts"}, ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
    ...listed("seed", each("seed")),
    ...listed("commit", each("commit")),
    [each("date")[0], ...(each("date").length > 1 ? [each("date").at(-1)] : [])].join(" to "),
    ...each("machine"),
  ];
  return `${promise.shown(words, sums)} (${facts.join(", ")}).${of}`;
}

function percent(share) {
  return `${(100 * share).toPrecision(2)}%`;
}

/** A list of at most three values; of more, only the first and the last. testing.json has all of them. */
function listed(what, all) {
  if (all.length === 0) return [];
  if (all.length <= 3) return [`${what}${all.length > 1 ? "s" : ""} ${all.join(" ")}`];
  return [`${all.length} ${what}s from ${all[0]} to ${all.at(-1)}`];
}
