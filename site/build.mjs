// `npm run site`: builds the documents, and the references of the HTTP API and of the packages, as a static site with
// search, into build/site. Dead links are errors. `--base /docs/` builds for a site that is not at the root of its
// host. Any static file server can serve it, for example `npx vitepress preview site`.

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { writeHttp } from "./http.mjs";
import { writePackages } from "./packages.mjs";
import { addressOf, assembled, filesBelow, linked, out, root, sections } from "./pages.mjs";

const { values: options } = parseArgs({ options: { base: { type: "string", default: "/" } } });

const all = sections();
const pages = all.flatMap(({ pages }) => pages);
const documents = new Set(pages.map(({ path }) => path));

rmSync(assembled, { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
const written = pages.map((page) => ({ address: addressOf(page.path), text: linked(page, documents) }));
for (const { address, text } of written) write(join(assembled, address), text);
cpSync(join(root, "docs/images"), join(assembled, "docs/images"), { recursive: true });
// writePackages clears its folder, so it must run first.
await writePackages(root, join(assembled, "reference"));
await writeHttp(join(assembled, "reference"), join(assembled, "public"));

process.env.ASSAY_SITE_BASE = options.base;
await build(join(root, "site"));

// Markdown for programs: an index of the documents, and the text of each.
for (const name of filesBelow(assembled))
  if (name.endsWith(".md")) cpSync(join(assembled, name), join(out, name), { recursive: true });
write(join(out, "llms.txt"), list());
write(join(out, "llms-full.txt"), written.map(({ text }) => text).join("\n\n"));

/** The index in the format of https://llmstxt.org: a title, a summary, and links by kind. */
function list() {
  const [{ pages: start }, ...others] = all;
  const lines = others.flatMap(({ name, pages }) => [
    `\n## ${name}\n`,
    ...pages.map(({ path, title, lead }) => {
      const [sentence] = /^.*?[.?!](?=\s|$)/.exec(plain(lead)) ?? [plain(lead)];
      return `- [${title}](${options.base}${addressOf(path)})${sentence === "" ? "" : `: ${sentence}`}`;
    }),
  ]);
  return `# Assay\n\n> ${plain(start[0].lead)}\n${lines.join("\n")}\n`;
}

/** Markdown text without its links. */
function plain(text) {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
