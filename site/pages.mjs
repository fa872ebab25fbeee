// The pages of the site: the repository's documents at their own paths, so that links between them work.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The folder in which pages are assembled, and the folder of the built site. */
export const assembled = join(root, "build/pages");
export const out = join(root, "build/site");

const KINDS = [
  ["Tutorials", "docs/tutorials"],
  ["How-to", "docs/how-to"],
  ["Reference", "docs/reference"],
  ["Explanation", "docs/explanation"],
  ["Packages", "packages"],
  ["Examples", "examples"],
  ["Decisions", "docs/decisions"],
];
const PROJECT = [
  "docs/README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "TESTING.md",
  "bench/README.md",
  "python/README.md",
  "workers/peft/README.md",
];

/** A document: its path, title, first paragraph and text. */
function pageOf(path) {
  const text = readFileSync(join(root, path), "utf8");
  const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
  const [lead = ""] = text.split(/\n\n+/).filter((paragraph) => !/^(?:[#|!<-]|```)/.test(paragraph.trim()));
  return { path, title: title.replaceAll("`", ""), lead: lead.trim().replaceAll("\n", " "), text };
}

/** All files below a folder, with slashes in their paths. */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    );
}

/** The documents of a folder, and the README.md files of its subfolders. */
function documentsIn(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith(".md") ? [path] : [];
    const readme = posix.join(path, "README.md");
    return existsSync(join(root, readme)) ? [readme] : [];
  });
  const isOverview = (path) => path === `${folder}/README.md`;
  return paths.sort((a, b) => isOverview(b) - isOverview(a) || (a < b ? -1 : 1)).map(pageOf);
}

/** The documents by kind; the first is the home page. */
export function sections() {
  return [
    { name: "Assay", pages: [pageOf("README.md")] },
    ...KINDS.map(([name, folder]) => ({ name, pages: documentsIn(folder) })),
    { name: "Project", pages: PROJECT.map(pageOf) },
  ];
}

/** The address of a document: a folder's README is the folder's index page. */
export const addressOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md");

/** The base address of the repository's files; undefined if unknown. */
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: slug } = process.env;
const repository = slug === undefined ? undefined : `${server}/${slug}/blob/HEAD/`;

/**
 * A document's text with its links rewritten to pages of the site. Links to other files lead to the repository's host
 * if it is known; otherwise only their text stays.
 */
export function linked({ path, text }, documents) {
  const links = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g;
  return text.replaceAll(links, (whole, image, words, to, anchor = "") => {
    const target = posix.join(posix.dirname(path), to).replace(/\/$/, "");
    if (image !== "") return whole;
    const isFolder = existsSync(join(root, target)) && statSync(join(root, target)).isDirectory();
    const document = isFolder ? posix.join(target, "README.md") : target;
    // Keeps links to missing documents, for the dead-link check to find.
    if (documents.has(document) || (document.endsWith(".md") && !isFolder))
      return `[${words}](${relative(path, addressOf(document))}${anchor})`;
    return repository === undefined ? words : `[${words}](${repository}${target}${anchor})`;
  });
}

const relative = (from, to) => posix.relative(posix.dirname(addressOf(from)), to);
