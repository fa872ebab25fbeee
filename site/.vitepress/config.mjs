// The site's configuration: a side bar by kind of document, and a local search.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { addressOf, assembled, filesBelow, out, sections } from "../pages.mjs";

const linkOf = (address) => `/${address.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html")}`;

const documents = sections().map(({ name, pages }) => ({
  text: name,
  collapsed: name !== "Tutorials",
  items: [
    ...pages.map(({ path, title }) => ({ text: title, link: linkOf(addressOf(path)) })),
    ...(name === "Reference" ? [{ text: "HTTP", link: "/reference/http.html" }] : []),
  ],
}));

/** The side bar of the packages' entry points, whose pages are generated from the sources. */
function packages() {
  const folder = join(assembled, "reference");
  const files = existsSync(folder) ? filesBelow(folder) : [];
  const names = files.filter((file) => file.startsWith("@assay/")).map((file) => file.replace(/\.md$/, ""));
  return {
    text: "Exported names",
    collapsed: true,
    items: names.sort().map((text) => ({ text, link: `/reference/${text}.html` })),
  };
}

/** GitHub's anchor for a heading, which links in the documents use. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

export default defineConfig({
  title: "Assay",
  description: "Exact evaluation results, training jobs and inference.",
  lang: "en",
  base: process.env.ASSAY_SITE_BASE ?? "/",
  srcDir: assembled,
  outDir: out,
  cacheDir: join(assembled, "../site-cache"),
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [...documents, packages()],
  },
});
