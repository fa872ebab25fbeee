// Comments and documents refer only to documents and sections of this repository that exist.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const GENERATED = new Set(["node_modules", "build", "dist", "etc", "fixtures", "data", "coverage", "temp"]);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return GENERATED.has(entry.name) || entry.name === ".git" ? [] : filesIn(path);
    return /\.(ts|mjs|md|py|yml)$/.test(entry.name) ? [path] : [];
  });
}

const files = filesIn(".");

const headings = (file: string): string[] =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

test("comments refer only to existing documents and sections in docs", () => {
  let seen = 0;
  const dead = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8").replaceAll(/\n\s*(?:\/\/|\*) /g, " ");
    return [...text.matchAll(/\b(docs\/[\w/.-]+\.md)(?:, "([^"\n]+)")?/g)].flatMap(
      ([, document, section]) => {
        seen++;
        if (!existsSync(join(root, document!))) return [`${file}: ${document}`];
        const known = section === undefined || headings(document!).includes(section);
        return known ? [] : [`${file}: ${document}, "${section}"`];
      },
    );
  });
  expect(seen).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});

test("links in documents have existing targets", () => {
  const dead = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
      ].flatMap(([link, path, anchor]) => {
        const target = path === "" ? file : posix.join(dirname(file), path!);
        if (!existsSync(join(root, target))) return [`${file}: ${link}`];
        const document = target.endsWith(".md") ? target : posix.join(target, "README.md");
        const known = anchor === undefined || headings(document).map(anchorOf).includes(anchor);
        return known ? [] : [`${file}: ${link}`];
      }),
    );
  expect(dead).toEqual([]);
});

test("changesets name existing packages and describe a change", () => {
  const packages = new Set(
    readdirSync(join(root, "packages")).map(
      (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).name as string,
    ),
  );
  const names = readdirSync(join(root, ".changeset")).filter((name) => /^[^R].*\.md$/.test(name));
  const wrong = names.filter((name) => {
    const [, head, text] =
      /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(root, ".changeset", name), "utf8")) ?? [];
    const changes = (head ?? "").split("\n").map((line) => /^"(.+)": (?:major|minor|patch)$/.exec(line)?.[1]);
    return !changes.every((one) => one !== undefined && packages.has(one)) || !text?.trim();
  });
  expect(wrong).toEqual([]);
});
