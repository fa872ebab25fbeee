// TESTING.md as text: each promise, the tests that hold it in every run, the command of its long form, and what the last full
// run of that command showed. A test holds the file against this.

/** The page, of the promises and of the figures that are kept of them. */
export function testingPage(promises, figures) {
  return `# What is promised, and how it is tested

Written by \`npm run testing\` from \`scripts/promises.mjs\` and the figures in \`testing.json\`; \`npm run testing -- ID\` runs the long
form of one promise and keeps its figures. Every commit runs the short forms, against the built command where people use
that: \`npm test\`.

${promises.map((promise) => section(promise, figures[promise.id])).join("\n")}`;
}

function section({ id, promise, brief, command }, kept) {
  const last =
    kept === undefined
      ? "not run at full length on a version that is kept here."
      : `${kept.figure} (${[
          ...(kept.seed === undefined ? [] : [`seed ${kept.seed}`]),
          `commit ${kept.commit}`,
          kept.date,
          kept.machine,
        ].join(", ")}).`;
  return `## ${id}

${promise}

- In every run: ${brief.map((path) => `[\`${path}\`](${path})`).join(", ")}
- At full length: \`${command}\`
- Last full run: ${last}
`;
}
